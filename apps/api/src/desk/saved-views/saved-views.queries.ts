import type { MailSchedule } from '@tallyroom/domain/saved-views'
import type { Selectable } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { leaseNext } from '../../db/lease-next.ts'
import type { DB } from '../../db/types.ts'

export type ViewRow = Selectable<DB['saved_views']>

/** An account's views, in the account's own order. */
export const findViews = (db: DbOrTx, accountId: number): Promise<ViewRow[]> =>
  db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Locks an account, so that changes of its views are made one after the other. */
export const lockHolder = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

export type NewView = {
  name: string
  url: string
  mail: MailSchedule | null
  mail_due_at: Date | null
}

export const updateView = (
  tx: Tx,
  id: number,
  change: Partial<NewView & Pick<ViewRow, 'position' | 'mail_refusal'>>,
) => tx.updateTable('saved_views').set(change).where('id', '=', id).execute()

/** Whether the account had such a view. */
export async function deleteView(db: Db, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** A view whose mail a process is making. */
export type LeasedView = ViewRow & { mail_due_at: Date }

export const leaseDueView = (db: Db, at: { now: Date; until: Date }) =>
  leaseNext<LeasedView>(db, { table: 'saved_views', due: 'mail_due_at' }, at)

/** All views whose mail is due. */
export const findDueViews = (tx: Tx, now: Date) =>
  tx.selectFrom('saved_views').select(['id', 'mail']).where('mail_due_at', '<=', now).execute()

/** Changes a view that is still leased. False if its holder or another process has changed it. */
export async function updateLeased(
  db: DbOrTx,
  { id, mail_due_at }: LeasedView,
  change: Pick<ViewRow, 'mail_due_at' | 'mail_refusal'> & Partial<Pick<ViewRow, 'mailed_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_views')
    .set(change)
    .where('id', '=', id)
    .where('mail_due_at', '=', mail_due_at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
