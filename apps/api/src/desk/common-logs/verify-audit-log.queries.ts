import type { ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { ActionType } from '@tallyroom/contract/endpoint'
import type { RoleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Link } from './audit-log.queries.ts'
import type { Entry } from './entry.ts'

/** The entries after an id with their links in the chain, in order. */
export async function findLinksAfter(tx: Tx, id: number, limit: number): Promise<Link[]> {
  const rows = await tx
    .selectFrom('audit_log')
    .select([
      'id',
      sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
      'account_id as accountId',
      'acting_account_id as actingAccountId',
      'role',
      'username',
      'ip',
      'account_name as accountName',
      'agent_id as agentId',
      'agent_name as agentName',
      'office_id as officeId',
      'office_name as officeName',
      'action_type as actionType',
      'action_name as actionName',
      'response_code as responseCode',
      'post_params as postParams',
      'get_params as getParams',
      'objects',
      'changes',
      'token_name as tokenName',
      'previous_hash as previousHash',
      'hash',
    ])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ previousHash, hash, ...entry }) => ({
    previousHash,
    hash,
    // Cast without checks: the hash proves whether these values were ever written.
    entry: {
      ...entry,
      ip: entry.ip ?? '',
      role: entry.role as RoleNumber | null,
      actionType: entry.actionType as ActionType,
      objects: entry.objects as ObjectRef[] | null,
    } satisfies Entry,
  }))
}
