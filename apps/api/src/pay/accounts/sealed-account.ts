import { enteredDetails } from '@tallyroom/contract/pay/accounts/payee-details'
import { z } from 'zod'
import { reseal } from '../../db/reseal.ts'
import { openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import { accountDigests } from './account-digest.ts'
import { findSealedOtherwise, noteSharesOfWaiting, updateSealed } from './payee-accounts.queries.ts'

const secretSchema = z.object({
  number: z.string(),
  accountName: z.string(),
  /** What the payee entered beside them because a bank wants it. */
  details: z.partialRecord(z.enum(enteredDetails), z.string()).default({}),
})

/** What is stored encrypted. The number leaves the server only in payment files. */
export type AccountSecret = z.infer<typeof secretSchema>

/** What an encrypted value is bound to: it can't be decrypted in the row of another payee or an earlier account. */
export type AccountPlace = { payee_kind: string; payee_id: number; entered_at: Date }

export type AccountSeals = {
  seal(place: AccountPlace, secret: z.input<typeof secretSchema>): Buffer
  /** Undefined if no key can decrypt it. */
  open(place: AccountPlace, sealed: Buffer): AccountSecret | undefined
}

export function accountSeals({
  secret,
  formerSecrets,
}: Pick<Services, 'secret' | 'formerSecrets'>): AccountSeals {
  const key = deriveKey(secret, 'payee-accounts')
  const keys = [key, ...formerSecrets.map((former) => deriveKey(former, 'payee-accounts'))]
  return {
    seal: (place, account) => seal(key, JSON.stringify(account), placeOf(place)),
    open(place, sealed) {
      const opened = openWithAny(keys, sealed, placeOf(place))
      return opened === undefined ? undefined : secretSchema.parse(JSON.parse(opened))
    },
  }
}

/** Also makes the digests that are missing or by an older key. */
export function resealPayeeAccounts(
  services: Pick<Services, 'db' | 'log' | 'secret' | 'formerSecrets'>,
): Promise<void> {
  const seals = accountSeals(services)
  const digests = accountDigests(services)
  const sealed = sealedHead(deriveKey(services.secret, 'payee-accounts'))
  return reseal(
    services,
    'payees’ accounts',
    (tx) => findSealedOtherwise(tx, { sealed, digest: digests.head }),
    async (tx, account) => {
      const content = seals.open(account, account.sealed)
      if (!content) return false
      await updateSealed(tx, account.id, {
        sealed: seals.seal(account, content),
        number_digest: digests.of({ institution: account.institution ?? '', ...content }),
      })
      return true
    },
    (tx) => noteSharesOfWaiting(tx, tx.now),
  )
}

const placeOf = ({ payee_kind, payee_id, entered_at }: AccountPlace) =>
  `payee_accounts.sealed:${payee_kind}:${payee_id}:${entered_at.getTime()}`
