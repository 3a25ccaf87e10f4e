import { enteredDetails } from '@tallyroom/contract/pay/payee-details'
import { z } from 'zod'
import { inTransaction } from '../../db/transaction.ts'
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

/**
 * Re-encrypts accounts with the newest key after a rotation, and makes the digests that are missing or by an older key.
 * Runs on each start before requests arrive. Accounts that no key can decrypt are kept, in case the key is restored.
 */
export async function resealPayeeAccounts(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>,
): Promise<void> {
  const { db, clock, log, secret } = services
  const seals = accountSeals(services)
  const digests = accountDigests(services)
  const [resealed, unreadable] = await inTransaction(db, async (tx) => {
    const stale = await findSealedOtherwise(tx, {
      sealed: sealedHead(deriveKey(secret, 'payee-accounts')),
      digest: digests.head,
    })
    let opened = 0
    for (const account of stale) {
      const content = seals.open(account, account.sealed)
      if (!content) continue
      await updateSealed(tx, account.id, {
        sealed: seals.seal(account, content),
        number_digest: digests.of({ institution: account.institution ?? '', ...content }),
      })
      opened += 1
    }
    if (opened > 0) await noteSharesOfWaiting(tx, clock.now())
    return [opened, stale.length - opened]
  })
  if (resealed > 0) log.info({ resealed }, 're-encrypted payees’ accounts with the newest key')
  if (unreadable > 0) log.warn({ unreadable }, 'payees’ accounts are encrypted with a missing key')
}

const placeOf = ({ payee_kind, payee_id, entered_at }: AccountPlace) =>
  `payee_accounts.sealed:${payee_kind}:${payee_id}:${entered_at.getTime()}`
