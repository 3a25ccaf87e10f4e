import { reseal } from '../../db/reseal.ts'
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
 * Updates the readable copies to the configuration: re-encrypts them as `reseal` does, or deletes them if
 * the column is off.
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
  await reseal(
    services,
    'passwords',
    (tx) => findSealedOtherwise(tx, sealedHead(deriveKey(secret, 'password-column'))),
    async (tx, { id, sealed }) => {
      const password = column.reveal(id, sealed)
      if (password == null) return false
      await updateSealedPassword(tx, id, column.seal(id, password))
      return true
    },
  )
}
