import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** An agent of the old server who could not be migrated. `reason` continues the agent's name. */
const migrationFailureSchema = z.object({
  username: z.string(),
  officeName: z.string(),
  reason: z.string(),
})
export type MigrationFailure = z.infer<typeof migrationFailureSchema>

export const migrationEndpoints = {
  countToMigrate: endpoint({
    method: 'GET',
    path: '/api/admins/countToMigrate',
    summary: 'Count the agents ready for migration from an old server, and list those that failed',
    ability: 'migration.run',
    action: 'VIEW',
    response: z.object({
      count: z.int().min(0),
      /** The first 100, by username. They are retried after they are imported again. */
      failures: z.array(migrationFailureSchema),
    }),
  }),
  migrate: endpoint({
    // The specification's method, although the call changes data. CSRF is impossible: the token is not in a
    // cookie.
    method: 'GET',
    path: '/api/accounts/migrate',
    summary: 'Migrate the agents that are ready, each in one transaction. Idempotent.',
    ability: 'migration.run',
    action: 'CREATE',
    response: z.object({
      migrated: z.int().min(0),
      failed: z.int().min(0),
    }),
  }),
}
