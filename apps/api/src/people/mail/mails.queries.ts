import { type Selectable, sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { latestByTries, leaseNext } from '../../db/lease-next.ts'
import type { DB } from '../../db/types.ts'

type MailRow = Selectable<DB['mails']>

/** A mail that a process has leased. */
export type LeasedMail = MailRow & { next_try_at: Date }

/** The next mail that is due. While it is sent, it has no error. */
export const leaseDueMail = (db: Db, at: { now: Date; until: Date }) =>
  leaseNext<LeasedMail>(
    db,
    { table: 'mails', due: 'next_try_at', set: sql`tries = tries + 1, error = null` },
    at,
  )

/** Changes a mail unless its lease has ended and another process has taken it. */
export async function updateLeased(
  db: Db,
  { id, next_try_at: lease }: LeasedMail,
  change: Partial<Omit<MailRow, 'id'>>,
): Promise<void> {
  await db
    .updateTable('mails')
    .set(change)
    .where('id', '=', id)
    .where('next_try_at', '=', lease)
    .execute()
}

const lastTriedAt = sql<Date>`coalesce(tried_at, written_at)`

/** Deletes what was tried last before, or only written, and is sent, given up or dropped. */
export async function deleteDoneMails(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('mails')
    .where(lastTriedAt, '<', before)
    .where('state', 'in', ['sent', 'failed', 'dropped'])
    .execute()
}

/** How many mails are in each state but sent, and since when. */
export const countMails = (db: DbOrTx) =>
  db
    .selectFrom('mails')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .select((eb) => eb.fn.min('written_at').as('oldest'))
    .where('state', 'in', ['waiting', 'failed', 'held'])
    .groupBy('state')
    .execute()

/** The mails whose last try failed, and those that are held, newest first. */
export const findTroubledMails = (db: DbOrTx, limit: number) =>
  db
    .selectFrom('mails')
    .select(['id', 'recipient as to', 'subject', 'state', 'tries', 'error as reason'])
    .select(['tried_at as triedAt', 'next_try_at as nextTryAt'])
    .select(sql<boolean>`state <> 'held' and sealed_text is not null`.as('mayTry'))
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['failed', 'held']),
        eb.and([eb('state', '=', 'waiting'), eb('error', 'is not', null)]),
      ]),
    )
    .orderBy(lastTriedAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/**
 * Sends a mail whose last try failed as soon as possible, or all of them, as if they were new.
 *
 * @returns how many. What has expired and what is being sent are left alone.
 */
export async function tryMailsAgain(
  tx: Tx,
  { id, now, giveUpAt }: { id?: number | undefined; now: Date; giveUpAt: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('mails')
    .set({
      state: 'waiting',
      next_try_at: now,
      tries: 0,
      give_up_at: sql<Date>`case when expires then give_up_at else ${giveUpAt}::timestamptz end`,
    })
    // One that is being sent has no error.
    .where('state', 'in', ['waiting', 'failed'])
    .where('error', 'is not', null)
    .where('sealed_text', 'is not', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Tries soon what a clock that was ahead has put off. `latest`: by the number of tries, see `latestTries`. */
export async function bringMailsForward(
  db: Db,
  { now, latest }: { now: Date; latest: readonly Date[] },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ next_try_at: now })
    .where('next_try_at', '>', latestByTries(latest))
    .execute()
}

/** Holds every mail that waits. */
export async function holdMails(tx: Tx): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ state: 'held', next_try_at: null })
    .where('state', '=', 'waiting')
    .execute()
}

/** Sends what is held, or drops it: one mail or all. Returns how many. */
export async function decideHeldMails(
  tx: Tx,
  { id, decision, now }: { id?: number | undefined; decision: 'send' | 'drop'; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('mails')
    .set(
      decision === 'send'
        ? { state: 'waiting', next_try_at: now }
        : { state: 'dropped', sealed_text: null, sealed_html: null, sealed_files: null },
    )
    .where('state', '=', 'held')
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
