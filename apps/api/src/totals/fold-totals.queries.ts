import type { Day } from '@tallyroom/domain/new-york'
import { sql, type RawBuilder } from 'kysely'
import { columns } from '../db/columns.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Level, type Unit, metrics } from './levels.ts'

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

/** The sums of columns, under their names. */
export const sums = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

/** The first day of a level's unit, of a row with a `day`. */
export const dayOfLevel = ({ unit }: Level): RawBuilder<unknown> => firstDays[unit]

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
