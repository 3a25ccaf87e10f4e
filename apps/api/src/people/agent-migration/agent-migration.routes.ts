import { migrationEndpoints } from '@tallyroom/contract/people/agent-migration'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { migrateAgents } from './migrate-agents.ts'
import { countReady, findFailures } from './staged-agents.queries.ts'

export const migrationRoutes = (services: Services): Route[] => [
  route(migrationEndpoints.countToMigrate, async () => ({
    count: await countReady(services.db),
    failures: await findFailures(services.db),
  })),

  route(migrationEndpoints.migrate, ({ viewer }) => migrateAgents(services, viewer)),
]
