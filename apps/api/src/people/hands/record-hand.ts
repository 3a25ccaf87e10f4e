import { type AccountHand, accountHands, DAY_MS } from '@tallyroom/domain/acts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { findDevicesSince, insertHands } from './hands.queries.ts'

/**
 * Who changes an account: a viewer, its holder, or nobody with an account, such as the operator on the command line. The
 * operator can change everything without leaving a trace, so recording a hand would protect nobody.
 */
export type HandBy = Pick<Viewer, 'accountId' | 'signedInBy'> | 'holder' | 'operator'

/**
 * Records what somebody did to an account, in the transaction that does it. Whoever works in their own account has no
 * hand in it. After *Sign in as*, the superadmin has it.
 */
export async function recordHand(
  tx: Tx | DbOrTx,
  {
    accountId,
    kinds,
    by,
    at,
  }: { accountId: number; kinds: readonly AccountHand[]; by: HandBy; at: Date },
): Promise<void> {
  if (by === 'operator') return
  const doer = by === 'holder' ? accountId : (by.signedInBy ?? by.accountId)
  if (doer === accountId) {
    const isOwn = kinds.includes('password')
    await insertHands(tx, isOwn ? [{ accountId, kind: 'own password', by: doer, at }] : [])
    return
  }
  await insertHands(
    tx,
    kinds.map((kind) => ({ accountId, kind, by: doer, at })),
  )
}

/** How often a device that two accounts share is recorded anew. */
const DEVICE_EVERY_MS = DAY_MS

/** Records that an account signed in on a device on which others have signed in before. */
export async function recordDevice(
  db: DbOrTx,
  { accountId, at }: { accountId: number; at: Date },
  devices: readonly { accountId: number; signedInAt: Date }[],
): Promise<void> {
  const since = at.getTime() - accountHands.device.days * DAY_MS
  const others = devices.filter(
    (one) => one.accountId !== accountId && one.signedInAt.getTime() > since,
  )
  if (others.length === 0) return
  const known = await findDevicesSince(db, accountId, new Date(at.getTime() - DEVICE_EVERY_MS))
  await insertHands(
    db,
    others
      .filter((one) => !known.includes(one.accountId))
      .map((one) => ({ accountId, kind: 'device' as const, by: one.accountId, at })),
  )
}
