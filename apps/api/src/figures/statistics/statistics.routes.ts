import { explainEndpoints } from '@tallyroom/contract/figures/explain'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { route, type Route } from '../../http/route.ts'
import { type TotalsDatabases } from '../../totals/index.ts'
import { explain } from './explain.ts'
import { statsReport } from './report.ts'

export const statisticsRoutes = (databases: TotalsDatabases): Route[] => [
  route(statisticsEndpoints.siteStats, ({ viewer, body }) =>
    statsReport(databases, viewer, 'sites', body),
  ),
  route(statisticsEndpoints.avpStats, ({ viewer, body }) =>
    statsReport(databases, viewer, 'avp', body),
  ),
  route(statisticsEndpoints.payroll, ({ viewer, body }) =>
    statsReport(databases, viewer, 'payroll', body),
  ),
  route(statisticsEndpoints.payrollAvp, ({ viewer, body }) =>
    statsReport(databases, viewer, 'payrollAvp', body),
  ),
  route(explainEndpoints.explain, ({ viewer, body }) => explain(databases, viewer, body)),
]
