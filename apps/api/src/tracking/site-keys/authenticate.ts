import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** How a request proves that it comes from the merchant. */
export type Credentials = {
  /** From the query, the body or the header `x-postback-key`. */
  key: string | undefined
  /** The header `x-signature`: `t=<Unix seconds>,v1=<hex>`, with one or several `v1`. */
  signature: string | undefined
  /** What is signed after `t.`: the body, or for GET the raw query. */
  signed: Buffer
}

const TOLERANCE_MS = 5 * 60_000

/**
 * Whether one of the site's active secrets was used. If there is a signature, it must be valid even if the key
 * is. Runs in constant time.
 */
export function isAuthentic(
  { key, signature, signed }: Credentials,
  secrets: readonly string[],
  now: Date,
): boolean {
  if (signature !== undefined) return isSigned(signature, signed, secrets, now)
  return key !== undefined && includesSecretly(secrets, key)
}

/** Identifies a signed request, whichever of the site's secrets signed it. */
export type SignedMessage = {
  /** SHA-256 of the site, the signature's time and the signed bytes. */
  digest: Buffer
  /** When the signature expires. */
  expiresAt: Date
}

/** Identifies a request with a valid signature. */
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

/** The time exactly as written, because it is part of what was signed, and the first few values. */
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

/** Compares hashes of equal length with all secrets, in constant time. */
function includesSecretly(secrets: readonly string[], given: string): boolean {
  const hash = sha256(given)
  return secrets.map((secret) => timingSafeEqual(sha256(secret), hash)).includes(true)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
