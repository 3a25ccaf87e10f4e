import { monthOf } from '@tallyroom/domain/new-york'
import type { Db, Tx } from '../../db/database.ts'
import { errorCode, inTransaction } from '../../db/transaction.ts'
import { addToLevel, hasPending, lockTotals, takePending } from './daily-totals.queries.ts'
import { LEVELS, type Level } from './levels.ts'
import type { TotalsDelta } from './totals-delta.ts'

/** How long a report waits for another fold before it reads what is folded already. */
const patienceMs = 1_000

/**
 * Brings what the events have added since the last fold into every level, in one transaction: a reader
 * sees an event in all levels or in none. Run about once a second, and before a report is read, so that
 * the report holds everything that was committed before it was asked for.
 *
 * 'busy' when another fold or a rebuild holds the levels for longer than a second.
 */
export async function foldTotals(db: Db): Promise<'folded' | 'nothing to fold' | 'busy'> {
  if (!(await hasPending(db))) return 'nothing to fold'
  try {
    await inTransaction(db, async (tx) => {
      await lockTotals(tx, { patienceMs })
      await fold(tx)
    })
    return 'folded'
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return 'busy'
    throw error
  }
}

const lockNotAvailable = '55P03'

async function fold(tx: Tx): Promise<void> {
  const taken = await takePending(tx)
  if (taken.length === 0) return
  const detailRows: LevelRow[] = []
  for (const level of LEVELS) {
    const rows = atLevel(level, taken)
    if (level.table === 'totals_day_agent') {
      detailRows.push(...(await addToLevel(tx, level, rows)))
    } else if (level.sums.includes('detail_rows')) {
      await addToLevel(tx, level, atLevel(level, [...taken, ...detailRows]))
    } else {
      await addToLevel(tx, level, rows)
    }
  }
}

/** A row of some level: its day, its dimensions and its sums, by column name. */
export type LevelRow = { day: string } & Record<string, string | number>

/** Sums rows up to a level, in the order of its key: concurrent writers then lock alike. */
export function atLevel(level: Level, rows: readonly (TotalsDelta | LevelRow)[]): LevelRow[] {
  const sums = new Map<string, LevelRow>()
  for (const row of rows) {
    const values: Record<string, string | number | undefined> = row
    const day = level.unit === 'month' ? monthOf(row.day) : row.day
    const key = [day, ...level.dimensions.map((column) => values[column])].join(' ')
    let sum = sums.get(key)
    if (!sum) {
      sum = { day }
      for (const column of level.dimensions) sum[column] = Number(values[column])
      for (const column of level.sums) sum[column] = 0
      sums.set(key, sum)
    }
    for (const column of level.sums) sum[column] = Number(sum[column]) + Number(values[column] ?? 0)
  }
  return [...sums.values()].toSorted(byKey(level.key))
}

const byKey = (key: readonly string[]) => (a: LevelRow, b: LevelRow) => {
  for (const column of key) {
    const [left, right] = [a[column] ?? 0, b[column] ?? 0]
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}
