import type { FieldMessages } from '@tallyroom/contract/errors'
import type { PasskeyAnswer } from '@tallyroom/contract/people/passkeys'
import type { Factor } from '@tallyroom/domain/factors'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellOfFactor } from '../mail/tell-of-factor.ts'
import type { ProvedBy } from '../sessions/open-session.ts'
import { isAppCode, stepOf } from './authenticator.ts'
import { findAuthenticator, takeStep } from './factors.queries.ts'
import type { Place } from './passkey-place.ts'
import { takePasskey } from './passkeys.ts'
import { findPasskeys } from './passkeys.queries.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { openSecret, type SealingServices } from './sealed-secret.ts'

/**
 * What an account is asked for besides its password: any of these, or a recovery code.
 *
 * @param place of the browser that is asked; undefined if it doesn't matter which of them work there.
 */
export async function factorsOf(db: DbOrTx, accountId: number, place?: Place): Promise<Factor[]> {
  const passkeys = await findPasskeys(db, accountId)
  const isHere = passkeys.some(({ rpId }) => place === undefined || rpId === place.rpId)
  return [
    ...(isHere ? (['passkey'] as const) : []),
    ...((await findAuthenticator(db, accountId)) ? (['code'] as const) : []),
    ...(passkeys.length > 0 && !isHere ? (['passkey elsewhere'] as const) : []),
  ]
}

/**
 * Consumes a code of an account's second factor, in the transaction of what it allows: a code of its authenticator app, or
 * a recovery code. Call {@link tellOfUse} at the end of it. Undefined if the code is wrong or was used: see {@link wrongCode}.
 */
async function takeCode(
  tx: Tx,
  services: SealingServices,
  { accountId, code }: { accountId: number; code: string },
): Promise<ProvedBy | undefined> {
  const digits = code.replaceAll(/\s/g, '')
  if (isAppCode(digits)) {
    if (await takeAppCode(tx, services, accountId, digits)) return 'password and code'
  } else if (await redeemRecoveryCode(tx, accountId, code)) {
    return 'password and recovery code'
  }
  return undefined
}

/** What somebody enters besides the password: what a passkey has signed, or a code. */
export type GivenFactor = { code: string; passkey?: PasskeyAnswer | undefined }

/** Whether nothing was entered, which is no wrong guess. */
export const isMissing = ({ code, passkey }: GivenFactor): boolean =>
  passkey === undefined && code === ''

export const factorNeeded = () => invalid({ code: ['Enter the code'] })

/**
 * Consumes a second factor beside the password, as {@link takeCode} does a code. `copied`: by a passkey that somebody else has,
 * too, and that allows nothing; commit the transaction with {@link tellOfUse}, and throw {@link passkeyCopied} then. Undefined
 * if it is wrong: see {@link wrongFactor}.
 */
export async function takeFactor(
  tx: Tx,
  services: SealingServices,
  {
    accountId,
    given: { code, passkey },
    ...asked
  }: { accountId: number; given: GivenFactor; purpose: 'step' | 'proof'; place: Place },
): Promise<ProvedBy | 'copied' | undefined> {
  if (!passkey) return takeCode(tx, services, { accountId, code })
  const whose = { accountId }
  const { is } = await takePasskey(tx, services, passkey, { accountId, whose, ...asked })
  if (is === 'copied') return is
  return is === 'right' ? 'password and passkey' : undefined
}

/** The refusal of a second factor. */
export const wrongFactor = ({ passkey }: GivenFactor): FieldMessages =>
  passkey ? { passkey: ['The passkey was not accepted. Try again'] } : wrongCode()

export const passkeyCopied = () =>
  invalid({
    passkey: [
      'This passkey was refused, as somebody may have copied it. Sign in another way, and remove it from your profile',
    ],
  })

/** The refusal of a code. */
export const wrongCode = () => ({ code: ['is wrong, or was used before: enter the next one'] })

/** Tells the holder of a recovery code that was used, and of a passkey that was copied: it may not have been them. */
export async function tellOfUse(
  tx: Tx,
  services: PostServices,
  { accountId, provedBy }: { accountId: number; provedBy: ProvedBy | 'copied' },
): Promise<void> {
  if (provedBy === 'copied')
    await tellOfFactor(tx, services, { accountId, happened: 'passkey refused' })
  if (provedBy === 'password and recovery code')
    await tellOfFactor(tx, services, { accountId, happened: 'recovery code used' })
}

/** Consumes a code of an account's authenticator app. False if it is wrong or was used. */
export async function takeAppCode(
  tx: Tx,
  services: SealingServices,
  accountId: number,
  digits: string,
): Promise<boolean> {
  const found = await findAuthenticator(tx, accountId)
  const secret = found && openSecret(services, accountId, found.sealed)
  const step = secret === undefined ? undefined : stepOf(secret, digits, tx.now)
  return step !== undefined && (await takeStep(tx, accountId, step))
}
