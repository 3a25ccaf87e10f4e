import type { NewPasskey, PasskeyAnswer } from '@tallyroom/contract/people/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  aboutOf,
  type Bound,
  CHALLENGE_MS,
  isChallenge,
  makeChallenge,
  takeChallenge,
} from './passkey-challenge.ts'
import type { Place } from './passkey-place.ts'
import { findPasskeys, lockPasskey, updatePasskeyUse } from './passkeys.queries.ts'

type Keys = Pick<Services, 'secret' | 'formerSecrets'>

/** COSE's numbers of EdDSA, ES256 and RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257]

/**
 * What a passkey of an account signs beside its password. The device need not ask for more than a touch, as the password
 * has been asked for.
 *
 * @throws CONFLICT if it has none for this host name
 */
export async function challengeFor(
  db: DbOrTx,
  { secret }: Pick<Keys, 'secret'>,
  {
    accountId,
    place,
    ...bound
  }: { accountId: number; purpose: 'step' | 'proof' | 'act'; place: Place; about?: Buffer },
  now: Date,
) {
  const allowed = (await findPasskeys(db, accountId)).filter(({ rpId }) => rpId === place.rpId)
  if (allowed.length === 0) throw conflict('No passkey of your account works on this address.')
  const whole = { ...bound, whose: { accountId }, rpId: place.rpId }
  return {
    challenge: makeChallenge({ secret }, whole, now),
    rpId: place.rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'preferred' as const,
    allowCredentials: allowed.map(describe),
  }
}

/** What any passkey of this host name signs, which the device has asked its owner for a PIN, a finger or a face for. */
export const challengeAnybody = (
  { secret }: Pick<Keys, 'secret'>,
  { browser, place }: { browser: Buffer; place: Place },
  now: Date,
) => ({
  challenge: makeChallenge(
    { secret },
    { purpose: 'sign-in', whose: { browser }, rpId: requireName(place) },
    now,
  ),
  rpId: place.rpId,
  timeout: CHALLENGE_MS,
  userVerification: 'required' as const,
  allowCredentials: [],
})

/** What a browser makes a passkey from. Devices keep one for each account and host name. */
export async function creationOf(
  tx: Tx,
  { secret }: Pick<Keys, 'secret'>,
  {
    accountId,
    username,
    brand,
    place,
  }: { accountId: number; username: string; brand: string; place: Place },
) {
  const rpId = requireName(place)
  const present = (await findPasskeys(tx, accountId)).filter((one) => one.rpId === rpId)
  const bound = { purpose: 'add', whose: { accountId }, rpId } as const
  return {
    challenge: makeChallenge({ secret }, bound, tx.now),
    rp: { id: rpId, name: brand },
    user: { id: handleOf(accountId), name: username, displayName: username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: present.map(describe),
    authenticatorSelection: {
      residentKey: 'preferred' as const,
      userVerification: 'preferred' as const,
    },
    attestation: 'none' as const,
  }
}

/** Verifies a passkey that was made from {@link creationOf}, and consumes its challenge. Undefined if it is not one. */
export async function readNewPasskey(
  tx: Tx,
  keys: Keys,
  made: NewPasskey,
  { accountId, place }: { accountId: number; place: Place },
) {
  const bound = { purpose: 'add', whose: { accountId }, rpId: requireName(place) } as const
  const credential = await verifiedCredential(keys, made, { bound, place, now: tx.now })
  // What is signed names the credential; `id` beside it is not signed.
  if (credential?.id !== made.id) return undefined
  if (!(await takeChallenge(tx, challengeIn(made.clientDataJSON)))) return undefined
  const { publicKey, counter } = credential
  return {
    credentialId: bytesOf(made.id),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: made.transports,
  }
}

/** The credential that a device has made; undefined if it is not for this. */
async function verifiedCredential(
  keys: Keys,
  { id, attestationObject, clientDataJSON, transports }: NewPasskey,
  { bound, place, now }: { bound: Bound; place: Place; now: Date },
) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          attestationObject: withoutStatement(attestationObject),
          clientDataJSON,
          transports,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: (challenge) => isChallenge(keys, challenge, bound, now),
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return verified ? registrationInfo.credential : undefined
  } catch {
    // The library throws at everything that is not as it should be.
    return undefined
  }
}

/**
 * What a device has made, less what it says of its maker. We don't ask for that, and who sends it nevertheless would have the
 * library call the addresses that stand in the certificates. @throws if this is no attestation object
 */
function withoutStatement(attestationObject: string): string {
  const sent = decodeAttestationObject(new Uint8Array(bytesOf(attestationObject)))
  const kept = isoCBOR.encode(
    new Map<string, string | Map<never, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', sent.get('authData')],
    ]),
  )
  return Buffer.from(kept).toString('base64url')
}

/** `copied`: signed by the right key, whose counter says that another device has it, too. */
export type PasskeyVerdict =
  | { is: 'right'; withPasswordAt: Date; publicKey: Buffer }
  | { is: 'wrong' }
  | { is: 'copied' }

