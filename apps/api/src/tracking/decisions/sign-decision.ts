import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Secrets } from '../../lib/secrets.ts'
import type { HeldDecision } from '../held/held.queries.ts'

/** All but when it is due, which is postponed if carrying it out fails. */
type Signed = Omit<HeldDecision, 'act' | 'dueAt' | 'signature'> & { act: string }

export const signDecision = ({ secret }: Pick<Secrets, 'secret'>, decision: Signed): Buffer =>
  signatureOf(secret, decision)

/** Whether the app made it. Whoever can only write to the database makes no sale of it. */
export const isSigned = (
  { secret, formerSecrets }: Secrets,
  { signature, ...decision }: Signed & { signature: Buffer },
): boolean =>
  [secret, ...formerSecrets].some((one) => {
    const own = signatureOf(one, decision)
    return own.length === signature.length && timingSafeEqual(own, signature)
  })

function signatureOf(
  secret: Buffer,
  { postbackId, act, saleId, effect, note, decidedBy, decidedAt }: Signed,
): Buffer {
  const text = [postbackId, act, saleId, effect, note, decidedBy, decidedAt.toISOString()]
  return createHmac('sha256', deriveKey(secret, 'held-decisions'))
    .update(JSON.stringify(text))
    .digest()
}
