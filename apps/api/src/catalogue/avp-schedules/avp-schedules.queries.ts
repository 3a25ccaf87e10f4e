import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { AvpStep } from '../../totals/index.ts'
import { changeSealed, insertSealedRows } from '../../seals/index.ts'

/** A tier with its rates per sale, in minor units. */
export type StoredTier = Omit<AvpStep, 'scheduleFrom'>

/** Tiers in order, in effect from a Monday until the next schedule begins. */
export type StoredSchedule = { validFrom: Day; version: number; tiers: StoredTier[] }

/** All tiers of the schedules that apply to a report, in one list. SQL refers to a tier by its position. */
export const stepsOf = (schedules: readonly StoredSchedule[]): AvpStep[] =>
  schedules.flatMap(({ validFrom, tiers }) =>
    tiers.map((tier) => ({ ...tier, scheduleFrom: validFrom })),
  )

/** All schedules, oldest first. There are few. */
export async function findSchedules(tx: DbOrTx): Promise<StoredSchedule[]> {
  const rows = await tx
    .selectFrom('avp_tiers')
    .selectAll()
    .orderBy('valid_from')
    .orderBy('index')
    .execute()
  const schedules: StoredSchedule[] = []
  for (const row of rows) {
    let schedule = schedules.at(-1)
    if (schedule?.validFrom !== row.valid_from) {
      schedule = { validFrom: row.valid_from, version: row.version, tiers: [] }
      schedules.push(schedule)
    }
    schedule.tiers.push({
      index: row.index,
      from: row.from_sales,
      to: row.to_sales,
      payoutCentavos: row.payout_centavos,
      payoutCents: row.payout_cents,
    })
  }
  return schedules
}

/** The schedules in effect on any day of a range, oldest first. */
export async function findSchedulesOf(tx: DbOrTx, range: DateRange): Promise<StoredSchedule[]> {
  const schedules = await findSchedules(tx)
  return schedules.filter(
    ({ validFrom }, position) =>
      validFrom <= range.end && (schedules[position + 1]?.validFrom ?? '9999') > range.start,
  )
}

/** Serializes changes of schedules, so that validation still holds when writing. Does not block readers. */
export const lockSchedules = (tx: Tx) =>
  sql`lock table avp_tiers in share row exclusive mode`.execute(tx)

export const insertSchedule = (tx: Tx, { validFrom, version, tiers }: StoredSchedule) =>
  insertSealedRows(
    tx,
    'avp_tiers',
    tiers.map((tier) => ({
      valid_from: validFrom,
      version,
      index: tier.index,
      from_sales: tier.from,
      to_sales: tier.to,
      payout_centavos: tier.payoutCentavos,
      payout_cents: tier.payoutCents,
    })),
  )

export const deleteSchedule = (tx: Tx, validFrom: Day) =>
  changeSealed(tx, 'avp_tiers', { valid_from: validFrom }, () =>
    tx.deleteFrom('avp_tiers').where('valid_from', '=', validFrom).execute(),
  )
