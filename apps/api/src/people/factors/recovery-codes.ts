import { RECOVERY_CODES } from '@tallyroom/contract/people/factors'
import type { Tx } from '../../db/database.ts'
import { randomText } from '../../lib/random-text.ts'
import { hashToken } from '../../lib/tokens.ts'
import { deleteRecoveryCodes, insertRecoveryCodes, takeRecoveryCode } from './factors.queries.ts'

// 28 characters have 114 bits, so that a fast hash is enough.
const GROUPS = 7
const GROUP_LENGTH = 4

/** Makes recovery codes in place of all former ones, and returns them as they are read. */
export async function makeRecoveryCodes(tx: Tx, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () => randomText(GROUP_LENGTH)).join('-'),
  )
  await deleteRecoveryCodes(tx, accountId)
  await insertRecoveryCodes(tx, accountId, { hashes: codes.map(hashOf), at: tx.now })
  return codes
}

/** Consumes a recovery code, however it is written. False if there is no such code. */
export const redeemRecoveryCode = (tx: Tx, accountId: number, code: string): Promise<boolean> =>
  takeRecoveryCode(tx, accountId, { hash: hashOf(code), at: tx.now })

const hashOf = (code: string): Buffer =>
  hashToken(`recovery ${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
