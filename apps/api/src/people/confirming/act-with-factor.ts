import type { FactorGiven } from '@tallyroom/contract/people/passkeys'
import { type FactorAct, factorActs } from '@tallyroom/domain/sign-in-rules'
import { createHash } from 'node:crypto'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { sendingNothing } from '../../db/do-once.ts'
import { inTransaction, nowOf } from '../../db/transaction.ts'
import { actNeedsFactor, conflict, forbidden } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { askedFor, readGiven, takeActFactor } from '../factors/act-factor.ts'
import { placeOf } from '../factors/passkey-place.ts'
import type { Signed } from '../factors/passkeys.ts'
import { factorsOf, isMissing, passkeyCopied } from '../factors/take-code.ts'
import { refuseAfterReset } from '../hands/who-may.ts'
import { tellOfFactor } from '../mail/tell-of-factor.ts'
import { refuseWithoutActFactor } from '../sign-in-rules/must-have-factor.ts'
import { countConfirmation, forgiveAttempt, uncountConfirmation } from '../auth/sign-in-waits.ts'

/** What the act of somebody takes who can give a second factor. Without a visit, nobody could. */
export type FactorServices = Pick<Services, 'db' | 'secret' | 'formerSecrets'> &
  Partial<Pick<Services, 'config'>>

/** Somebody who does an act, and what they gave for it. {@link withFactor} makes it. */
export type Giver = {
  services: FactorServices
  viewer: Viewer
  given: FactorGiven | undefined
  /** What became of it, in the last try of the transaction; undefined: nothing has looked at it. */
  found: 'right' | 'wrong' | 'copied' | undefined
}

/**
 * Does an act whose transaction calls {@link takeFactorFor}. Wrong codes and passkeys count as wrong passwords do, outside of the
 * act, which they roll back.
 *
 * @throws TOO_MANY_REQUESTS after repeated wrong ones
 */
export async function withFactor<T>(
  services: FactorServices,
  viewer: Viewer,
  act: (giver: Giver) => Promise<T>,
): Promise<T> {
  const { db } = services
  const { accountId, visit } = viewer
  const giver: Giver = { services, viewer, given: readGiven(visit?.factor), found: undefined }
  const counted =
    giver.given && !isMissing(giver.given)
      ? await sendingNothing(() => countConfirmation(db, accountId, nowOf(db)))
      : undefined
  try {
    return await act(giver)
  } catch (error) {
    // By now the act is rolled back.
    if (giver.found === 'copied') {
      const told = { config: configOf(services), secret: services.secret }
      await sendingNothing(() =>
        inTransaction(db, (tx) =>
          tellOfFactor(tx, told, { accountId, happened: 'passkey refused' }),
        ),
      )
    }
    throw error
  } finally {
    if (counted && giver.found === 'right') await sendingNothing(() => forgiveAttempt(db, counted))
    // It was no guess. Failures before it stay.
    if (counted && giver.found === undefined)
      await sendingNothing(() => uncountConfirmation(db, counted))
  }
}

function configOf({ config }: FactorServices): Services['config'] {
  if (!config) throw new Error('who calls from a host needs the configuration')
  return config
}

/** How somebody confirmed an act: `signed` is undefined for a code. */
export type ActFactor = { signed: Signed | undefined; byRecoveryCode: boolean }

/** What {@link takeFactorFor} is about where nothing of it is kept. */
export const hashOfAct = (
  act: FactorAct,
  ...decided: readonly (string | number | boolean | null)[]
) =>
  createHash('sha256')
    .update(JSON.stringify([act, ...decided]))
    .digest()

/**
 * Consumes the second factor of an act, in its transaction. Undefined for an account that has none and needs none: see
 * {@link factorActs}.
 *
 * @param about SHA-256 of what the act decides
 * @throws FACTOR_NEEDED if none was given, or a wrong one; CONFLICT if it was given for something else, or too late; FORBIDDEN
 * if the account has none, or none for this host name, or was reset some days ago; VALIDATION_ERROR if the passkey was copied
 */
export async function takeFactorFor(
  tx: Tx,
  giver: Giver,
  act: FactorAct,
  about: Buffer,
): Promise<ActFactor | undefined> {
  const { services, viewer, given } = giver
  const { accountId, visit } = viewer
  giver.found = undefined
  if (factorActs[act].endsWithDay) await refuseAfterReset(tx, accountId)
  const place = visit ? placeOf(configOf(services), visit.host) : { rpId: '', origin: '' }
  const ways = await factorsOf(tx, accountId, place)
  if (ways.length === 0) {
    await refuseWithoutActFactor(tx, act)
    return undefined
  }
  if (!factorActs[act].byRecoveryCode && ways.every((way) => way === 'passkey elsewhere'))
    throw forbidden(
      'No passkey of your account works on this address. Do this on the address that yours was added on, or add an authenticator app there: its codes work on every address.',
    )
  const asked = { accountId, place, act, about }
  if (!given) throw actNeedsFactor(await askedFor(tx, services, ways, asked))
  const verdict = await takeActFactor(tx, services, given, asked)
  switch (verdict.is) {
    case 'right': {
      giver.found = 'right'
      const { signed, byRecoveryCode } = verdict
      return { signed, byRecoveryCode }
    }
    case 'late':
      throw conflict(
        'Your second factor was asked for something else, or too long ago, or what you decide about has changed. Look at it again, and then repeat it.',
      )
    case 'copied':
      giver.found = 'copied'
      throw passkeyCopied()
    case 'wrong':
      giver.found = 'wrong'
      throw actNeedsFactor(await askedFor(tx, services, ways, asked), verdict.told)
  }
}
