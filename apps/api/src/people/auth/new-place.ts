import { DAY_MS } from '@tallyroom/domain/acts'
import type { SignInEvent } from '@tallyroom/domain/sign-ins'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { normalAddress } from '../../lib/net/ip-address.ts'
import { hashToken } from '../../lib/tokens.ts'
import { hasFactSince } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { deleteLinks } from '../factors/provider-links.queries.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellOfSignIn } from '../mail/tell-of-sign-in.ts'
import { describeBrowser } from '../sessions/own-sessions.ts'
import { endSessions } from '../sessions/sessions.queries.ts'
import { linkLifeMs } from './forgot.ts'
import { findToken, leadToPassword, takeToken } from './one-time-token.queries.ts'
import { linkWith, makeOneTimeToken } from './one-time-token.ts'

/** How long a holder can say that a sign-in wasn't theirs, by the link. */
const NOT_ME_DAYS = 7

/** Of wrong codes, one is told in this time. */
const WRONG_CODE_EVERY_MS = 60 * 60_000

type Visit = { ip: string; userAgent: string }

/**
 * Tells the holder, in bell and mail, that somebody with their password was there with a device that the account doesn't know,
 * with a link by which they end it: see {@link disownSignIn}. In the transaction that has locked the account; call this last.
 */
export async function tellOfNewPlace(
  tx: Tx,
  services: PostServices,
  { accountId, happened, ip, userAgent }: { accountId: number; happened: SignInEvent } & Visit,
): Promise<void> {
  const { now } = tx
  if (happened === 'wrong code') {
    const since = new Date(now.getTime() - WRONG_CODE_EVERY_MS)
    const fact = { kind: 'sign-in.noticed', subject: { happened } } as const
    if (await hasFactSince(tx, { accountId, fact, since })) return
  }
  const { email } = await getHolder(tx, accountId)
  const expiresAt = new Date(now.getTime() + NOT_ME_DAYS * DAY_MS)
  const about = { purpose: 'not-me', accountId, expiresAt } as const
  // A link is in no other mail than that to the account's own address.
  const token = email === null ? '' : await makeOneTimeToken(tx, { ...about, sentTo: email })
  await tellOfSignIn(tx, services, {
    accountId,
    happened,
    place: { browser: describeBrowser(userAgent), ip: normalAddress(ip) },
    link: { url: linkWith(services.config, '/not-me', token), days: NOT_ME_DAYS },
  })
}

/**
 * Ends every session of an account and disconnects it from the provider, by a link that {@link tellOfNewPlace} has mailed, and nothing else of it. From then on, the
 * same link sets a new password, if it went to the address that the account still has.
 *
 * @throws VALIDATION_ERROR about `_form` if the link was used or has expired.
 */
export async function disownSignIn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { token, identify }: { token: string; identify: (caller: Caller) => void },
): Promise<{ setsPassword: boolean }> {
  const which = { hash: hashToken(token), purpose: 'not-me' } as const
  const found = await findToken(db, { ...which, now: clock.now() })
  if (!found) throw noLongerValid()
  const { accountId } = found
  identify({ accountId, signedInBy: undefined })
  return inTransaction(db, async (tx) => {
    const { now } = tx
    const taken = await takeToken(tx, { ...which, now })
    if (!taken) throw noLongerValid()
    await endSessions(tx, { accountIds: [accountId] }, { reason: 'disowned', now })
    // Somebody else may have connected it.
    await deleteLinks(tx, accountId)
    const { email } = await getHolder(tx, accountId)
    const setsPassword = email !== null && taken.sentTo?.toLowerCase() === email.toLowerCase()
    if (setsPassword) await leadToPassword(tx, which.hash, new Date(now.getTime() + linkLifeMs))
    return { setsPassword }
  })
}

const noLongerValid = () =>
  invalid({ _form: ['This link has expired or was already used. Please set a new password.'] })
