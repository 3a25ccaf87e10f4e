import { FACTOR_ACTS } from '@tallyroom/domain/sign-in-rules'
import { z } from 'zod'
import { secret } from '../secrets.ts'

/** How many passkeys an account can have. */
export const MOST_PASSKEYS = 10

/** How a browser reaches the device of a passkey. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const transportSchema = z.enum(TRANSPORTS)

/** Bytes in base64url, without padding. */
const bytes = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^[\w-]+$/, 'must be base64url')

const credentialId = bytes(1400)

/** What a passkey has signed, as `navigator.credentials.get` answers. */
export const passkeyAnswer = secret(
  'passkey answer',
  z.strictObject({
    id: credentialId,
    authenticatorData: bytes(4000),
    clientDataJSON: bytes(4000),
    signature: bytes(4000),
    /** Missing if the challenge named the passkeys. */
    userHandle: bytes(100).optional(),
  }),
)

export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** A new passkey, as `navigator.credentials.create` answers. */
export const newPasskey = secret(
  'passkey answer',
  z.strictObject({
    id: credentialId,
    attestationObject: bytes(20_000),
    clientDataJSON: bytes(4000),
    /** Unknown ones are left out by the page. */
    transports: z.array(transportSchema).max(TRANSPORTS.length),
  }),
)

export type NewPasskey = z.infer<typeof newPasskey>

export const knownTransports = (given: readonly string[]): NewPasskey['transports'] =>
  TRANSPORTS.filter((one) => given.includes(one))

const described = z.array(
  z.object({
    id: z.string(),
    type: z.literal('public-key'),
    transports: z.array(transportSchema),
  }),
)

/** For `navigator.credentials.get`: a challenge, single use, valid for five minutes. */
export const passkeyChallenge = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  /** Empty for any that the browser knows. */
  allowCredentials: described,
})

/**
 * What a refusal with FACTOR_NEEDED asks for: the passkey that signs this challenge, or a code of an authenticator app; to add
 * a factor or to make recovery codes, a recovery code as well. The challenge has the hash of what is decided at its end. Good once, for five minutes, for
 * this act of this account.
 */
export const factorAsked = z.object({
  act: z.enum(FACTOR_ACTS),
  challenge: z.string(),
  byCode: z.boolean(),
  /** Null if no passkey of the account works on this host name. */
  passkey: passkeyChallenge.nullable(),
})

export type FactorAsked = z.infer<typeof factorAsked>

/** With it, a call is sent again that was refused with FACTOR_NEEDED: {@link factorGiven} as JSON, in base64url. */
export const FACTOR_HEADER = 'second-factor'

export const factorGiven = z.strictObject({
  /** As it was asked for. */
  challenge: bytes(200),
  code: secret('one-time code', z.string().max(64)).default(''),
  passkey: passkeyAnswer.optional(),
})

export type FactorGiven = z.infer<typeof factorGiven>

/** For `navigator.credentials.create`. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: described,
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('preferred'),
  }),
  attestation: z.literal('none'),
})

/** A passkey in the profile of its holder. */
export const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** The host name of the back office that it works on. */
  host: z.string(),
  addedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

export type Passkey = z.infer<typeof passkeySchema>
