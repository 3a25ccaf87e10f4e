import { exportsEndpoints } from '@tallyroom/contract/exports'
import { statisticsEndpoints } from '@tallyroom/contract/statistics'
import { getRouteApi } from '@tanstack/react-router'
import { sitesReport } from './reports.ts'
import { statsCall } from './statistics.api.ts'
import { StatsPage } from './StatsPage.tsx'

const route = getRouteApi('/app/stats/sites')
const ask = statsCall(statisticsEndpoints.siteStats, exportsEndpoints.exportSiteStats)

/** Sites Statistics: clicks, sales and bonuses by day, office, agent or both. */
export const SitesStatsPage = () => (
  <StatsPage report={sitesReport} search={route.useSearch()} ask={ask} />
)
