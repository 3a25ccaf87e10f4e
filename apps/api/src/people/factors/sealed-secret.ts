import { reseal } from '../../db/reseal.ts'
import { openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import { findSealedOtherwise, updateSealed } from './factors.queries.ts'

export type SealingServices = Pick<Services, 'secret' | 'formerSecrets'>

export const sealSecret = ({ secret }: SealingServices, accountId: number, text: string): Buffer =>
  seal(deriveKey(secret, 'authenticators'), text, placeOf(accountId))

/** Undefined if no key can decrypt it. */
export const openSecret = (
  { secret, formerSecrets }: SealingServices,
  accountId: number,
  sealed: Buffer,
): string | undefined =>
  openWithAny(
    [secret, ...formerSecrets].map((one) => deriveKey(one, 'authenticators')),
    sealed,
    placeOf(accountId),
  )

/** Re-encrypts the secrets of authenticator apps as `reseal` does. */
export const resealAuthenticators = (
  services: Pick<Services, 'db' | 'log'> & SealingServices,
): Promise<void> =>
  reseal(
    services,
    'secrets of authenticator apps',
    (tx) => findSealedOtherwise(tx, sealedHead(deriveKey(services.secret, 'authenticators'))),
    async (tx, { accountId, sealed }) => {
      const text = openSecret(services, accountId, sealed)
      if (text === undefined) return false
      await updateSealed(tx, accountId, sealSecret(services, accountId, text))
      return true
    },
  )

/** Binds a secret to its account, so that it does not decrypt in another row. */
const placeOf = (accountId: number) => `authenticators.secret_sealed:${accountId}`
