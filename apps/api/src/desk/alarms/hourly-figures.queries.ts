import { HOUR_MS, type Watched } from '@tallyroom/domain/alarms'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { typeOf } from '../../db/event-types.ts'

/** The numbers of a day of UTC, one for each of its 24 hours. */
export type DayFigures = { clicks: number[]; sales: number[]; refused: number[] }

export type Subject = { watched: Watched; id: number }

export const keyOf = ({ watched, id }: Subject): string => `${watched}:${id}`

type Counted = {
  hour: number
  /** Null if it has been deleted. */
  site_id: number | null
  type_id: number | null
  office_id: number | null
  count: number
}

/**
 * Counts what came within whole hours, and replaces what was known of them. Late clicks count when they were made, sales when
 * they were recorded, because a merchant may report once a night.
 */
export async function countHours(tx: Tx, from: Date, to: Date): Promise<void> {
  const counted = {
    clicks: await countClicks(tx, from, to),
    sales: await countSales(tx, from, to),
    refused: await countRefused(tx, from, to),
  }
  for (let start = dayStart(from); start < to; start = new Date(start.getTime() + 24 * HOUR_MS)) {
    const day = start.toISOString().slice(0, 10)
    await writeDay(tx, day, patchOf(await findDay(tx, day), counted, { start, from, to }))
  }
}

const dayStart = (at: Date) => new Date(Math.floor(at.getTime() / 86_400_000) * 86_400_000)

/** The rows of a day with the counted hours replaced. */
function patchOf(
  present: ReadonlyMap<string, Subject & DayFigures>,
  counted: Record<keyof DayFigures, Counted[]>,
  { start, from, to }: { start: Date; from: Date; to: Date },
): (Subject & DayFigures)[] {
  const first = start.getTime() / HOUR_MS
  const isCounted = (place: number) => {
    const at = (first + place) * HOUR_MS
    return at >= from.getTime() && at < to.getTime()
  }
  const rows = new Map(
    [...present].map(([key, row]) => {
      const cleared = (counts: number[]) =>
        counts.map((count, place) => (isCounted(place) ? 0 : count))
      const { clicks, sales, refused } = row
      return [
        key,
        { ...row, clicks: cleared(clicks), sales: cleared(sales), refused: cleared(refused) },
      ]
    }),
  )
  const add = (subject: Subject, figure: keyof DayFigures, place: number, count: number) => {
    const row = rows.get(keyOf(subject)) ?? {
      ...subject,
      clicks: noHours(),
      sales: noHours(),
      refused: noHours(),
    }
    rows.set(keyOf(subject), row)
    row[figure][place] = (row[figure][place] ?? 0) + count
  }
  for (const figure of ['clicks', 'sales', 'refused'] as const) {
    for (const { hour, site_id, type_id, office_id, count } of counted[figure]) {
      const place = hour - first
      if (place < 0 || place > 23) continue
      add({ watched: 'network', id: 0 }, figure, place, count)
      if (site_id !== null) add({ watched: 'site', id: site_id }, figure, place, count)
      if (type_id !== null) add({ watched: 'type', id: type_id }, figure, place, count)
      if (office_id !== null) add({ watched: 'office', id: office_id }, figure, place, count)
    }
  }
  return [...rows.values()]
}

const noHours = (): number[] => Array.from({ length: 24 }, () => 0)

const hourOf = (column: 'clicked_at' | 'recorded_at' | 'received_at') =>
  sql`floor(extract(epoch from ${sql.ref(column)}) / 3600)::integer`

/* Grouped further in JavaScript: a cluster takes no grouping sets of distributed tables. */

async function countClicks(tx: Tx, from: Date, to: Date): Promise<Counted[]> {
  const { rows } = await sql<Omit<Counted, 'site_id'> & { type_id: number }>`
    select ${hourOf('clicked_at')} as hour, type_id, office_id, count(*)::integer as count
    from clicks
    where clicked_at >= ${from} and clicked_at < ${to} and uncounted is null
    group by 1, 2, 3
  `.execute(tx)
  const types = await tx.selectFrom('link_types').select(['id', 'site_id']).execute()
  const siteOf = new Map(types.map(({ id, site_id }) => [id, site_id]))
  return rows.map((row) => ({ ...row, site_id: siteOf.get(row.type_id) ?? null }))
}

async function countSales(tx: Tx, from: Date, to: Date): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${hourOf('recorded_at')} as hour, site_id, type_id, office_id, count(*)::integer as count
    from sale_events
    where recorded_at >= ${from} and recorded_at < ${to} and event_type = ${typeOf.sale} and quantity = 1
    group by 1, 2, 3, 4
  `.execute(tx)
  return rows
}

async function countRefused(tx: Tx, from: Date, to: Date): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${hourOf('received_at')} as hour, site_id, null::integer as type_id,
      null::integer as office_id, count(*)::integer as count
    from postbacks
    where received_at >= ${from} and received_at < ${to}
      and outcome = 'refused' and not test and site_id is not null
    group by 1, 2
  `.execute(tx)
  return rows
}

async function findDay(tx: Tx, day: string): Promise<Map<string, Subject & DayFigures>> {
  const { rows } = await sql<Subject & DayFigures>`
    select watched, id, clicks, sales, refused from hourly_figures where day = ${day}
  `.execute(tx)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

async function writeDay(
  tx: Tx,
  day: string,
  rows: readonly (Subject & DayFigures)[],
): Promise<void> {
  await sql`
    insert into hourly_figures as present (day, watched, id, clicks, sales, refused)
    select ${day}::date, watched, id, clicks, sales, refused
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (watched text, id bigint, clicks integer[], sales integer[], refused integer[])
    on conflict (watched, id, day) do update
    set clicks = excluded.clicks, sales = excluded.sales, refused = excluded.refused
    where (present.clicks, present.sales, present.refused)
      is distinct from (excluded.clicks, excluded.sales, excluded.refused)
  `.execute(tx)
}

/** What is kept of some subjects since a day, in that order. */
export async function findFigures(
  db: DbOrTx,
  from: string,
  subjects: readonly Subject[],
): Promise<(Subject & DayFigures & { day: string })[]> {
  const { rows } = await sql<Subject & DayFigures & { day: string }>`
    select watched, id, day, clicks, sales, refused
    from hourly_figures
    join unnest(${subjects.map(({ watched }) => watched)}::text[], ${subjects.map(({ id }) => id)}::bigint[])
      as asked (watched, id) using (watched, id)
    where day >= ${from}
    order by watched, id, day
  `.execute(db)
  return rows
}

export async function forgetFigures(tx: Tx, before: string): Promise<void> {
  await sql`delete from hourly_figures where day < ${before}`.execute(tx)
}
