import { roleNumber } from '@tallyroom/domain/roles'
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { DB } from '../../db/types.ts'
import { mailAddress } from '../../people/index.ts'

export type TargetRow = Selectable<DB['postback_targets']>

/** A target for lists, with the names of what it is about. */
export type ListedTarget = TargetRow & {
  officeName: string | null
  agent: string | null
  sitename: string | null
  typename: string | null
  missed: number
  lastSentAt: Date | null
}

/** Targets of one format that a viewer sees. */
export type Targets = { scope: Scope; format: 'postback' | 'webhook' }

/** An office has its own, not those of its agents: their URLs have secrets of other systems. */
const among = ({ scope, format }: Targets) =>
  sql`target.format = ${format} and ${inScope(scope, 'target')}`

export async function findTargets(db: DbOrTx, targets: Targets): Promise<ListedTarget[]> {
  const { rows } = await sql<ListedTarget>`
    select
      target.*,
      office.name as "officeName",
      account.username as agent,
      site.sitename,
      type.typename,
      (
        select count(*)::int from deliveries where target_id = target.id and state = 'missed'
      ) as missed,
      (
        select max(done_at) from deliveries where target_id = target.id and state = 'sent'
      ) as "lastSentAt"
    from postback_targets as target
    left join agents as agent on agent.id = target.agent_id
    left join accounts as account on account.agent_id = agent.id
    left join offices as office on office.id = coalesce(target.office_id, agent.office_id)
    left join sites as site on site.id = target.site_id
    left join link_types as type on type.id = target.type_id
    where ${among(targets)}
    order by target.id
  `.execute(db)
  return rows
}

/** Locked until the transaction ends. Undefined if it is not among these. */
export async function lockTarget(
  tx: Tx,
  targets: Targets,
  id: number,
): Promise<TargetRow | undefined> {
  const { rows } = await sql<TargetRow>`
    select target.* from postback_targets as target
    where target.id = ${id} and ${among(targets)}
    for update
  `.execute(tx)
  return rows[0]
}

/** Whether a target is among these. */
export async function isTargetAmong(db: Db, targets: Targets, id: number): Promise<boolean> {
  const { rows } = await sql`
    select target.id from postback_targets as target where target.id = ${id} and ${among(targets)}
  `.execute(db)
  return rows.length > 0
}

export async function updateTarget(
  tx: Tx,
  id: number,
  change: Partial<Omit<TargetRow, 'id' | 'office_id' | 'agent_id'>>,
): Promise<void> {
  await tx.updateTable('postback_targets').set(change).where('id', '=', id).execute()
}

export async function deleteTarget(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('postback_targets').where('id', '=', id).execute()
}

/** Counts a failed try, and returns the target as it then is. */
export const countFailure = (tx: Tx, id: number, now: Date): Promise<TargetRow | undefined> =>
  tx
    .updateTable('postback_targets')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      // The earlier one, as a clock that was ahead may have written the other.
      failing_since: sql<Date>`least(failing_since, ${now}::timestamptz)`,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/**
 * A target that has failed more than once, the first time at `since` or before, and whose owner was not told. Locked until the
 * transaction ends.
 */
export const lockUntold = (tx: Tx, since: Date): Promise<TargetRow | undefined> =>
  tx
    .selectFrom('postback_targets')
    .selectAll()
    .where('state', '=', 'on')
    .where('told_at', 'is', null)
    .where('failing_since', '<=', since)
    .where('failures', '>', 1)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Forgets the failures of a target that answers again. */
export async function endFailures(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('postback_targets')
    .modifyEnd(prepared)
    .set({ failures: 0, failing_since: null, told_at: null, wait_until: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('failures', '>', 0), eb('wait_until', 'is not', null)]))
    .execute()
}

/** The accounts that own a target, with their addresses: for one of the network, all superadmins. */
export async function findOwners(
  db: DbOrTx,
  { agent_id, office_id }: Pick<TargetRow, 'agent_id' | 'office_id'>,
): Promise<{ accountId: number; email: string | null }[]> {
  const ofNetwork = agent_id === null && office_id === null
  const { rows } = await sql<{ accountId: number; email: string | null }>`
    select account.id as "accountId", ${mailAddress} as email
    from accounts as account
    left join offices as office on office.id = account.office_id
    where account.agent_id = ${agent_id} or account.office_id = ${office_id}
      or (${ofNetwork} and account.role = ${roleNumber('superadmin')} and not account.suspended)
  `.execute(db)
  return rows
}

/** The webhooks with a secret that is not encrypted with the key whose values begin with `head`. */
export const findStaleSecrets = (tx: Tx, head: Buffer) =>
  tx
    .selectFrom('postback_targets')
    .select(['id', 'token', 'sealed_secret', 'former_secret'])
    .where((eb) =>
      eb.or(
        (['sealed_secret', 'former_secret'] as const).map(
          (column) => sql<boolean>`substr(${eb.ref(column)}, 1, ${head.length}) <> ${head}`,
        ),
      ),
    )
    .forUpdate()
    .execute()

/** The site of a link type. */
export async function findTypeSite(db: DbOrTx, typeId: number): Promise<number | undefined> {
  const type = await db
    .selectFrom('link_types')
    .select('site_id')
    .where('id', '=', typeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return type?.site_id
}
