import { createHmac } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { accountOf } from '../accounts/account.ts'
import { connectProvider } from '../auth/connect-provider.ts'
import { deviceOf, type KnownDevice } from '../auth/known-device.ts'
import { openOwnSession } from '../auth/open-own-session.ts'
import type { Browser } from '../sessions/open-session.ts'
import { readCookie, setCookie } from '../sessions/own-cookie.ts'
import {
  makeStep,
  refusalMessages,
  type SignedIn,
  type SignInStep,
  whyRefused,
} from '../auth/sign-in.ts'
import { lockAccountToSignIn } from '../auth/sign-in.queries.ts'
import { countAttempt, forgiveAttempt } from '../auth/sign-in-waits.ts'
import {
  type Bound,
  isChallenge,
  makeChallenge,
  takeChallenge,
} from '../factors/passkey-challenge.ts'
import type { Place } from '../factors/passkey-place.ts'
import {
  findLinkHolder,
  findStaffByMail,
  isLinked,
  updateLinkUse,
} from '../factors/provider-links.queries.ts'
import { factorsOf } from '../factors/take-code.ts'
import { isProviderOnly } from '../sign-in-rules/sign-in-rules.queries.ts'
import type { Bond, Provider, ProviderIdentity } from './provider.ts'

type ProviderServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret'>

const cookieName = 'provider'

/** How long somebody may take at the provider. */
const BOND_MS = 10 * 60_000

/**
 * Where the browser signs in at the provider, and the cookie of the browser in which alone that counts here.
 *
 * @throws CONFLICT at another address of the back office than the provider leads back to, or if the provider does not answer
 */
export async function beginAtProvider(
  { config, db, clock, log, secret }: ProviderServices,
  provider: Provider,
  { cookies, host }: { cookies: string | undefined; host: string },
): Promise<{ url: string; cookie: string }> {
  const office = new URL(config.publicUrl)
  // Some clients name the standard port, too.
  if (URL.parse(`${office.protocol}//${host}`)?.host !== office.host)
    throw conflict(`Signing in with ${provider.name} works at ${config.publicUrl}/login.`)
  // One for all of its tabs.
  const mark = readCookie(config, cookieName, cookies) ?? makeToken()
  const state = makeChallenge({ secret }, boundTo(mark, provider), clock.now(), BOND_MS)
  const url = await provider
    .urlFor(bondOf(secret, { state, mark }))
    .catch(async (error: unknown) => {
      log.warn({ error: wordsOf(error) }, 'the sign-in provider could not be asked')
      throw conflict(noAnswer(provider, await isProviderOnly(db)))
    })
  return { url, cookie: setCookie(config, cookieName, mark, BOND_MS / 1000) }
}

export type ProviderAttempt = {
  /** What the provider has sent the browser back with. */
  code: string
  state: string
  iss?: string | undefined
  /** With the mark of {@link beginAtProvider}. */
  cookies: string | undefined
  place: Place
  ip: string
  userAgent: string
  browser: Browser | undefined
  /** From the browser's cookie. */
  devices?: readonly KnownDevice[]
  identify?: (caller: Caller) => void
}

/**
 * Starts a session of staff who have signed in at the provider. The first time, the account is the one of staff with the
 * address that the provider has verified; from then on, it is known by issuer and subject. None is ever made. An account with
 * a second factor gets a step to it, as by `signIn`, unless the provider has just asked for one. The session proves nothing:
 * whatever asks for the password still does.
 *
 * @throws VALIDATION_ERROR about `_form`; TOO_MANY_REQUESTS after repeated failures
 */
