import { explainEndpoints } from '@tallyroom/contract/explain'
import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import { statisticsEndpoints } from '@tallyroom/contract/statistics'
import { route, type Route } from '../../http/route.ts'
import { explain } from './explain.ts'
import { statsReport } from './site-stats.ts'
import { type TotalsDatabases } from '../../totals/index.ts'

export const statisticsRoutes = (databases: TotalsDatabases): Route[] => [
  route(statisticsEndpoints.siteStats, ({ viewer, body }) =>
    statsReport(databases, viewer, 'sites', body),
  ),
  route(payrollEndpoints.avpStats, ({ viewer, body }) =>
    statsReport(databases, viewer, 'avp', body),
  ),
  route(payrollEndpoints.payroll, ({ viewer, body }) =>
    statsReport(databases, viewer, 'payroll', body),
  ),
  route(payrollEndpoints.payrollAvp, ({ viewer, body }) =>
    statsReport(databases, viewer, 'payrollAvp', body),
  ),
  route(explainEndpoints.explain, ({ viewer, body }) => explain(databases, viewer, body)),
]
