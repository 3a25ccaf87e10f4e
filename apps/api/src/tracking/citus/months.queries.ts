import { addMonths, type Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { commitEverywhere, isDistributed, shareSettings } from '../../db/citus/layout.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { ArchiveError, busyIfGone } from '../archive/archives.ts'
import { hasClicks, mayStayIdle, startOfMonth } from '../archive/archives.queries.ts'
import { readClicks } from '../archive/click-rows.queries.ts'
import type { ClickMonths } from '../archive/click-months.ts'
import { thawAbandoned, whileFrozen } from './frozen-months.ts'
import { findFrozen } from './frozen-months.queries.ts'

export const monthsOnCluster: ClickMonths = {
  // Older versions had the table on the coordinator.
  async expectReady(db) {
    if (await isDistributed(db, 'click_seals')) return
    throw new ArchiveError(
      'The sums of archived clicks are not distributed yet. Stop the app and run db distribute first.',
    )
  },

  async whileStill(db, month, { refuse, move }) {
    if (!(await isWorthFreezing(db, month, refuse))) return undefined
    return whileFrozen(db, month, () =>
      inSnapshot(db, async (tx) => {
        await mayStayIdle(tx)
        return move(tx)
      }),
    )
  },

  // Day by day, because the coordinator stores a cursor's whole result before it returns the first row.
  async *read(tx, month) {
    const end = startOfMonth(addMonths(month, 1)).getTime()
    for (let day = startOfMonth(month).getTime(); day < end; day += DAY_MS) {
      const next = new Date(day + DAY_MS)
      yield* readClicks(
        tx,
        month,
        sql`where clicked_at >= ${new Date(day)} and clicked_at < ${next} order by clicked_at`,
      )
    }
  },

  commitAsOne: commitEverywhere,

  // Otherwise attaching would first copy the month to the workers, and all clicks would wait for that.
  async place(tx, table) {
    await sql`
      select create_distributed_table(${table}::regclass, 'agent_id', colocate_with => 'clicks')
    `.execute(tx)
  },

  findStill: findFrozen,
  release: thawAbandoned,
}

const DAY_MS = 86_400_000

/** Its settings, such as how long it waits for locks, count on every machine. */
const inSnapshot = <T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(
    db,
    async (tx) => {
      await shareSettings(tx)
      return fn(tx)
    },
    { isolation: 'repeatable read' },
  )

/** All clicks wait for each freezing and thawing, which the hourly task would repeat for ever for a month that stays. */
const isWorthFreezing = (db: Db, month: Day, refuse: (tx: Tx) => Promise<void>): Promise<boolean> =>
  inSnapshot(db, async (tx) => {
    await liftStatementTimeout(tx)
    if (!(await hasClicks(tx, month).catch(busyIfGone))) return false
    await refuse(tx)
    return true
  })
