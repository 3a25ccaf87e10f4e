import { roleNumber } from '@tallyroom/domain/roles'
import type { Proof } from '@tallyroom/domain/sign-ins'
import { type Insertable, sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { DB } from '../../db/types.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'
import { revokeTokensOf } from '../tokens/tokens.queries.ts'

/** Why a session ended, for the login logs. An expired session has no reason. */
export type EndReason =
  | 'logout'
  | 'returned'
  | 'other-browser'
  | 'suspended'
  | 'removed'
  | 'ended-by-holder'
  | 'login-blocked'
  | 'username-changed'
  | 'password-changed'
  | 'factor-reset'
  | 'disowned'
  | 'ended-by-staff'

/** Also updates the account's sign-in count and time for lists. */
export async function insertSession(
  tx: Tx,
  session: Insertable<DB['sessions']> & { account_id: number },
): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
  if (session.signed_in_by != null) return
  await tx
    .updateTable('accounts')
    .set({
      sign_in_count: sql`sign_in_count + 1`,
      last_sign_in_at: sql`greatest(last_sign_in_at, ${session.started_at})`,
    })
    .where('id', '=', session.account_id)
    .execute()
}

const factorRules = [
  'rules.superadmins',
  'rules.admins',
  'rules.payers',
  'rules.offices',
  'rules.agents',
] as const

/**
 * An open session that was used after `seenAfter`, with its account, and of whom a second factor is required. A *Sign in as* session ends with the
 * superadmin's own session.
 */
export const findOpenSession = (
  db: Db,
  sessionId: string,
  { now, seenAfter }: { now: Date; seenAfter: Date },
) =>
  selectAccounts(db)
    .modifyFront(prepared)
    .innerJoin('sessions', 'sessions.account_id', 'accounts.id')
    .leftJoin('sessions as origin', 'origin.id', 'sessions.signed_in_from')
    .leftJoin('accounts as signer', 'signer.id', 'sessions.signed_in_by')
    .innerJoin('sign_in_rules as rules', (join) => join.onTrue())
    .select([
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.signed_in_by',
      'sessions.proved_at',
      'sessions.by_partner',
      'sessions.cookie_hash',
      'sessions.provider_factor',
      'origin.provider_factor as origin_provider_factor',
      'accounts.must_change_password',
      ...factorRules,
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', seenAfter)
    .where((eb) =>
      eb.or([
        eb('sessions.signed_in_from', 'is', null),
        eb.and([
          eb('origin.ended_at', 'is', null),
          eb('origin.id', 'is not', null),
          eb('signer.role', '=', roleNumber('superadmin')),
        ]),
      ]),
    )
    .executeTakeFirst()

/**
 * The open sessions that the account's holder started, most recently used first. Excludes *Sign in as*
 * sessions, which only staff may see.
 */
export const findOwnSessions = (
  db: DbOrTx,
  accountId: number,
  { now, seenAfter }: { now: Date; seenAfter: Date },
) =>
  db
    .selectFrom('sessions')
    .select([
      'id',
      'ip',
      'user_agent',
      'started_at',
      'last_seen_at',
      'proved_by',
      'provider_factor',
    ])
    .$narrowType<{ proved_by: Proof | null }>()
    .where('account_id', '=', accountId)
    .where('signed_in_by', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenAfter)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()

/** A session, and those of an account that its holder opened and used since then. */
export const findSessionsSince = (
  db: DbOrTx,
  { sessionId, accountId, since }: { sessionId: string; accountId: number; since: Date },
) =>
  db
    .selectFrom('sessions')
    .select(['id', 'ip', 'user_agent'])
    .where((eb) =>
      eb.or([
        eb('id', '=', sessionId),
        eb.and([
          eb('account_id', '=', accountId),
          eb('signed_in_by', 'is', null),
          eb('last_seen_at', '>=', since),
        ]),
      ]),
    )
    .execute()

/** The superadmin's own session and the browser that asked, if this is a *Sign in as* session. */
export const findOrigin = (db: DbOrTx, sessionId: string) =>
  db
    .selectFrom('sessions')
    .select(['signed_in_from as sessionId', 'browser_hash as browserHash'])
    .where('id', '=', sessionId)
    .where('signed_in_from', 'is not', null)
    .$narrowType<{ sessionId: string }>()
    .executeTakeFirst()

export async function updateSessionSeen(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', now) // concurrent requests: the latest wins
    .execute()
}

export async function updateProof(
  tx: Tx,
  sessionId: string,
  proof: { by: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ proved_by: proof.by, proved_at: proof.at })
    .where('id', '=', sessionId)
    .execute()
}

/** How the holder of a session has proved themselves last; undefined if they have not. */
export async function findProof(tx: Tx, sessionId: string): Promise<string | undefined> {
  const session = await tx
    .selectFrom('sessions')
    .select('proved_by as provedBy')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.provedBy ?? undefined
}

/**
 * Ends one session, or all of some accounts except possibly one, together with the *Sign in as* sessions
 * started from them, and sign-ins that wait for a second factor. Of accounts also their API tokens, unless {@link keepsTokens}.
 * Takes effect on the next request in every process.
 */
export async function endSessions(
  db: DbOrTx,
  which: { sessionId: string } | { accountIds: readonly number[]; except?: string },
  { reason, now }: { reason: EndReason; now: Date },
): Promise<void> {
  if ('accountIds' in which && which.accountIds.length === 0) return
  let end = db
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('ended_at', 'is', null)
  end =
    'sessionId' in which
      ? end.where((eb) =>
          eb.or([eb('id', '=', which.sessionId), eb('signed_in_from', '=', which.sessionId)]),
        )
      : end.where(
          sql<boolean>`(
            account_id = any(${which.accountIds}::bigint[])
            or signed_in_by = any(${which.accountIds}::bigint[])
          )`,
        )
  if ('except' in which && which.except !== undefined) end = end.where('id', '<>', which.except)
  await end.execute()
  if (!('accountIds' in which)) return
  await deleteSteps(db, which.accountIds)
  if (!keepsTokens.has(reason)) await revokeTokensOf(db, which.accountIds, now)
}

/**
 * Otherwise, whoever knew a former password could have made one. A new password follows what was disowned, and staff who end
 * sessions alone were told that tokens stay.
 */
const keepsTokens = new Set<EndReason>(['username-changed', 'disowned', 'ended-by-staff'])

async function deleteSteps(db: DbOrTx, accountIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('sign_in_tokens')
    .where('purpose', 'in', ['second-factor', 'provider-factor'])
    .where(sql<boolean>`account_id = any(${accountIds}::bigint[])`)
    .execute()
}

/** Keeps the sessions of an account that is about to be deleted in the login logs. They must have ended. */
export async function keepSessionsOfRemoved(
  tx: Tx,
  { id, username }: { id: number; username: string },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ account_id: null, former_username: username })
    .where('account_id', '=', id)
    .execute()
}
