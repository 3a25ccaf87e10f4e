import type { ActionType } from '@tallyroom/contract/endpoint'
import type { RoleNumber } from '@tallyroom/domain/roles'
import { createHash } from 'node:crypto'
import { canonicalIp } from '../../lib/ip-address.ts'

/** One line of the common logs. Names are as they were then; later changes leave them alone. */
export type Entry = {
  /** Counts from 1 without a gap. */
  id: number
  /** UTC with microseconds, `2026-03-01T15:00:00.000000Z`; never before the entry with the id before. */
  at: string
  accountId: number | null
  /** The superadmin who was signed in as that account. */
  actingAccountId: number | null
  role: RoleNumber | null
  /** Who was there in person. */
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
  /** JSON text. */
  postParams: string
  getParams: string
}

/** What the first entry follows. */
export const NO_HASH = Buffer.alloc(32)

/** The link of the chain: SHA-256 over the entry before and everything that this one says. */
export function hashOf(previousHash: Buffer, entry: Entry): Buffer {
  const text = JSON.stringify([
    entry.id,
    entry.at,
    entry.accountId,
    entry.actingAccountId,
    entry.role,
    entry.username,
    // One spelling: PostgreSQL writes some IPv6 addresses in another.
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
  ])
  return createHash('sha256').update(previousHash).update(text).digest()
}
