import { exportsEndpoints } from '@tallyroom/contract/exports'
import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import { getRouteApi } from '@tanstack/react-router'
import { payrollAvpReport } from './reports.ts'
import { statsCall } from './statistics.api.ts'
import { StatsPage } from './StatsPage.tsx'

const route = getRouteApi('/app/stats/sites-payout-avp')
const ask = statsCall(payrollEndpoints.payrollAvp, exportsEndpoints.exportPayrollAvp)

/** Payroll AVP: what the sales of a week pay by the tiers of their agents. */
export const PayrollAvpPage = () => (
  <StatsPage report={payrollAvpReport} search={route.useSearch()} ask={ask} />
)
