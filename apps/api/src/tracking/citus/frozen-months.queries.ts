import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Db, DbOrTx } from '../../db/database.ts'
import { errorCode, inPlainTransaction, lockNotAvailable } from '../../db/transaction.ts'
import { shareSettings } from '../../db/citus/layout.ts'
import { limitLockWaits, partitionOf } from '../archive/archives.queries.ts'
import { partitionName } from '../clicks/partitions.queries.ts'

/** The end of the name of the constraint by which workers refuse clicks of a month that is being archived. */
export const frozenSuffix = '__frozen'

const constraintOf = (month: Day) => sql.ref(`${partitionName('clicks', month)}${frozenSuffix}`)

/**
 * Makes workers refuse new and changed clicks of a month, until {@link tryThaw}. False if the lock is not acquired within
 * `patienceMs`. On return, no transaction that has changed the month is still open, on any machine.
 */
export const tryFreeze = (db: Db, month: Day, patienceMs: number): Promise<boolean> =>
  changeWithin(
    db,
    patienceMs,
    sql`alter table ${partitionOf(month)} add constraint ${constraintOf(month)} check (false) not valid`,
  )

/** Lets clicks of a month in again. False if the lock is not acquired within `patienceMs`. */
export const tryThaw = (db: Db, month: Day, patienceMs: number): Promise<boolean> =>
  changeWithin(
    db,
    patienceMs,
    sql`alter table ${partitionOf(month)} drop constraint ${constraintOf(month)}`,
  )

async function changeWithin(
  db: Db,
  patienceMs: number,
  change: RawBuilder<unknown>,
): Promise<boolean> {
  try {
    await inPlainTransaction(db, async (tx) => {
      await shareSettings(tx)
      await limitLockWaits(tx, patienceMs)
      await change.execute(tx)
    })
    return true
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error
    return false
  }
}

/** The frozen months. Unless a run is archiving, they were left by one that died. */
export async function findFrozen(db: DbOrTx): Promise<Day[]> {
  const { rows } = await sql<{ name: string }>`
    select conname::text as name
    from pg_constraint
    join pg_inherits on inhrelid = conrelid and inhparent = 'clicks'::regclass
    where contype = 'c' and conname::text ~ ${`^clicks_[0-9]{4}_[0-9]{2}${frozenSuffix}$`}
    order by conname
  `.execute(db)
  return rows.map(({ name }) => `${name.slice(7, 11)}-${name.slice(12, 14)}-01`)
}
