import { randomUUID } from 'node:crypto'
import { roleNumber } from '@tallyroom/domain/roles'
import type { Tx } from '../../db/database.ts'
import { normalAddress } from '../../lib/ip-address.ts'
import { signSessionToken } from '../../lib/tokens.ts'
import type { Account } from '../accounts/index.ts'
import { lifeMs, sessionTokenKey } from './session-life.ts'
import { insertSession } from './sessions.queries.ts'

/** Opens a session, which is also a line of the login logs, and gives its token. */
export async function openSession(
  tx: Tx,
  {
    account,
    ip,
    userAgent,
    now,
    secret,
    signedInBy,
  }: {
    account: Account
    ip: string
    userAgent: string
    now: Date
    secret: Buffer
    /** The account of whoever signs in as this one, if it is not its holder. */
    signedInBy?: number
  },
): Promise<string> {
  const sid = randomUUID()
  const expiresAt = new Date(now.getTime() + lifeMs)
  await insertSession(tx, {
    id: sid,
    account_id: account.accountId,
    started_at: now,
    last_seen_at: now,
    expires_at: expiresAt,
    ip: normalAddress(ip),
    user_agent: userAgent,
    signed_in_by: signedInBy ?? null,
  })
  const claims = {
    sid,
    accountId: account.accountId,
    agentId: account.agentId ?? null,
    companyId: account.officeId ?? null,
    role: roleNumber(account.role),
  }
  return signSessionToken(sessionTokenKey(secret), claims, { issuedAt: now, expiresAt })
}
