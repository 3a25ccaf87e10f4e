import { exportsEndpoints } from '@tallyroom/contract/exports'
import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import { getRouteApi } from '@tanstack/react-router'
import { payrollReport } from './reports.ts'
import { statsCall } from './statistics.api.ts'
import { StatsPage } from './StatsPage.tsx'

const route = getRouteApi('/app/stats/sites-payout')
const ask = statsCall(payrollEndpoints.payroll, exportsEndpoints.exportPayroll)

/** Payroll: what sales and bonuses pay. */
export const PayrollPage = () => (
  <StatsPage report={payrollReport} search={route.useSearch()} ask={ask} />
)
