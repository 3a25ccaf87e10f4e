import type { MigrationFailure } from '@tallyroom/contract/people/agent-migration'
import { sql } from 'kysely'
import { lookOf } from '../accounts/username-look.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'

export type HashKind = 'argon2id' | 'bcrypt' | 'md5'

/** A staged agent of an old server. */
export type StagedAgent = {
  officeName: string
  username: string
  firstName: string
  lastName: string
  email: string | undefined
  /** In a format that `verifyPassword` accepts. */
  passwordHash: string
  hashKind: HashKind
  registeredAt: Date | undefined
}

const mostFailuresShown = 100

/**
 * Stages an agent for migration, replacing an earlier import of the same username. Returns false if that agent
 * was already migrated.
 */
export async function stageAgent(
  db: DbOrTx,
  agent: StagedAgent,
  importedAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into migrating_agents as staged (
      office_name, username, first_name, last_name, email, password_hash, hash_kind, registered_at, imported_at
    )
    values (
      ${agent.officeName}, ${agent.username}, ${agent.firstName}, ${agent.lastName}, ${agent.email ?? null},
      ${agent.passwordHash}, ${agent.hashKind}, ${agent.registeredAt ?? null}, ${importedAt}
    )
    on conflict (lower(username)) do update set
      office_name = excluded.office_name,
      username = excluded.username,
      first_name = excluded.first_name,
      last_name = excluded.last_name,
      email = excluded.email,
      password_hash = excluded.password_hash,
      hash_kind = excluded.hash_kind,
      registered_at = excluded.registered_at,
      imported_at = excluded.imported_at,
      state = 'Ready To Migrate',
      failure = null
    where staged.state <> 'Migrated'
    returning staged.id
  `.execute(db)
  return rows.length > 0
}

export async function countReady(db: DbOrTx): Promise<number> {
  const { count } = await db
    .selectFrom('migrating_agents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'Ready To Migrate')
    .executeTakeFirstOrThrow()
  return count
}

export const findFailures = (db: DbOrTx): Promise<MigrationFailure[]> =>
  db
    .selectFrom('migrating_agents')
    .select((eb) => [
      'username',
      'office_name as officeName',
      eb.fn.coalesce('failure', sql.lit('')).as('reason'),
    ])
    .where('state', '=', 'Failed')
    .orderBy(sql`lower(username) collate "C"`)
    .limit(mostFailuresShown)
    .execute()

/** The next agent that is ready, in import order. */
export const findNextReady = (db: DbOrTx, afterId: number) =>
  db
    .selectFrom('migrating_agents')
    .select(['id', 'office_name as officeName'])
    .where('state', '=', 'Ready To Migrate')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The agent if still ready, with a row lock. */
export const lockReady = (tx: Tx, id: number) =>
  tx
    .selectFrom('migrating_agents')
    .select([
      'office_name as officeName',
      'username',
      'first_name as firstName',
      'last_name as lastName',
      'email',
      'password_hash as passwordHash',
      'hash_kind as hashKind',
      'registered_at as registeredAt',
    ])
    .where('id', '=', id)
    .where('state', '=', 'Ready To Migrate')
    .forUpdate()
    .executeTakeFirst()

export async function markMigrated(
  tx: Tx,
  id: number,
  { agentId, at }: { agentId: number; at: Date },
): Promise<void> {
  await tx
    .updateTable('migrating_agents')
    // The account has the hash now. A second copy would outlive password changes.
    .set({ state: 'Migrated', agent_id: agentId, migrated_at: at, password_hash: '' })
    .where('id', '=', id)
    .execute()
}

export async function markFailed(db: DbOrTx, id: number, reason: string): Promise<void> {
  await db
    .updateTable('migrating_agents')
    .set({ state: 'Failed', failure: reason })
    .where('id', '=', id)
    .where('state', '=', 'Ready To Migrate')
    .execute()
}

export async function findOfficeIdByName(db: DbOrTx, name: string): Promise<number | undefined> {
  const office = await db
    .selectFrom('offices')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  return office?.id
}

/** Whether the username, or one that looks like it, is taken or staged. */
export async function isUsernameTaken(db: DbOrTx, username: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts
    where lower(username) = lower(${username}) or username_look = ${lookOf(username)}
    union all
    select 1 from migrating_agents where lower(username) = lower(${username}) and state <> 'Migrated'
    limit 1
  `.execute(db)
  return rows.length > 0
}
