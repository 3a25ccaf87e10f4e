import { brandOf } from '@tallyroom/domain/brands/index'
import { MOST_PASSKEYS, type NewPasskey } from '@tallyroom/contract/people/passkeys'
import type { FactorEvent } from '@tallyroom/domain/factors'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { asHolder, confirmHolder, type Given, stillHolder } from '../auth/confirm-holder.ts'
import {
  type ActFactor,
  type Giver,
  hashOfAct,
  takeFactorFor,
  withFactor,
} from '../confirming/act-with-factor.ts'
import {
  authenticatorUri,
  BEGUN_MS,
  makeAuthenticatorSecret,
  stepOf,
} from '../factors/authenticator.ts'
import {
  addAuthenticatorOf,
  beginAuthenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodes,
  findAuthenticator,
  findBegun,
} from '../factors/factors.queries.ts'
import { addPasskeyTo, removePasskeys } from '../factors/change-passkeys.ts'
import { CHALLENGE_MS } from '../factors/passkey-challenge.ts'
import type { Place } from '../factors/passkey-place.ts'
import { creationOf, readNewPasskey } from '../factors/passkeys.ts'
import { findPasskeys } from '../factors/passkeys.queries.ts'
import { makeRecoveryCodes } from '../factors/recovery-codes.ts'
import { openSecret, sealSecret } from '../factors/sealed-secret.ts'
import { factorsOf, tellOfUse, wrongCode } from '../factors/take-code.ts'
import { refuseWithoutFactor } from '../sign-in-rules/must-have-factor.ts'
import { tellOfFactor } from '../mail/tell-of-factor.ts'
import { findProof } from '../sessions/sessions.queries.ts'
import { barAfterRecovery, tellOfRecovery } from './bar-after-recovery.ts'

type FactorServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** The viewer's second factors, as their profile has them. */
export async function getOwnFactors({ db }: Pick<Services, 'db'>, { accountId }: Viewer) {
  const authenticator = await findAuthenticator(db, accountId)
  const passkeys = await findPasskeys(db, accountId)
  return {
    authenticatorAddedAt: authenticator?.addedAt.toISOString() ?? null,
    passkeys: passkeys.map(({ id, name, rpId, addedAt, lastUsedAt }) => ({
      id,
      name,
      host: rpId,
      addedAt: addedAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await countRecoveryCodes(db, accountId),
  }
}

/**
 * Makes a secret for an authenticator app, which counts once {@link confirmAuthenticator} has got a code of it.
 *
 * @throws CONFLICT if the account has an app; as `confirmHolder`.
 */
export async function beginAuthenticator(
  services: FactorServices,
  viewer: Viewer,
): Promise<{ secret: string; uri: string }> {
  const { accountId, username } = viewer
  const secret = makeAuthenticatorSecret()
  await changing(services, viewer, async (tx) => {
    const sealed = sealSecret(services, accountId, secret)
    if (!(await beginAuthenticatorOf(tx, accountId, { sealed, at: tx.now })))
      throw conflict('Your account has an authenticator app. Remove it first.')
  })
  const issuer = brandOf(services.config.brand).name
  return { secret, uri: authenticatorUri(secret, { issuer, username }) }
}

/**
 * Adds the app that was begun with. Its first code is used up by this. Returns the recovery codes if there were none left.
 *
 * @throws VALIDATION_ERROR about `code`, or about `_form` if none was begun with; as {@link adding}.
 */
export async function confirmAuthenticator(
  services: FactorServices,
  viewer: Viewer,
  code: string,
): Promise<string[]> {
  const { accountId } = viewer
  return adding(services, viewer, 'authenticator added', async (tx, giver) => {
    const { now } = tx
    const begun = await findBegun(tx, accountId, new Date(now.getTime() - BEGUN_MS))
    const secret = begun && openSecret(services, accountId, begun.sealed)
    if (!begun || secret === undefined)
      throw invalid({ _form: ['This took too long. Please start again.'] })
    // Its secret is the caller's own, and who confirms with something else types this code first.
    const step = stepOf(secret, code.replaceAll(/\s/g, ''), now, giver.given ? CHALLENGE_MS : 0)
    if (step === undefined) throw invalid(wrongCode())
    const about = hashOfAct('add factor', begun.sealed.toString('base64url'))
    const factor = await takeFactorFor(tx, giver, 'add factor', about)
    await addAuthenticatorOf(tx, accountId, { step, at: now })
    return factor
  })
}

/**
 * Removes the app, by password and second factor, however recently they were entered. With the last factor, the recovery
 * codes go.
 *
 * @throws NOT_FOUND; as `asHolder` and {@link refuseWithoutFactor}
 */
export async function removeAuthenticator(
  services: FactorServices,
  viewer: Viewer,
  entered: { given: Given; place: Place },
): Promise<void> {
  const { accountId } = viewer
  if (!(await findAuthenticator(services.db, accountId))) throw notFound('authenticator app')
  await removing(services, viewer, entered, {
    happened: 'authenticator removed',
    remove: (tx) => deleteAuthenticator(tx, accountId),
  })
}

/**
 * What a browser makes a passkey from, which counts once {@link addPasskey} has got it.
 *
 * @throws CONFLICT on an IP address, or if the account has many; as `confirmHolder`.
 */
export const beginPasskey = (services: FactorServices, viewer: Viewer, place: Place) =>
  changing(services, viewer, async (tx) => {
    const { accountId, username } = viewer
    await refuseMore(tx, accountId)
    const brand = brandOf(services.config.brand).name
    return creationOf(tx, services, { accountId, username, brand, place })
  })

/**
 * Adds a passkey. Returns the recovery codes if there were none left.
 *
 * @throws VALIDATION_ERROR about `_form` if it is not one; CONFLICT as {@link beginPasskey}; as {@link adding}.
 */
export const addPasskey = (
  services: FactorServices,
  viewer: Viewer,
  { name, made, place }: { name: string; made: NewPasskey; place: Place },
): Promise<string[]> =>
  adding(services, viewer, 'passkey added', async (tx, giver) => {
    const { accountId } = viewer
    await refuseMore(tx, accountId)
    const read = await readNewPasskey(tx, services, made, { accountId, place })
    if (!read)
      throw invalid({ _form: ['The passkey was not accepted, or this took too long. Try again.'] })
    const decided = [read.credentialId, read.publicKey].map((bytes) => bytes.toString('base64url'))
    const about = hashOfAct('add factor', ...decided)
    const factor = await takeFactorFor(tx, giver, 'add factor', about)
    const added = { ...read, name, rpId: place.rpId, at: tx.now }
    if (!(await addPasskeyTo(tx, accountId, added)))
      throw conflict('This passkey was added before.')
    return factor
  })

/**
 * Removes a passkey, as {@link removeAuthenticator} does an app.
 *
 * @throws NOT_FOUND; as `asHolder`
 */
export async function removePasskey(
  services: FactorServices,
  viewer: Viewer,
  id: number,
  entered: { given: Given; place: Place },
): Promise<void> {
  const { accountId } = viewer
  const present = await findPasskeys(services.db, accountId)
  if (!present.some((one) => one.id === id)) throw notFound('passkey')
  await removing(services, viewer, entered, {
    happened: 'passkey removed',
    remove: async (tx) => {
      if (!(await removePasskeys(tx, { accountId, id }))) throw notFound('passkey')
    },
  })
}

/** Removes a factor by password and second factor; by a recovery code, with its effect. */
const removing = (
  services: FactorServices,
  viewer: Viewer,
  entered: { given: Given; place: Place },
  { happened, remove }: { happened: FactorEvent; remove: (tx: Tx) => Promise<void> },
): Promise<void> =>
  asHolder(services, viewer, entered, async (tx, provedBy) => {
    await remove(tx)
    await refuseWithoutFactor(tx, viewer)
    await dropRecoveryCodes(tx, viewer.accountId)
    await tellOfFactorChange(tx, services, viewer, {
      happened,
      byRecoveryCode: provedBy === 'password and recovery code',
    })
  })

/** Tells the holder of a change of their factors. By a recovery code, it bars the account. Call this last. */
async function tellOfFactorChange(
  tx: Tx,
  services: FactorServices,
  viewer: Viewer,
  { happened, byRecoveryCode }: { happened: FactorEvent; byRecoveryCode: boolean },
): Promise<void> {
  const { accountId } = viewer
  if (byRecoveryCode) await barAfterRecovery(tx, viewer)
  await tellOfFactor(tx, services, { accountId, happened })
  if (byRecoveryCode) await tellOfRecovery(tx, services, viewer)
}

async function refuseMore(tx: Tx, accountId: number): Promise<void> {
  if ((await findPasskeys(tx, accountId)).length >= MOST_PASSKEYS)
    throw conflict(`Your account has ${MOST_PASSKEYS} passkeys. Remove one first.`)
}

/** Recovery codes for an account that has none left, or nothing. */
const firstRecoveryCodes = async (tx: Tx, accountId: number): Promise<string[]> =>
  (await countRecoveryCodes(tx, accountId)) > 0 ? [] : makeRecoveryCodes(tx, accountId)

/** With the last factor, its recovery codes go. */
async function dropRecoveryCodes(tx: Tx, accountId: number): Promise<void> {
  if ((await factorsOf(tx, accountId)).length === 0) await deleteRecoveryCodes(tx, accountId)
}

/**
 * Makes new recovery codes with the factor that the account has, or with one of the former codes, as {@link adding}.
 *
 * @throws CONFLICT without a second factor; as {@link adding}
 */
export const renewRecoveryCodes = (services: FactorServices, viewer: Viewer): Promise<string[]> =>
  changingWithFactor(services, viewer, 'recovery codes made', async (tx, giver) => {
    const { accountId } = viewer
    const act = 'new recovery codes'
    if ((await factorsOf(tx, accountId)).length === 0)
      throw conflict('Add a second factor first. Recovery codes stand in for it.')
    const byLastCode = !giver.given && (await enteredLastCode(tx, viewer))
    const factor = byLastCode
      ? undefined
      : await takeFactorFor(tx, giver, act, hashOfAct(act, accountId))
    return { factor, byLastCode, codes: await makeRecoveryCodes(tx, accountId) }
  })

/** Whether the session was proved with the account's last recovery code, so that there is none to give. */
const enteredLastCode = async (tx: Tx, { accountId, sessionId }: Viewer): Promise<boolean> =>
  (await countRecoveryCodes(tx, accountId)) === 0 &&
  (await findProof(tx, sessionId)) === 'password and recovery code'

/**
 * Adds a factor with the one that the account has, or with a recovery code, which lets it approve nothing for some days. Returns
 * the recovery codes if there were none left.
 *
 * @throws as `takeFactorFor` and `confirmHolder`
 */
const adding = (
  services: FactorServices,
  viewer: Viewer,
  happened: FactorEvent,
  add: (tx: Tx, giver: Giver) => Promise<ActFactor | undefined>,
): Promise<string[]> =>
  changingWithFactor(services, viewer, happened, async (tx, giver) => {
    const factor = await add(tx, giver)
    return { factor, codes: await firstRecoveryCodes(tx, viewer.accountId) }
  })

/** `byLastCode`: with the recovery code by which the session was proved. */
type Changed = { factor: ActFactor | undefined; byLastCode?: boolean; codes: string[] }

/** Changes the factors of an account with the one that it has, and tells its holder. Returns new recovery codes. */
const changingWithFactor = (
  services: FactorServices,
  viewer: Viewer,
  happened: FactorEvent,
  change: (tx: Tx, giver: Giver) => Promise<Changed>,
): Promise<string[]> =>
  withFactor(services, viewer, (giver) =>
    changing(services, viewer, async (tx) => {
      const { factor, byLastCode = false, codes } = await change(tx, giver)
      const byGivenCode = factor?.byRecoveryCode === true
      const byRecoveryCode = byGivenCode || byLastCode
      await tellOfFactorChange(tx, services, viewer, { happened, byRecoveryCode })
      if (byGivenCode) {
        const { accountId } = viewer
        await tellOfUse(tx, services, { accountId, provedBy: 'password and recovery code' })
      }
      return codes
    }),
  )

/** Changes the factors of whoever has just proved to be the holder, with the account's row locked. */
async function changing<T>(
  services: FactorServices,
  viewer: Viewer,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const confirmation = await confirmHolder(services, viewer)
  return inTransaction(services.db, async (tx) => {
    await stillHolder(tx, viewer, confirmation)
    return change(tx)
  })
}
