import { exportsEndpoints } from '@tallyroom/contract/exports'
import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import { getRouteApi } from '@tanstack/react-router'
import { sitesAvpReport } from './reports.ts'
import { statsCall } from './statistics.api.ts'
import { StatsPage } from './StatsPage.tsx'

const route = getRouteApi('/app/stats/sites-avp')
const ask = statsCall(payrollEndpoints.avpStats, exportsEndpoints.exportAvpStats)

/** Sites AVP Statistics: the figures of a week, with the tier of each agent. */
export const SitesAvpPage = () => (
  <StatsPage report={sitesAvpReport} search={route.useSearch()} ask={ask} />
)
