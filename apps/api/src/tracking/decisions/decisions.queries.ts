import { roleNumber } from '@tallyroom/domain/roles'
import type { DbOrTx } from '../../db/database.ts'

/** Accounts that may decide about held postbacks: superadmins who are not suspended. By name. */
export async function findDeciders(db: DbOrTx): Promise<{ id: number; username: string }[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('role', '=', roleNumber('superadmin'))
    .where('suspended', '=', false)
    .orderBy('username')
    .execute()
}

export async function findUsername(db: DbOrTx, accountId: number): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('username')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account?.username ?? 'Somebody who has left'
}

/** What became of a postback, and the closed pay period on whose statements that is; null if on none yet. */
export async function findSettled(
  db: DbOrTx,
  postbackId: string,
): Promise<{ eventId: string | null; act: string | null; period: string | null } | undefined> {
  const settled = await db
    .selectFrom('postback_settlements')
    .select(['event_id as eventId', 'act'])
    .where('postback_id', '=', postbackId)
    .executeTakeFirst()
  if (!settled) return undefined
  const period =
    settled.eventId === null
      ? undefined
      : await db
          .selectFrom('bookings')
          .innerJoin('pay_periods', 'pay_periods.id', 'bookings.period_id')
          .select('pay_periods.name')
          .where('bookings.event_id', '=', settled.eventId)
          .executeTakeFirst()
  return { ...settled, period: period?.name ?? null }
}
