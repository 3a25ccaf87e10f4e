import { createHmac, randomBytes } from 'node:crypto'
import { openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { SafeFetchError } from '../../lib/net/safe-fetch.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import type { TargetRow } from './targets.queries.ts'

type Keys = Pick<Services, 'secret' | 'formerSecrets'>

/** How secrets of Standard Webhooks begin; the rest is base64. */
const PREFIX = 'whsec_'

export const makeWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** Encrypts the secrets of targets, each bound to its target by the token that no other has. */
export function webhookSeals({ secret, formerSecrets }: Keys) {
  const keys = [secret, ...formerSecrets].map((one) => deriveKey(one, 'webhooks'))
  const [newest = deriveKey(secret, 'webhooks')] = keys
  return {
    /** How what is encrypted with the newest key begins. */
    head: sealedHead(newest),
    seal: (token: string, text: string): Buffer => seal(newest, text, placeOf(token)),
    /** Undefined if no key opens it. */
    open: (token: string, sealed: Buffer): string | undefined =>
      openWithAny(keys, sealed, placeOf(token)),
  }
}

const placeOf = (token: string) => `postback_targets.sealed_secret:${token}`

/**
 * The headers that sign a body, by the specification of Standard Webhooks: with the target's secret, and within a day after a
 * rotation also with the one before.
 *
 * @throws SafeFetchError if no key decrypts the secret.
 */
export function signedHeaders(
  keys: Keys,
  target: Pick<TargetRow, 'token' | 'sealed_secret' | 'former_secret' | 'former_until'>,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const seals = webhookSeals(keys)
  const { token, sealed_secret: current, former_secret: former, former_until: until } = target
  const sealed = [current, until !== null && now < until ? former : null]
  const secrets = sealed.flatMap((one) => (one ? (seals.open(token, one) ?? []) : []))
  if (secrets.length === 0) {
    throw new SafeFetchError('failed', 'Its secret can’t be decrypted: a secret key is missing.')
  }
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`)
      .join(' '),
  }
}

const signatureOf = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64')
