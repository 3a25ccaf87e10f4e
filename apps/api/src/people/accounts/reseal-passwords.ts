import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import {
  deleteSealedPasswords,
  findSealedOtherwise,
  updateSealedPassword,
} from './accounts.queries.ts'
import { passwordColumn } from './password-column.ts'

/**
 * Updates the readable copies to the configuration: re-encrypts them with the newest key, or deletes them if
 * the column is off. Runs on each start before requests arrive. Copies that no key can decrypt are kept, in
 * case the key is restored.
 */
export async function resealPasswords(
  services: Pick<Services, 'config' | 'db' | 'log' | 'secret' | 'formerSecrets'>,
): Promise<void> {
  const { db, log, secret } = services
  const column = passwordColumn(services)
  if (!column.isOn) {
    const removed = await deleteSealedPasswords(db)
    if (removed > 0) log.info({ removed }, 'removed the readable copies of passwords')
    return
  }

  const [resealed, unreadable] = await inTransaction(db, async (tx) => {
    const stale = await findSealedOtherwise(tx, sealedHead(deriveKey(secret, 'password-column')))
    let opened = 0
    for (const { id, sealed } of stale) {
      const password = column.reveal(id, sealed)
      if (password == null) continue
      await updateSealedPassword(tx, id, column.seal(id, password))
      opened += 1
    }
    return [opened, stale.length - opened]
  })
  if (resealed > 0) log.info({ resealed }, 're-encrypted passwords with the newest key')
  if (unreadable > 0) log.warn({ unreadable }, 'passwords are encrypted with a missing key')
}
