import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, invalidToken, notFound } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import type { Services } from '../../services.ts'
import { hashToken } from '../../lib/tokens.ts'
import { accountOf, whyClosed } from '../accounts/account.ts'
import { recordHand } from '../hands/record-hand.ts'
import { endSessions, findOrigin } from '../sessions/sessions.queries.ts'
import { type Browser, openSession, resumeSession } from '../sessions/open-session.ts'
import { isAskingBrowser, markBrowser } from './asking-browser.ts'
import { insertToken, takeToken } from './one-time-token.queries.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { readPartnerToken } from './partner-token.ts'
import { findAccountOf, findAccountByUsername, getAccount } from './sign-in.queries.ts'
import { refusalMessages, whyRefused } from './sign-in.ts'

type RemoteServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret'>

const lifeMs = 60 * 1000

/**
 * Creates a single-use token, valid for 60 seconds, with which a superadmin signs in as an office or agent, and the
 * cookie of the browser that asked, in which alone it works. It cannot be nested, as those may not do this.
 *
 * @throws NOT_FOUND; CONFLICT for an account that cannot be used at all.
 */
export async function signInAs(
  { config, db, clock }: Pick<Services, 'config' | 'db' | 'clock'>,
  viewer: Viewer,
  whose: { companyId: number } | { agentId: number },
): Promise<{ token: string; cookie: string }> {
  const now = clock.now()
  const account = await findAccountOf(db, whose)
  if (!account) throw notFound('companyId' in whose ? 'office' : 'agent')
  const closed = whyClosed(account, now)
  if (closed) throw conflict(refusalMessages[closed])

  const { browserHash, cookie } = markBrowser(config)
  const token = await makeOneTimeToken(db, {
    purpose: 'remote-login',
    accountId: account.id,
    expiresAt: new Date(now.getTime() + lifeMs),
    madeBy: viewer,
    browserHash,
  })
  return { token, cookie }
}

export type RemoteLogin = {
  token: string
  ip: string
  userAgent: string
  cookies: string | undefined
  /** Unless a program signs in. */
  browser?: Browser | undefined
  identify: (caller: Caller) => void
}

/**
 * Starts a session with a single-use token from {@link signInAs} or from a partner system.
 *
 * @throws VALIDATION_ERROR about `_form`, identical for every invalid token.
 */
export function loginRemote(
  services: RemoteServices,
  login: RemoteLogin,
): Promise<{ token: string }> {
  // Our own tokens contain no dots.
  return login.token.includes('.') ? loginFromPartner(services, login) : loginAs(services, login)
}

function loginAs(
  { config, db, secret }: RemoteServices,
  { token, ip, userAgent, cookies, browser, identify }: RemoteLogin,
): Promise<{ token: string }> {
  return inTransaction(db, async (tx) => {
    const { now } = tx
    const taken = await takeToken(tx, { hash: hashToken(token), purpose: 'remote-login', now })
    if (!taken || taken.madeBy === null || taken.madeIn === null) throw noLongerValid()
    identify({ accountId: taken.accountId, signedInBy: taken.madeBy })
    const { browserHash } = taken
    // Whoever holds a valid link may know that it is one. It isn't used up.
    if (!isAskingBrowser(config, cookies, browserHash)) throw onlyThere()
    const account = await getAccount(tx, taken.accountId)
    const closed = whyClosed(account, now)
    if (closed) throw invalid({ _form: [refusalMessages[closed]] })
    const signedInBy = { accountId: taken.madeBy, sessionId: taken.madeIn }
    await recordHand(tx, {
      accountId: account.id,
      kinds: ['signed in as'],
      by: { accountId: taken.madeBy, signedInBy: undefined },
      at: now,
    })
    return {
      token: await openSession(tx, {
        account: accountOf(account),
        ip,
        userAgent,
        now,
        secret,
        signedInBy,
        browserHash,
        browser,
      }),
    }
  })
}

async function loginFromPartner(
  services: RemoteServices,
  { token, ip, userAgent, browser, identify }: RemoteLogin,
): Promise<{ token: string }> {
  const { config, db, clock, log, secret } = services
  const now = clock.now()
  const claims = await readPartnerToken(config, token, now)
  const found = claims && (await findAccountByUsername(db, claims.username))
  if (!found) throw noLongerValid()
  const account = accountOf(found)
  // Partners may sign in offices and agents, never staff.
  if (account.role === 'superadmin' || account.role === 'admin') throw noLongerValid()

  identify({ accountId: found.id, signedInBy: undefined })
  const cause = await whyRefused({ db, config }, found, { ip }, now)
  if (cause) {
    log.info({ cause, accountId: found.id, ip }, 'sign-in by a partner refused')
    throw invalid({ _form: [refusalMessages[cause]] })
  }
  return inTransaction(db, async (tx) => {
    const isFirst = await insertToken(tx, {
      hash: hashToken(`partner ${claims.id}`),
      purpose: 'partner',
      accountId: found.id,
      expiresAt: claims.expiresAt,
    })
    if (!isFirst) throw noLongerValid()
    const visit = { ip, userAgent, browser, now: tx.now, secret, byPartner: true }
    return { token: await openSession(tx, { account, ...visit }) }
  })
}

/**
 * Ends a *Sign in as* session, and returns a new token for the superadmin's own session: only in the browser that asked
 * for *Sign in as*, as the session alone would be exchanged for more than it gives.
 *
 * @throws CONFLICT in a normal session; INVALID_TOKEN in another browser, or if the superadmin's session has ended.
 */
export async function returnToOwn(
  services: RemoteServices,
  { accountId, sessionId }: Viewer,
  { cookies, ip }: { cookies: string | undefined; ip: string },
): Promise<string> {
  const { config, db, clock, log } = services
  const origin = await findOrigin(db, sessionId)
  if (origin === undefined) throw conflict('You are signed in with your own account.')
  const isThere = isAskingBrowser(config, cookies, origin.browserHash)
  if (!isThere) log.warn({ accountId, ip }, 'a return from another browser was refused')
  const token = isThere ? await resumeSession(services, origin.sessionId) : undefined
  const reason = isThere ? 'returned' : 'other-browser'
  await endSessions(db, { sessionId }, { reason, now: clock.now() })
  if (token === undefined) throw invalidToken()
  return token
}

const onlyThere = () =>
  invalid({ _form: ['This sign-in link works only in the browser that asked for it.'] })

const noLongerValid = () =>
  invalid({ _form: ['This sign-in link is no longer valid. Please request a new one.'] })