export async function signInByProvider(
  services: ProviderServices,
  provider: Provider,
  attempt: ProviderAttempt,
): Promise<SignedIn | SignInStep> {
  const { config, db, clock, log, secret } = services
  const { state, cookies, place, ip, userAgent, browser, devices = [], identify } = attempt
  const mark = readCookie(config, cookieName, cookies)
  const keys = { secret, formerSecrets: [] }
  const isOurs =
    mark !== undefined && isChallenge(keys, state, boundTo(mark, provider), clock.now())
  if (!isOurs) throw refuse('state', startAgain)
  if (!(await inTransaction(db, (tx) => takeChallenge(tx, state))))
    throw refuse('state used before', startAgain)
  const username = `provider ${hashToken(mark).toString('hex')}`
  const counted = await countAttempt(db, {
    username,
    ip,
    device: undefined,
    now: clock.now(),
    secret,
  })

  const identity = await provider
    .identify(attempt, bondOf(secret, { state, mark }))
    .catch((error: unknown) => {
      log.warn({ error: wordsOf(error), ip }, 'a sign-in by the provider could not be verified')
      throw invalid({ _form: [notVerified(provider)] })
    })
  const known = await findLinkHolder(db, identity)
  const email = known === undefined ? await findEmail(identity) : undefined

  const signedIn = await inTransaction(db, async (tx): Promise<SignedIn | SignInStep> => {
    const accountId = known ?? (await match(tx, email))
    identify?.({ accountId, signedInBy: undefined })
    const row = await lockAccountToSignIn(tx, accountId)
    const role = row && accountOf(row).role
    if (!row || (role !== 'superadmin' && role !== 'admin'))
      throw refuse('no staff', noneOf(provider), accountId)
    const reason = await whyRefused({ db: tx, config }, row, { ip, byProvider: true }, tx.now)
    if (reason) throw refuse(reason, refusalMessages[reason], accountId)

    const { issuer, subject } = identity
    const link = { accountId, issuer, subject }
    const isKept = email === undefined ? await updateLinkUse(tx, link) : !(await isLinked(tx, link))
    if (!isKept) throw refuse('connected otherwise', otherwise(provider), accountId)

    const ways = identity.hasFactor ? [] : await factorsOf(tx, accountId, place)
    if (ways.length > 0) {
      const connects = email === undefined ? undefined : { issuer, subject, email }
      return { accountId, step: await makeStep(tx, accountId, 'provider-factor', connects), ways }
    }
    const device = deviceOf(devices, row)
    const visit = { ip, userAgent, browser, providerFactor: identity.hasFactor }
    const token = await openOwnSession(tx, services, { row, device, ...visit })
    if (email !== undefined && !(await connectProvider(tx, services, { ...link, email })))
      throw refuse('connected otherwise', otherwise(provider), accountId)
    return { token, accountId }
  })
  await forgiveAttempt(db, counted)
  return signedIn

  async function match(tx: Tx, address: string | undefined): Promise<number> {
    if (address === undefined) throw refuse('address not verified', notConfirmed(provider))
    const [accountId, another] = await findStaffByMail(tx, address)
    if (accountId === undefined) throw refuse('no account', noneOf(provider))
    if (another !== undefined) throw refuse('two accounts', several)
    return accountId
  }

  async function findEmail({ findEmail: find }: ProviderIdentity) {
    return find().catch((error: unknown) => {
      log.warn({ error: wordsOf(error), ip }, 'the sign-in provider did not tell an address')
      throw invalid({ _form: [notVerified(provider)] })
    })
  }

  function refuse(cause: string, told: string, accountId?: number) {
    log.info({ cause, accountId, ip }, 'sign-in by the provider refused')
    return invalid({ _form: [told] })
  }
}

const boundTo = (mark: string, { name }: Provider): Bound => ({
  purpose: 'provider',
  whose: { browser: hashToken(mark) },
  rpId: name,
})

/** Nothing of it is stored: without the browser's mark and our key, nobody can tell what follows from a state. */
function bondOf(secret: Buffer, { state, mark }: { state: string; mark: string }): Bond {
  const key = deriveKey(secret, 'provider')
  const follows = (what: string) =>
    createHmac('sha256', key).update(`${what}\n${mark}\n${state}`).digest('base64url')
  return { state, nonce: follows('nonce'), verifier: follows('verifier') }
}

/** What went wrong, without what the provider has sent: that may be a token. */
function wordsOf(error: unknown): string {
  const { code, message, cause }: { code?: unknown; message?: unknown; cause?: unknown } =
    Object(error)
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  return `${typeof code === 'string' ? `${code} ` : ''}${String(message)}${why}`.slice(0, 300)
}

const startAgain =
  'This sign-in was used before, took longer than ten minutes, or began in another browser. Start again.'

const noAnswer = ({ name }: Provider, isOnly: boolean) =>
  `${name} does not answer right now. Try again in a few minutes${isOnly ? '' : ', or sign in with your password'}.`

const notVerified = ({ name }: Provider) =>
  `What ${name} answered could not be verified. Start again. If it goes on, tell the people who run this back office.`

const notConfirmed = ({ name }: Provider) =>
  `${name} has not verified an email address of yours, so your account can’t be found by it. Ask those who run ${name}.`

const noneOf = ({ name }: Provider) =>
  `No account of staff here has the email address that ${name} knows you by. Ask a superadmin to correct it.`

const several =
  'Several accounts of staff here have this email address, so nobody can tell which is yours. Ask a superadmin to give each its own.'

const otherwise = ({ name }: Provider) =>
  `This account is connected to somebody else at ${name}. Disconnect it in your profile, or ask the operator to, on the command line.`
