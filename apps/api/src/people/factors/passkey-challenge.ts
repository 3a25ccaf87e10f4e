import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { insertUsedChallenge } from './passkeys.queries.ts'

/** How long a challenge can be answered. */
export const CHALLENGE_MS = 5 * 60_000

/** What a challenge is for, and who alone can answer it. */
export type Bound = {
  purpose: 'add' | 'step' | 'proof' | 'sign-in' | 'act' | 'provider'
  /** An account; to sign in by a passkey alone or by a provider, the browser that asks. */
  whose: { accountId: number } | { browser: Buffer }
  /** The host name of passkeys; the name of the provider. */
  rpId: string
  /** SHA-256 of what an act decides. */
  about?: Buffer
}

type Keys = Pick<Services, 'secret' | 'formerSecrets'>

/** The end as milliseconds since 1970, random bytes, the mark, and what it is about if it is about something. */
const endBytes = 6
const randomLength = 16
const markBytes = 32
const aboutBytes = 32
const headBytes = endBytes + randomLength
const NOTHING = Buffer.alloc(0)

/**
 * What a passkey signs, in base64url. It carries its own end and a mark of what it is bound to, so that nothing is stored
 * before it is answered: anybody may ask for one.
 */
export function makeChallenge(
  { secret }: Pick<Keys, 'secret'>,
  bound: Bound,
  now: Date,
  lifeMs = CHALLENGE_MS,
): string {
  const head = Buffer.alloc(headBytes)
  head.writeUIntBE(now.getTime() + lifeMs, 0, endBytes)
  randomBytes(randomLength).copy(head, endBytes)
  const { about = NOTHING } = bound
  return Buffer.concat([head, markOf(secret, bound, head), about]).toString('base64url')
}

/** Whether a challenge is ours, for this, and not too old. */
export function isChallenge(
  { secret, formerSecrets }: Keys,
  challenge: string,
  bound: Bound,
  now: Date,
): boolean {
  const sent = Buffer.from(challenge, 'base64url')
  const { about = NOTHING } = bound
  if (sent.length !== headBytes + markBytes + about.length) return false
  if (!sent.subarray(headBytes + markBytes).equals(about)) return false
  const head = sent.subarray(0, headBytes)
  const mark = sent.subarray(headBytes, headBytes + markBytes)
  const isOurs = [secret, ...formerSecrets].some((one) =>
    timingSafeEqual(markOf(one, bound, head), mark),
  )
  return isOurs && endOf(sent) > now.getTime()
}

/** What a challenge is about; undefined if it is about nothing. */
export function aboutOf(challenge: string): Buffer | undefined {
  const sent = Buffer.from(challenge, 'base64url')
  const isWhole = sent.length === headBytes + markBytes + aboutBytes
  return isWhole ? sent.subarray(headBytes + markBytes) : undefined
}

/** Consumes a challenge. False if it was used; of several concurrent callers, one gets it. */
export const takeChallenge = (tx: Tx, challenge: string): Promise<boolean> =>
  insertUsedChallenge(tx, {
    hash: hashToken(challenge),
    expiresAt: new Date(endOf(Buffer.from(challenge, 'base64url'))),
  })

const endOf = (sent: Buffer): number => sent.readUIntBE(0, endBytes)

function markOf(
  secret: Buffer,
  { purpose, whose, rpId, about = NOTHING }: Bound,
  head: Buffer,
): Buffer {
  const owner =
    'accountId' in whose
      ? `account ${whose.accountId}`
      : `browser ${whose.browser.toString('base64url')}`
  return createHmac('sha256', deriveKey(secret, 'passkey-challenges'))
    .update(`${purpose}\n${owner}\n${rpId}\n`)
    .update(head)
    .update(about)
    .digest()
}
