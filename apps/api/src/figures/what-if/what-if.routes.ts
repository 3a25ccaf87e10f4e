import { whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import { route, type Route } from '../../http/route.ts'
import type { TotalsDatabases } from '../../totals/index.ts'
import { whatIf } from './what-if.ts'

export const whatIfRoutes = (databases: TotalsDatabases): Route[] => [
  route(whatIfEndpoints.whatIf, ({ body }) => whatIf(databases, body)),
]
