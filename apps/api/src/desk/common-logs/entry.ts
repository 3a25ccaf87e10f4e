import type { ChangedField, ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { ActionType } from '@tallyroom/contract/endpoint'
import type { RoleNumber } from '@tallyroom/domain/roles'
import { createHash } from 'node:crypto'
import { canonicalIp } from '../../lib/net/ip-address.ts'

/** An entry of the common logs. Names are as of that time; later changes do not affect them. */
export type Entry = {
  /** Counts up from 1 without gaps. */
  id: number
  /** UTC with microseconds, `2026-03-01T15:00:00.000000Z`. Never earlier than the previous entry. */
  at: string
  accountId: number | null
  /** The superadmin in a *Sign in as* session. */
  actingAccountId: number | null
  role: RoleNumber | null
  /** The person who signed in. */
  username: string
  ip: string
  accountName: string
  agentId: number | null
  agentName: string
  officeId: number | null
  officeName: string
  actionType: ActionType
  actionName: string
  responseCode: number
  postParams: string
  getParams: string
  /**
   * The objects that the call changed, for searching; null if it changed none, or is older than
   * this field.
   */
  objects: readonly ObjectRef[] | null
  /** {@link Changes} as JSON text. */
  changes: string | null
  /** The name of the API token that made the call; null in a session. */
  tokenName: string | null
}

/** What a call changed. */
export type Changes = {
  /** The first of them. */
  of: readonly { ref: ObjectRef; name: string; fields: readonly ChangedField[] }[]
  /** How many more there are. */
  more: number
}

/** The hash before the first entry. */
export const NO_HASH = Buffer.alloc(32)

/** The hash of an entry: SHA-256 over the previous hash and all of its fields. */
export function hashOf(previousHash: Buffer, entry: Entry): Buffer {
  const text = JSON.stringify([
    entry.id,
    entry.at,
    entry.accountId,
    entry.actingAccountId,
    entry.role,
    entry.username,
    // In canonical form, as PostgreSQL formats some IPv6 addresses differently.
    canonicalIp(entry.ip) ?? entry.ip,
    entry.accountName,
    entry.agentId,
    entry.agentName,
    entry.officeId,
    entry.officeName,
    entry.actionType,
    entry.actionName,
    entry.responseCode,
    entry.postParams,
    entry.getParams,
    // Older entries, which lack them, are hashed without them.
    ...(entry.objects === null && entry.changes === null ? [] : [entry.objects, entry.changes]),
    ...(entry.tokenName === null ? [] : [{ token: entry.tokenName }]),
  ])
  return createHash('sha256').update(previousHash).update(text).digest()
}
