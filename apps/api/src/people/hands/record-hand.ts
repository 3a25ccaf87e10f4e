import {
  type AccountHand,
  accountHands,
  DAY_MS,
  type FactorReset,
  type OwnDeed,
} from '@tallyroom/domain/acts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { canBeMailed, findDevicesSince, findSuperadmins, insertHands } from './hands.queries.ts'

/**
 * Who changes an account: a viewer, whoever has a mailed link or an invitation, or the operator on the command line, who can change everything
 * without leaving a trace, so that recording a hand would protect nobody.
 */
export type HandBy =
  | Pick<Viewer, 'accountId' | 'signedInBy'>
  | 'mailed link'
  | 'invitation'
  | 'operator'

/** Somebody who is known, or the operator: nobody who only has a link. */
export type KnownHandBy = Exclude<HandBy, 'mailed link' | 'invitation'>

/**
 * Records what somebody did to an account, in the transaction that does it. Whoever works in their own account has no
 * hand in it, but may end those of others. After *Sign in as*, the superadmin has it.
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
  const doer = typeof by === 'object' ? (by.signedInBy ?? by.accountId) : accountId
  const done = doer === accountId ? await ownDeedsOf(tx, accountId, kinds, by) : kinds
  await insertHands(
    tx,
    done.map((kind) => ({ accountId, kind, by: doer, at })),
  )
}

/** Records that the second factor of an account was changed without it, in the transaction that does it. */
export const recordFactorReset = (
  tx: Tx,
  { accountId, kind, at }: { accountId: number; kind: FactorReset; at: Date },
): Promise<void> => insertHands(tx, [{ accountId, kind, by: accountId, at }])

/**
 * Records that the list of admins has shown the password of an account to every superadmin, in the transaction that lets it
 * decide about money.
 */
export async function recordReaders(
  tx: Tx,
  { accountId, at }: { accountId: number; at: Date },
): Promise<void> {
  const readers = await findSuperadmins(tx)
  await insertHands(
    tx,
    readers.map((by) => ({ accountId, kind: 'readable', by, at })),
  )
}

/** What it is called if it is done in the holder's name. */
async function ownDeedsOf(
  tx: Tx | DbOrTx,
  accountId: number,
  kinds: readonly AccountHand[],
  by: HandBy,
): Promise<OwnDeed[]> {
  const deeds: OwnDeed[] = []
  if (kinds.includes('email') && typeof by === 'object') deeds.push('own email')
  if (!kinds.includes('password')) return deeds
  if (by === 'operator') return [...deeds, 'operator password']
  if (by === 'mailed link') return [...deeds, 'mailed password']
  // Whoever invited knew the link, as who makes an account knows its first password.
  if (by === 'invitation') return [...deeds, 'changed password']
  // Without an address, its holder has no other way to show that it is theirs.
  return [...deeds, (await canBeMailed(tx, accountId)) ? 'changed password' : 'own password']
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
