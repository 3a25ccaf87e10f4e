import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import { roleNumber } from '@tallyroom/domain/roles'
import type { Proof } from '@tallyroom/domain/sign-ins'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { normalAddress } from '../../lib/net/ip-address.ts'
import { signSessionToken } from '../../lib/tokens.ts'
import { type Account, accountOf, whyClosed } from '../accounts/account.ts'
import { findOpenSession, insertSession } from './sessions.queries.ts'
import { deriveKey } from '../../lib/secrets.ts'

/** A browser that opens a session: the hash of its secret, and what sends it the cookie. */
export type Browser = { hash: Buffer; keep: () => void }

/** Starts a session, which is also an entry of the login logs, and returns its token. */
export async function openSession(
  tx: Tx,
  {
    account,
    ip,
    userAgent,
    now,
    secret,
    signedInBy,
    browserHash,
    provedBy,
    byPartner = false,
    browser,
    providerFactor,
  }: {
    account: Account
    ip: string
    userAgent: string
    now: Date
    secret: Buffer
    /** After *Sign in as*: the superadmin's account and their own session. */
    signedInBy?: { accountId: number; sessionId: string }
    /** Of the browser in which they asked, and may return. */
    browserHash?: Buffer | null
    /** How the holder has just proved themselves. A sign-in by a partner or the provider proves nothing. */
    provedBy?: ProvedBy | undefined
    byPartner?: boolean
    /** Without whose cookie the token is worth nothing. */
    browser?: Browser | undefined
    /** After the provider: whether a second factor was given, there or here. */
    providerFactor?: boolean
  },
): Promise<string> {
  const sid = randomUUID()
  const expiresAt = new Date(now.getTime() + sessionLifeMs)
  await insertSession(tx, {
    id: sid,
    account_id: account.accountId,
    started_at: now,
    last_seen_at: now,
    expires_at: expiresAt,
    ip: normalAddress(ip),
    user_agent: userAgent,
    signed_in_by: signedInBy?.accountId ?? null,
    signed_in_from: signedInBy?.sessionId ?? null,
    browser_hash: browserHash ?? null,
    proved_by: provedBy ?? null,
    proved_at: provedBy ? now : null,
    by_partner: byPartner,
    cookie_hash: browser?.hash ?? null,
    provider_factor: providerFactor ?? null,
  })
  browser?.keep()
  return tokenOf(account, { sid, secret, issuedAt: now, expiresAt })
}

/** A new token for an open session; undefined if it is not open. */
export async function resumeSession(
  { db, clock, secret }: Pick<Services, 'db' | 'clock' | 'secret'>,
  sessionId: string,
): Promise<string | undefined> {
  const now = clock.now()
  const seenAfter = new Date(now.getTime() - sessionIdleMs)
  const session = await findOpenSession(db, sessionId, { now, seenAfter })
  if (!session || whyClosed(session, now)) return undefined
  const { expires_at: expiresAt } = session
  return tokenOf(accountOf(session), { sid: sessionId, secret, issuedAt: now, expiresAt })
}

function tokenOf(
  { accountId, agentId, officeId, role }: Account,
  { sid, secret, ...times }: { sid: string; secret: Buffer; issuedAt: Date; expiresAt: Date },
): Promise<string> {
  const claims = {
    sid,
    accountId,
    agentId: agentId ?? null,
    companyId: officeId ?? null,
    role: roleNumber(role),
  }
  return signSessionToken(sessionTokenKey(secret), claims, times)
}

export type ProvedBy = Proof

/** A proof counts as recent for this long. */
export const provedForMs = 10 * 60 * 1000

/** A session ends after this time without use. */
export const sessionIdleMs = 12 * 60 * 60 * 1000

/** A session ends after this time, even if used. */
export const sessionLifeMs = 7 * 24 * 60 * 60 * 1000

/** Accuracy of the last use: one write per minute instead of per request. */
export const seenEveryMs = 60 * 1000

export const sessionTokenKey = (secret: Buffer): KeyObject =>
  createSecretKey(deriveKey(secret, 'session-token'))
