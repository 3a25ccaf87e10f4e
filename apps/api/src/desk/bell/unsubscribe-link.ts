import { createHmac, timingSafeEqual } from 'node:crypto'
import { TOPICS, type Topic } from '@tallyroom/domain/facts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'

/** What a link ends: the mails about a topic, or everything in the digest, of one account. */
export type Unsubscribed = { accountId: number; of: Topic | 'digest' }

/** The URL that ends it without signing in. It is valid for ever, because mails are. */
export const unsubscribeUrl = (
  { config, secret }: Pick<Services, 'config' | 'secret'>,
  { accountId, of }: Unsubscribed,
): string => {
  const said = `${accountId}-${of}`
  return `${config.publicUrl}/api/unsubscribe/${said}-${signatureOf(secret, said).toString('base64url')}`
}

/** What a token of such a URL ends; undefined if we did not sign it. */
export function readUnsubscribe(
  { secret, formerSecrets }: Pick<Services, 'secret' | 'formerSecrets'>,
  token: string,
): Unsubscribed | undefined {
  const [, said = '', id = '', of, signature = ''] =
    /^(([1-9]\d{0,14})-([a-z]+))-([\w-]{22})$/.exec(token) ?? []
  const isOurs = [secret, ...formerSecrets].some((key) => {
    const bytes = Buffer.from(signature, 'base64url')
    return bytes.length === BYTES && timingSafeEqual(bytes, signatureOf(key, said))
  })
  const known = ([...TOPICS, 'digest'] as const).find((one) => one === of)
  return isOurs && known ? { accountId: Number(id), of: known } : undefined
}

const BYTES = 16

const signatureOf = (secret: Buffer, said: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'unsubscribe')).update(said).digest().subarray(0, BYTES)
