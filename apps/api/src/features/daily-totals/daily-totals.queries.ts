import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Level, Unit } from './levels.ts'
import { metrics } from './totals-delta.ts'

/**
 * Held by whoever changes the levels, until its transaction ends; events may go on. To be the transaction's
 * first statement: in `repeatable read` its snapshot is then taken once the lock is there.
 *
 * @throws 55P03 when another holds it for longer than `patienceMs`; without that it waits as long as it takes.
 */
export async function lockTotals(
  tx: Tx,
  { patienceMs }: { patienceMs?: number } = {},
): Promise<void> {
  if (patienceMs !== undefined) {
    await sql`set local lock_timeout = ${sql.lit(`${patienceMs}ms`)}`.execute(tx)
  }
  await sql`lock table totals_pending in share update exclusive mode`.execute(tx)
}

/**
 * The same, and no event is written meanwhile. On a distributed database the machines have no snapshot in
 * common: whoever reads events and totals together there has to keep both still.
 */
export const lockTotalsAndEvents = (tx: Tx) =>
  sql`lock table totals_pending in exclusive mode`.execute(tx)

/** Reading all events takes minutes on a large database, longer than requests may. */
export const takeYourTime = (tx: Tx) => sql`set local statement_timeout = 0`.execute(tx)

export async function hasPending(db: Db): Promise<boolean> {
  const row = await db.selectFrom('totals_pending').select('day').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Frees the room of folded rows: the table stays a few pages small, whatever the load. As its owner, who
 * alone may vacuum.
 */
export const vacuumPending = (owner: Db) =>
  sql`vacuum (truncate false) totals_pending`.execute(owner)

/** Rows to add to the levels: a day, all dimensions, and the metrics. Negative ones take away. */
export type Addition = {
  rows: RawBuilder<unknown>
  /** By day and office, how many (day, agent) rows come or go with them. */
  detailRows: RawBuilder<unknown>
}

/** What is pending. Its detail rows are those that the day and agent level does not have yet: add to that level last. */
export const pending: Addition = {
  rows: sql`select * from totals_pending`,
  detailRows: sql`
    select keys.day, keys.office_id, count(*) as detail_rows
    from (select distinct day, agent_id, office_id from totals_pending) as keys
    left join totals_day_agent as present using (agent_id, day, office_id)
    where present.agent_id is null
    group by keys.day, keys.office_id
  `,
}

/** Sums rows up to a level and adds them to it. */
export async function addToLevel(tx: Tx, level: Level, addition: Addition): Promise<void> {
  const keeps = ['day', ...level.dimensions, ...level.sums]
  await sql`
    insert into ${sql.table(level.table)} as present (${columns(keeps)})
    select ${dayOfLevel(level)}, ${columns(level.dimensions)}, ${sums(level.sums)}
    from (${rowsFor(level, addition)}) as added
    group by ${dayOfLevel(level)}, ${columns(level.dimensions)}
    on conflict (${columns(level.key)}) do update
    set ${sql.join(level.sums.map(raise))}
  `.execute(tx)
}

function rowsFor(level: Level, { rows, detailRows }: Addition): RawBuilder<unknown> {
  if (!level.sums.includes('detail_rows')) return rows
  return sql`
    select day, office_id, ${columns(metrics)}, 0 as detail_rows from (${rows}) as added
    union all
    select day, office_id, ${sql.join(metrics.map(() => sql`0`))}, detail_rows
    from (${detailRows}) as details
  `
}

/** Forgets what is pending. In `repeatable read` these are the rows that the same transaction has added up. */
export const deletePending = (tx: Tx) => sql`delete from totals_pending`.execute(tx)

const raise = (column: string) =>
  sql`${sql.ref(column)} = ${sql.ref(`present.${column}`)} + ${sql.ref(`excluded.${column}`)}`

/** Columns by their names, for SQL. */
export const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The sums of columns, under their names. */
export const sums = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

/** Every counted event as a row of the finest level: what the totals are made of. */
const countedEvents = sql`
  select
    (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day,
    agent_id, office_id, site_id, type_id,
    1 as raws, is_unique::integer as uniques, 0 as sales, 0 as bonus_sales, 0 as avp_sales,
    0::bigint as earning_cents, 0::bigint as bonus_earning_cents,
    0::bigint as payout_centavos, 0::bigint as bonus_payout_centavos, 0 as lpp
  from clicks
  where counted
  union all
  select
    (occurred_at at time zone ${sql.lit(NEW_YORK)})::date,
    agent_id, office_id, site_id, type_id,
    0, 0,
    case when event_type = 0 then quantity else 0 end,
    case when event_type = 1 then quantity else 0 end,
    case when event_type = 0 and avp then quantity else 0 end,
    case when event_type = 0 then earning_cents else 0 end,
    case when event_type = 1 then earning_cents else 0 end,
    case when event_type = 0 then payout_centavos else 0 end,
    case when event_type = 1 then payout_centavos else 0 end,
    lpp
  from sale_events
  where event_type in (0, 1)
`

/** Empties every level and what is pending: the events of the same snapshot are about to be counted anew. */
export async function clearTotals(tx: Tx, levels: readonly Level[]): Promise<void> {
  await deletePending(tx)
  for (const level of levels) await sql`delete from ${sql.table(level.table)}`.execute(tx)
}

/**
 * Counts all events into the finest level. In the order of days, as the rows came to be: a period's rows
 * then stand together on the disk.
 */
export async function countEvents(tx: Tx, level: Level): Promise<void> {
  await sql`
    insert into ${sql.table(level.table)} (day, ${columns(level.dimensions)}, ${columns(metrics)})
    select day, ${columns(level.dimensions)}, ${sums(metrics)}
    from (${countedEvents}) as events
    group by day, ${columns(level.dimensions)}
    order by day, ${columns(level.dimensions)}
  `.execute(tx)
}

/** Fills an empty level from a finer one, in the order of days. */
export async function deriveLevel(tx: Tx, level: Level, finer: Level): Promise<void> {
  const countsRows = level.sums.includes('detail_rows') && !finer.sums.includes('detail_rows')
  await sql`
    insert into ${sql.table(level.table)} (day, ${columns(level.dimensions)}, ${columns(level.sums)})
    select
      ${dayOfLevel(level)}, ${columns(level.dimensions)}, ${sums(countsRows ? metrics : level.sums)}
      ${countsRows ? sql`, count(*)` : sql``}
    from ${sql.table(finer.table)}
    group by ${dayOfLevel(level)}, ${columns(level.dimensions)}
    order by ${dayOfLevel(level)}, ${columns(level.dimensions)}
  `.execute(tx)
}

const dayOfLevel = ({ unit }: Level): RawBuilder<unknown> => firstDays[unit]

/** The first day of the unit that `day` is in. */
const firstDays = {
  day: sql`day`,
  week: weekOf(sql`day`),
  beWeek: sql`date_trunc('month', day)::date + case when extract(day from day) > 15 then 15 else 0 end`,
  month: sql`date_trunc('month', day)::date`,
} as const satisfies Record<Unit, RawBuilder<unknown>>

/** The Monday of a day's week, by arithmetic alone: 0001-01-01, the first day of all, was a Monday. */
export function weekOf(day: RawBuilder<unknown>): RawBuilder<Day> {
  return sql<Day>`${day} - (${day} - date '0001-01-01') % 7`
}

/** A row of a level whose sums are not those of the events. */
export type TotalsDifference = { level: string; row: string; expected: string; actual: string }

/** Compares a level, with what is pending for it, to the events: at most `limit` differences. */
export async function differencesOf(
  tx: Tx,
  level: Level,
  limit: number,
): Promise<TotalsDifference[]> {
  const dimensions = columns(level.dimensions)
  const { rows } = await sql<{ row: string; expected: string | null; actual: string | null }>`
    with expected as materialized (
      select ${dayOfLevel(level)} as day, ${dimensions}, ${sums(metrics)}
      from (${countedEvents}) as events
      group by ${dayOfLevel(level)}, ${dimensions}
    ),
    actual as materialized (
      select day, ${dimensions}, ${sums(metrics)}
      from (
        select day, ${dimensions}, ${columns(metrics)} from ${sql.table(level.table)}
        union all
        select ${dayOfLevel(level)}, ${dimensions}, ${columns(metrics)} from totals_pending
      ) as folded_and_pending
      group by day, ${dimensions}
    ),
    sides as (
      select day, ${dimensions}, row(${columns(metrics)})::text as expected, null::text as actual from expected
      union all
      select day, ${dimensions}, null, row(${columns(metrics)})::text from actual
    )
    select row(day, ${dimensions})::text as row, max(expected) as expected, max(actual) as actual
    from sides
    group by day, ${dimensions}
    having max(expected) is distinct from max(actual)
    order by day, ${dimensions}
    limit ${limit}
  `.execute(tx)
  return rows.map(({ row, expected, actual }) => ({
    level: level.table,
    row,
    expected: expected ?? 'no row',
    actual: actual ?? 'no row',
  }))
}

/** Compares an office level's counts of detail rows to the day and agent rows below it. */
export async function detailRowDifferences(
  tx: Tx,
  level: Level,
  limit: number,
): Promise<TotalsDifference[]> {
  const { rows } = await sql<{ row: string; expected: string; actual: string }>`
    with below as (
      select ${dayOfLevel(level)} as day, office_id, count(*) as detail_rows
      from totals_day_agent
      group by ${dayOfLevel(level)}, office_id
    )
    select
      row(day, office_id)::text as row,
      coalesce(below.detail_rows, 0)::text as expected,
      coalesce(present.detail_rows, 0)::text as actual
    from below
    full join ${sql.table(level.table)} as present using (day, office_id)
    where below.detail_rows is distinct from present.detail_rows
    order by day, office_id
    limit ${limit}
  `.execute(tx)
  return rows.map((difference) => ({ level: `${level.table}.detail_rows`, ...difference }))
}

/** Days, agents and link types whose unique clicks are not as many as their visitors. */
export async function uniqueClickDifferences(tx: Tx, limit: number): Promise<TotalsDifference[]> {
  const { rows } = await sql<{ row: string; expected: string; actual: string }>`
    select
      row(day, agent_id, type_id)::text as row,
      count(distinct ip)::text as expected,
      sum(is_unique::integer)::text as actual
    from (
      select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day, agent_id, type_id, ip, is_unique
      from clicks
      where counted
    ) as counted_clicks
    group by day, agent_id, type_id
    having count(distinct ip) <> sum(is_unique::integer)
    order by day, agent_id, type_id
    limit ${limit}
  `.execute(tx)
  return rows.map((difference) => ({ level: 'unique clicks', ...difference }))
}
