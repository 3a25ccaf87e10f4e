import { dayOf } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { foldAtOnce, rowsOf } from './fold-at-once.queries.ts'
import { hasPending, lockInTurn, openNewestDay } from './fold-totals.queries.ts'
import type { TotalsStore } from './totals-store.ts'
import {
  deleteOfficeWeeks,
  insertOfficeWeeks,
  keepWeekAvp,
  type OfficeWeeks,
  officeWeeksOf,
} from './week-avp.queries.ts'

/** On one server, every transaction has one snapshot, and a fold is one statement. */
export const totalsOnOneServer: TotalsStore = {
  mayLack: hasPending,
  async foldAhead(fold) {
    await fold()
  },

  async fold(tx) {
    const days = await openNewestDay(tx)
    if (!days) return false
    const changed = await foldAtOnce(tx, days)
    if (changed.length > 0) await keepWeekAvp(tx, rowsOf(changed), remakeOfficeWeeks)
    if (days.closedDay) await remakeOfficeWeeks(tx, officeWeeksOf(days.closedDay))
    return true
  },

  lockFolds: (tx, patience) => lockInTurn(tx, 'totals_pending', patience),
  lock: (tx) => lockInTurn(tx, 'totals_pending'),
  takeSnapshot: () => Promise.resolve(),

  async findDayToOpen(tx) {
    const clicks = await tx
      .selectFrom('clicks')
      .select(({ fn }) => fn.max('clicked_at').as('at'))
      .executeTakeFirst()
    const sales = await tx
      .selectFrom('sale_events')
      .select(({ fn }) => fn.max('occurred_at').as('at'))
      .executeTakeFirst()
    const sealed = await tx
      .selectFrom('click_seals')
      .select(({ fn }) => fn.max('day').as('day'))
      .executeTakeFirst()
    return [clicks?.at, sales?.at, sealed?.day]
      .flatMap((newest) =>
        newest ? [typeof newest === 'string' ? newest : dayOf(newest.getTime())] : [],
      )
      .toSorted()
      .at(-1)
  },

  remakeOfficeWeeks,
}

/** Rows that remain are updated in place, since most changes are only clicks. */
async function remakeOfficeWeeks(tx: Tx, changed: OfficeWeeks): Promise<void> {
  const remains = sql`
    exists (
      select 1 from totals_week_agent as below
      where below.office_id = present.office_id and below.day = present.day
        and below.week_avp_sales = present.week_avp_sales
    )
  `
  await deleteOfficeWeeks(tx, changed, sql`not ${remains}`)
  await insertOfficeWeeks(tx, changed)
}