/**
 * Verifies what a passkey of an account has signed, and consumes its challenge unless it is wrong. The transaction decides
 * what it allows; one that was copied allows nothing, and its holder is to be told.
 */
export async function takePasskey(
  tx: Tx,
  keys: Keys,
  answer: PasskeyAnswer,
  {
    accountId,
    place,
    ...bound
  }: { accountId: number; place: Place } & Pick<Bound, 'purpose' | 'whose' | 'about'>,
): Promise<PasskeyVerdict> {
  const which = { credentialId: bytesOf(answer.id), rpId: place.rpId }
  const found = place.rpId === '' ? undefined : await lockPasskey(tx, accountId, which)
  if (!found) return { is: 'wrong' }
  const isAlone = bound.purpose === 'sign-in'
  const isOwn = answer.userHandle === handleOf(accountId)
  if (!isOwn && (isAlone || answer.userHandle !== undefined)) return { is: 'wrong' }
  const counter = await verifiedCounter(keys, answer, found.publicKey, {
    bound: { ...bound, rpId: place.rpId },
    place,
    mustVerifyUser: isAlone,
    now: tx.now,
  })
  if (counter === undefined) return { is: 'wrong' }
  if (!(await takeChallenge(tx, challengeIn(answer.clientDataJSON)))) return { is: 'wrong' }
  // Most devices count nothing: their passkeys are on several, by intent.
  if ((counter > 0 || found.counter > 0) && counter <= found.counter) return { is: 'copied' }
  // An act may be done in a session that a passkey alone has opened.
  const withPassword = !isAlone && bound.purpose !== 'act'
  await updatePasskeyUse(tx, found.id, { counter, at: tx.now, withPassword })
  return { is: 'right', withPasswordAt: found.withPasswordAt, publicKey: found.publicKey }
}

/** What a passkey signed, as it was kept. */
export type Signed = {
  rpId: string
  credentialId: Buffer
  publicKey: Buffer
  authenticatorData: Buffer
  clientData: Buffer
  signature: Buffer
}

/** What was signed for an act, as it came. */
export const signedOf = (
  { id, authenticatorData, clientDataJSON, signature }: PasskeyAnswer,
  { rpId, publicKey }: Pick<Signed, 'rpId' | 'publicKey'>,
): Signed => ({
  rpId,
  publicKey,
  credentialId: bytesOf(id),
  authenticatorData: bytesOf(authenticatorData),
  clientData: bytesOf(clientDataJSON),
  signature: bytesOf(signature),
})

/** What a passkey has signed that it decides; undefined if this is not signed by its key. It needs no secret of ours. */
export async function signedAbout(signed: Signed): Promise<Buffer | undefined> {
  const id = signed.credentialId.toString('base64url')
  let about: Buffer | undefined
  try {
    const { origin } = JSON.parse(signed.clientData.toString()) as { origin: string }
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          authenticatorData: signed.authenticatorData.toString('base64url'),
          clientDataJSON: signed.clientData.toString('base64url'),
          signature: signed.signature.toString('base64url'),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: (challenge) => {
        about = aboutOf(challenge)
        return about !== undefined
      },
      expectedOrigin: origin,
      expectedRPID: signed.rpId,
      credential: { id, publicKey: new Uint8Array(signed.publicKey), counter: -1 },
      requireUserVerification: false,
    })
    return verified ? about : undefined
  } catch {
    // As above.
    return undefined
  }
}

/** How often the device says that it was used; undefined if this is not signed by the key, for this. */
async function verifiedCounter(
  keys: Keys,
  answer: PasskeyAnswer,
  publicKey: Buffer,
  {
    bound,
    place,
    mustVerifyUser,
    now,
  }: { bound: Bound; place: Place; mustVerifyUser: boolean; now: Date },
): Promise<number | undefined> {
  const { authenticatorData, clientDataJSON, signature } = answer
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: 'public-key',
        response: { authenticatorData, clientDataJSON, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: (challenge) => isChallenge(keys, challenge, bound, now),
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      // The library would refuse one that went back before it looks at the signature, which anybody can send.
      credential: { id: answer.id, publicKey: new Uint8Array(publicKey), counter: -1 },
      requireUserVerification: mustVerifyUser,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws at everything that is not as it should be, and asks nobody.
    return undefined
  }
}

/** @throws CONFLICT on an IP address */
function requireName({ rpId }: Place): string {
  if (rpId === '') throw conflict('Passkeys work on a host name, not on an IP address.')
  return rpId
}

const describe = ({
  credentialId,
  transports,
}: {
  credentialId: Buffer
  transports: string[]
}) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports: transports as NewPasskey['transports'], // the contract let no others in
})

/** By which a device tells the accounts of a host name apart. */
const handleOf = (accountId: number): string => Buffer.from(String(accountId)).toString('base64url')

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')

/** Of client data that was verified. */
const challengeIn = (clientDataJSON: string): string =>
  (JSON.parse(bytesOf(clientDataJSON).toString()) as { challenge: string }).challenge
