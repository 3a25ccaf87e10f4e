import { type RoleNumber, roleFromNumber, roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Entry } from './entry.ts'

/** The end of the chain. */
export type Head = { id: number; at: Date; hash: Buffer }

/** Returns the last entry, and locks the chain until the transaction ends. */
export async function lockHead(tx: Tx): Promise<Head> {
  return tx
    .selectFrom('audit_head')
    .select(['last_id as id', 'last_at as at', 'last_hash as hash'])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function findHead(db: DbOrTx): Promise<Head> {
  return db
    .selectFrom('audit_head')
    .select(['last_id as id', 'last_at as at', 'last_hash as hash'])
    .executeTakeFirstOrThrow()
}

/** An entry with its links in the chain. */
export type Link = { entry: Entry; previousHash: Buffer; hash: Buffer }

/** Appends entries to the chain, which then ends with `head`. */
export async function insertEntries(tx: Tx, links: readonly Link[], head: Head): Promise<void> {
  await tx
    .with('moved', (moving) =>
      moving
        .updateTable('audit_head')
        .set({ last_id: head.id, last_at: head.at, last_hash: head.hash }),
    )
    .insertInto('audit_log')
    .values(
      links.map(({ entry, previousHash, hash }) => ({
        id: entry.id,
        at: entry.at,
        account_id: entry.accountId,
        acting_account_id: entry.actingAccountId,
        role: entry.role,
        username: entry.username,
        ip: entry.ip,
        account_name: entry.accountName,
        agent_id: entry.agentId,
        agent_name: entry.agentName,
        office_id: entry.officeId,
        office_name: entry.officeName,
        action_type: entry.actionType,
        action_name: entry.actionName,
        response_code: entry.responseCode,
        post_params: entry.postParams,
        get_params: entry.getParams,
        objects: entry.objects === null ? null : [...entry.objects],
        changes: entry.changes,
        token_name: entry.tokenName,
        previous_hash: previousHash,
        hash,
      })),
    )
    .execute()
}

/** The names of an account in the common logs. */
export type CallerNames = {
  username: string
  role: RoleNumber | null
  agentId: number | null
  /** The agent's full name, or the username if there is none. */
  agentName: string
  officeId: number | null
  officeName: string
}

/** The existing accounts among these ids. */
export async function findCallers(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CallerNames>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('accounts as account')
    .modifyFront(prepared)
    .leftJoin('agents as agent', 'agent.id', 'account.agent_id')
    .leftJoin('offices as office', (join) =>
      join.on('office.id', '=', sql`coalesce(account.office_id, agent.office_id)`),
    )
    .select((eb) => [
      'account.id',
      'account.username',
      'account.role',
      'account.agent_id as agentId',
      sql<string | null>`nullif(btrim(agent.first_name || ' ' || agent.last_name), '')`.as(
        'fullName',
      ),
      'office.id as officeId',
      eb.fn.coalesce('office.name', sql<string>`''`).as('officeName'),
    ])
    .where(sql<boolean>`account.id = any(${[...new Set(ids)]}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ id, role: number, fullName, ...names }) => {
      const role = roleFromNumber(number)
      const agentName = names.agentId === null ? '' : (fullName ?? names.username)
      return [id, { ...names, agentName, role: role ? roleNumber(role) : null }]
    }),
  )
}
