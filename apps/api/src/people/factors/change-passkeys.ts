import type { Tx } from '../../db/database.ts'
import { insertSealed } from '../../seals/index.ts'
import { deleteAuthenticator, deleteRecoveryCodes } from './factors.queries.ts'
import { deletePasskeysOf, findKeysOfStaff, insertPasskey } from './passkeys.queries.ts'

type OfAccount = { accountId: number; id?: number }

/** Adds a passkey to an account. False if some account has it. */
export async function addPasskeyTo(
  tx: Tx,
  accountId: number,
  made: Parameters<typeof insertPasskey>[2],
): Promise<boolean> {
  const id = await insertPasskey(tx, accountId, made)
  if (id === undefined) return false
  await keepKeys(tx, await findKeysOfStaff(tx, { accountId, id }), 'added')
  return true
}

/** Removes all passkeys of an account, or one of them. False if there was none. */
export async function removePasskeys(tx: Tx, which: OfAccount): Promise<boolean> {
  const keys = await findKeysOfStaff(tx, which)
  const had = await deletePasskeysOf(tx, which)
  await keepKeys(tx, keys, 'removed')
  return had
}

/** Removes what an account has besides its password. */
export async function removeFactors(tx: Tx, accountId: number): Promise<void> {
  await removePasskeys(tx, { accountId })
  await deleteAuthenticator(tx, accountId)
  await deleteRecoveryCodes(tx, accountId)
}

/**
 * Keeps since when, or until when, keys are those of passkeys that somebody has who may come to approve. Of others, nothing stays.
 * Locks the seals, so after the factors: a closing has its closer's until it ends, and nobody else is to wait for the seals meanwhile.
 */
async function keepKeys(
  tx: Tx,
  keys: Awaited<ReturnType<typeof findKeysOfStaff>>,
  kind: 'added' | 'removed',
): Promise<void> {
  for (const key of keys)
    await insertSealed(tx, 'passkey_changes', { ...key, kind, made_at: tx.now })
}
