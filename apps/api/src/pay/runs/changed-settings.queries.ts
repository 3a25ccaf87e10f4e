import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, placeOf } from '../../seals/index.ts'

/** What the settings of pay decide about what is paid, and to whom. */
const deciding = ['avp', 'payees'] as const
type Deciding = (typeof deciding)[number]

/** That somebody changed the settings by which periods from a day on are paid. */
export type SettingsChange = {
  deed: 'changed settings'
  by: number
  byName: string
  at: Date
  /** The first day of the first period that they are in force for. */
  from: Day
  /** The same day: the deed names it. */
  of: Day
  changed: { field: Deciding; was: string; is: string }[]
}

type Row = { id: number; by: number; byName: string; at: Date; from: Day; place: number } & Record<
  Deciding,
  string
>

/**
 * The changes of settings that are in force, oldest first. What was saved and taken back before its first period began changes
 * nothing, and with what pay was switched on is no change: it is what the first of them is compared with.
 *
 * @param since the place in the chain of seals after which they count
 */
export async function findSettingsChanges(
  db: DbOrTx,
  { since, before = Infinity }: { since: number } & AsOf,
): Promise<SettingsChange[]> {
  const { rows } = await sql<Row>`
    select
      settings.id, settings.set_by as by, coalesce(account.username, 'somebody who has left') as "byName",
      settings.set_at as at, settings.from_day as from, settings.avp, settings.payees,
      ${placeOf('pay_settings', sql`settings.id::text`)} as place
    from pay_settings as settings
    left join accounts as account on account.id = settings.set_by
    order by settings.from_day, settings.id
  `.execute(db)
  return changesAmong(rows.filter(({ place }) => place < before)).flatMap(
    ({ row: { by, byName, at, from, place }, changed }): SettingsChange[] =>
      place > since ? [{ deed: 'changed settings', by, byName, at, from, of: from, changed }] : [],
  )
}

/** Of the rows in the order in which they take effect: those that changed something, and what. */
function changesAmong(rows: readonly Row[]): { row: Row; changed: SettingsChange['changed'] }[] {
  const changes = new Map<Row, SettingsChange['changed']>()
  // Those may begin after others, if the first day was moved.
  const switchedOn = rows.toSorted((a, b) => a.id - b.id)[0]
  let before = switchedOn
  // The last row of a day is the one in force.
  for (const ofDay of Map.groupBy(rows, ({ from }) => from).values()) {
    const last = ofDay.at(-1)
    for (const field of deciding) {
      if (!before || !last || before[field] === last[field]) continue
      // Whoever saved it first of those after whom it stayed: the others have only sent it back.
      const row = ofDay[ofDay.findLastIndex((one) => one[field] !== last[field]) + 1] ?? last
      if (row === switchedOn) continue
      const changed = changes.get(row) ?? []
      changes.set(row, [...changed, { field, was: before[field], is: last[field] }])
    }
    before = last
  }
  return [...changes].map(([row, changed]) => ({ row, changed }))
}
