import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  type FactorAsked,
  factorGiven,
  type FactorGiven,
} from '@tallyroom/contract/people/passkeys'
import type { Factor } from '@tallyroom/domain/factors'
import { type FactorAct, factorActs } from '@tallyroom/domain/sign-in-rules'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { isAppCode } from './authenticator.ts'
import { isChallenge, makeChallenge } from './passkey-challenge.ts'
import type { Place } from './passkey-place.ts'
import { challengeFor, type Signed, signedOf, takePasskey } from './passkeys.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import type { SealingServices } from './sealed-secret.ts'
import { isMissing, takeAppCode, wrongCode, wrongFactor } from './take-code.ts'

/** An act of an account: where its holder is, and the SHA-256 of what they decide. */
export type FactoredAct = { accountId: number; place: Place; act: FactorAct; about: Buffer }

/** Reads what a call was sent again with. @throws VALIDATION_ERROR if it can't be read */
export function readGiven(header: string | undefined): FactorGiven | undefined {
  if (header === undefined) return undefined
  const read = factorGiven.safeParse(jsonOf(header))
  if (!read.success) throw invalid({ _form: ['The header second-factor can’t be read.'] })
  return read.data
}

function jsonOf(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** What an account is asked for that has these factors on this host name. */
export async function askedFor(
  tx: Tx,
  services: SealingServices,
  ways: readonly Factor[],
  { act, ...asked }: FactoredAct,
): Promise<FactorAsked> {
  const { accountId, about, place } = asked
  const passkey = ways.includes('passkey')
    ? await challengeFor(tx, services, { ...asked, purpose: 'act' }, tx.now)
    : null
  const bound = { purpose: 'act', whose: { accountId }, rpId: place.rpId, about } as const
  return {
    act,
    challenge: passkey?.challenge ?? makeChallenge(services, bound, tx.now),
    byCode: ways.includes('code'),
    passkey,
  }
}

/** `late`: for something else, for what it was before it changed, or after its five minutes. */
export type ActVerdict =
  | { is: 'right'; signed: Signed | undefined; byRecoveryCode: boolean }
  | { is: 'wrong'; told: FieldMessages }
  | { is: 'copied' | 'late' }

/** Consumes the second factor of an act, in its transaction. */
export async function takeActFactor(
  tx: Tx,
  services: SealingServices,
  given: FactorGiven,
  { accountId, place, act, about }: FactoredAct,
): Promise<ActVerdict> {
  const { rpId } = place
  const bound = { purpose: 'act', whose: { accountId }, about } as const
  if (!isChallenge(services, given.challenge, { ...bound, rpId }, tx.now)) return { is: 'late' }
  if (isMissing(given)) return { is: 'wrong', told: { code: ['Enter the code'] } }
  const { passkey, code } = given
  if (!passkey) return takeActCode(tx, services, { accountId, act, code })
  const verdict = await takePasskey(tx, services, passkey, { accountId, place, ...bound })
  if (verdict.is === 'copied') return { is: 'copied' }
  if (verdict.is === 'wrong') return { is: 'wrong', told: wrongFactor(given) }
  const signed = signedOf(passkey, { rpId, publicKey: verdict.publicKey })
  return { is: 'right', signed, byRecoveryCode: false }
}

async function takeActCode(
  tx: Tx,
  services: SealingServices,
  { accountId, act, code }: { accountId: number; act: FactorAct; code: string },
): Promise<ActVerdict> {
  const digits = code.replaceAll(/\s/g, '')
  const byRecoveryCode = !isAppCode(digits)
  if (byRecoveryCode && !factorActs[act].byRecoveryCode)
    return {
      is: 'wrong',
      told: { code: ['must be of your authenticator app: a recovery code doesn’t do here'] },
    }
  const isRight = byRecoveryCode
    ? await redeemRecoveryCode(tx, accountId, code)
    : await takeAppCode(tx, services, accountId, digits)
  return isRight
    ? { is: 'right', signed: undefined, byRecoveryCode }
    : { is: 'wrong', told: wrongCode() }
}
