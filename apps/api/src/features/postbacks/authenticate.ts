import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a request brings to show that it is the merchant's. */
export type Credentials = {
  /** Of the query, the body or the header `x-postback-key`. */
  key: string | undefined
  /** The header `x-signature`: `t=<seconds since 1970>,v1=<hex>`; several `v1` may be given. */
  signature: string | undefined
  /** What is signed after `t.`: the body, or for GET the query as it was sent. */
  signed: Buffer
}

const TOLERANCE_MS = 5 * 60_000

/**
 * Whether one of the site's live secrets was used. A signature that is there must be right, also when
 * the key is. The time taken says nothing about the secrets.
 */
export function isAuthentic(
  { key, signature, signed }: Credentials,
  secrets: readonly string[],
  now: Date,
): boolean {
  if (signature !== undefined) return isSigned(signature, signed, secrets, now)
  return key !== undefined && includesSecretly(secrets, key)
}

/** A signed request, told from all others whichever of the site's secrets signed it. */
export type SignedMessage = {
  /** SHA-256 of the site, the signature's time and what was signed. */
  digest: Buffer
  /** When the signature ends to be good. */
  expiresAt: Date
}

/** What a signature that is right stands for. */
export function signedMessage(siteId: number, signature: string, signed: Buffer): SignedMessage {
  const { time } = readSignature(signature)
  return {
    digest: createHash('sha256').update(`${siteId}.${time}.`).update(signed).digest(),
    expiresAt: new Date(Number(time) * 1000 + TOLERANCE_MS),
  }
}

function isSigned(
  signature: string,
  signed: Buffer,
  secrets: readonly string[],
  now: Date,
): boolean {
  const { time, values } = readSignature(signature)
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(Number(time) * 1000 - now.getTime()) > TOLERANCE_MS) return false

  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${time}.`).update(signed).digest('hex'),
  )
  return values.some((value) => includesSecretly(expected, value.toLowerCase()))
}

/** The time as it was written, for it was signed so, and the first few values. */
function readSignature(signature: string): { time: string; values: string[] } {
  const parts = signature.split(',').map((part) => part.trim().split('=', 2))
  return {
    time: parts.find(([name]) => name === 't')?.[1] ?? '',
    values: parts
      .slice(0, 10)
      .filter(([name]) => name === 'v1')
      .map(([, value = '']) => value),
  }
}

/** Compares with all of them, by hashes of one length. */
function includesSecretly(secrets: readonly string[], given: string): boolean {
  const hash = sha256(given)
  return secrets.map((secret) => timingSafeEqual(sha256(secret), hash)).includes(true)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
