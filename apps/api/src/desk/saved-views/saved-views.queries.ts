import type { MailSchedule } from '@tallyroom/domain/saved-views'
import type { Selectable } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import type { DB } from '../../db/types.ts'
import { selectAccounts } from '../../people/index.ts'

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

/** A second view with the same name violates `saved_views__name`. */
export const insertView = (
  tx: Tx,
  view: NewView & { account_id: number; position: number; created_at: Date },
): Promise<number> => insertRow(tx, 'saved_views', view)

export const updateView = (
  tx: Tx,
  id: number,
  change: Partial<NewView & Pick<ViewRow, 'position' | 'mail_leased_until' | 'mail_refusal'>>,
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

/**
 * The next view whose mail is due and that no process is sending, leased to the caller until `until`. After that, any
 * process may send it.
 */
export const leaseDueView = async (
  db: Db,
  { now, until }: { now: Date; until: Date },
): Promise<ViewRow | undefined> =>
  db
    .updateTable('saved_views')
    .set({ mail_leased_until: until })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('saved_views')
        .select('id')
        .where('mail_due_at', '<=', now)
        .where((due) =>
          due.or([due('mail_leased_until', 'is', null), due('mail_leased_until', '<=', now)]),
        )
        .orderBy('mail_due_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/**
 * Changes a view that is still leased and due as before. False if its holder or another process has
 * changed it.
 */
export async function updateLeased(
  db: Db,
  { id, mail_due_at, mail_leased_until }: ViewRow,
  change: Partial<
    Pick<ViewRow, 'mail_due_at' | 'mail_leased_until' | 'mailed_at' | 'mail_refusal'>
  >,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_views')
    .set(change)
    .where('id', '=', id)
    .where('mail_due_at', '=', mail_due_at)
    .where('mail_leased_until', '=', mail_leased_until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The account of a view as it is now, with everything that decides whether it gets mails. */
export const findReader = (db: Db, accountId: number) =>
  selectAccounts(db)
    .leftJoin('offices', (join) =>
      join.on('offices.id', '=', (eb) => eb.fn.coalesce('accounts.office_id', 'agents.office_id')),
    )
    .select([
      'accounts.must_change_password',
      'agents.active as agent_active',
      'offices.active as office_active',
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst()
