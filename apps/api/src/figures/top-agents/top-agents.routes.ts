import { topAgentsEndpoints } from '@tallyroom/contract/figures/top-agents'
import { route, type Route } from '../../http/route.ts'
import type { TotalsDatabases } from '../../totals/index.ts'
import { top10, top10Computed } from './top10.ts'

export const topAgentsRoutes = (databases: TotalsDatabases): Route[] => [
  route(topAgentsEndpoints.top10, ({ viewer, body }) => top10(databases, viewer, body)),
  route(topAgentsEndpoints.top10Computed, ({ viewer, body }) =>
    top10Computed(databases, viewer, body.period),
  ),
]
