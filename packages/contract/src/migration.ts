import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** An agent of the old server that could not be moved in, and why, as a sentence without its subject. */
export const migrationFailureSchema = z.object({
  username: z.string(),
  officeName: z.string(),
  reason: z.string(),
})
export type MigrationFailure = z.infer<typeof migrationFailureSchema>

export const migrationEndpoints = {
  countToMigrate: endpoint({
    method: 'GET',
    path: '/api/admins/countToMigrate',
    summary: 'How many agents of an old server are ready to be moved in, and which could not be',
    ability: 'migration.run',
    action: 'VIEW',
    response: z.object({
      count: z.int().min(0),
      /** The first hundred of them, by username. They are tried again once they are imported anew. */
      failures: z.array(migrationFailureSchema),
    }),
  }),
  migrate: endpoint({
    // Changes things in spite of its method, which is the specification's. No browser can be led here: the
    // token is in no cookie.
    method: 'GET',
    path: '/api/accounts/migrate',
    summary: 'Moves in the agents that are ready, each whole or not at all; safe to repeat',
    ability: 'migration.run',
    action: 'CREATE',
    response: z.object({
      migrated: z.int().min(0),
      failed: z.int().min(0),
    }),
  }),
}
