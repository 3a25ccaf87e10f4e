import type { Day } from '@tallyroom/domain/new-york'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { shareSettings } from '../db/citus/layout.ts'
import { columns } from '../db/list-query.ts'
import type { Db, Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import {
  agentWeekLevel,
  clickMetrics,
  coarsestLevel,
  hasOpenDay,
  isMoney,
  type Level,
  metrics,
  otherMetrics,
  summedLevels,
  type Unit,
} from './levels.ts'

/** How long a transaction waits for a lock before it fails with 55P03. Without it, it waits indefinitely. */
export type Patience = { patienceMs?: number }

/**
 * Lets one transaction after the other change the levels. Make it the first statement: in `repeatable read` the snapshot is then
 * taken after the lock.
 */
export async function lockInTurn(
  tx: Tx,
  table: 'totals_pending' | 'totals_day_office',
  { patienceMs }: Patience = {},
): Promise<void> {
  if (patienceMs !== undefined) await limitLocks(tx, patienceMs)
  await sql`lock table ${sql.table(table)} in share update exclusive mode`.execute(tx)
}

/** Limits how long the rest of a transaction waits for each lock, on the workers of a cluster, too; 0 means without end. */
export async function limitLocks(tx: Tx, patienceMs: number): Promise<void> {
  await shareSettings(tx)
  await sql`set local lock_timeout = ${sql.lit(`${patienceMs}ms`)}`.execute(tx)
}

/** Lifts the statement timeout: reading all events of a large database takes minutes. */
export const liftStatementTimeout = (tx: Tx) => limitStatements(tx, 0)

/**
 * The timeout of each further statement of the transaction; 0 means none. Such statements read whole tables, so
 * workers may help, which the app's sessions otherwise do without.
 */
export const limitStatements = (tx: Tx, seconds: number) =>
  sql`
    set local statement_timeout = ${sql.lit(seconds * 1_000)};
    set local max_parallel_workers_per_gather = 2
  `.execute(tx)

/** Whose totals, and up to which day. Without them: everybody's, of any day. */
export type Reach = { scope?: Scope | undefined; until?: Day | undefined }

/** Whether events have added anything that the levels do not have yet. */
export async function hasPending(db: Db, { scope, until }: Reach = {}): Promise<boolean> {
  let pending = db.selectFrom('totals_pending').modifyFront(prepared).select('day').limit(1)
  if (until !== undefined) pending = pending.where('day', '<=', until)
  if (scope?.sees === 'office') pending = pending.where('office_id', '=', scope.officeId)
  if (scope?.sees === 'agent') pending = pending.where('agent_id', '=', scope.agentId)
  return (await pending.executeTakeFirst()) !== undefined
}

/** Reclaims the space of folded rows, so that the table stays a few pages small. Only the owner may vacuum. */
export const vacuumPending = (owner: Db) =>
  sql`vacuum (truncate false) totals_pending`.execute(owner)

/**
 * Rows to add to the levels: a day, all dimensions and the metrics. Negative metrics are
 * subtracted.
 */
export type Addition = {
  rows: RawBuilder<unknown>
  /** How many (day, agent) rows they add or remove, by day and office. */
  detailRows: RawBuilder<unknown>
}

/** Sums rows up to a level and adds them to it, without the open day where the level leaves it out. */
export async function addToLevel(
  tx: Tx,
  level: Level,
  addition: Addition,
  openDay: Day | undefined,
): Promise<void> {
  await insertInto(level, addition, openDay).execute(tx)
}

/** The statement of {@link addToLevel}. */
export function insertInto(
  level: Level,
  addition: Addition,
  openDay: Day | undefined,
): RawBuilder<unknown> {
  const keeps = ['day', ...level.dimensions, ...level.sums]
  return sql`
    insert into ${sql.table(level.table)} as present (${columns(keeps)})
    select ${dayOfLevel(level)}, ${columns(level.dimensions)}, ${sums(level.sums)}
    from ${keptRows(level, rowsFor(level, addition), openDay)} as added
    group by ${dayOfLevel(level)}, ${columns(level.dimensions)}
    on conflict (${columns(level.key)}) do update
    set ${sql.join(level.sums.map(raise))}
  `
}

/** Whether a level keeps a row with a `day`. */
export const isKeptBy = ({ unit }: Level, openDay: Day | undefined): RawBuilder<boolean> =>
  hasOpenDay(unit)
    ? sql<boolean>`true`
    : sql<boolean>`day is distinct from ${openDay ?? null}::date`

/** What a level keeps of some rows: nothing of the open day, everything but its clicks, or all of it. */
export function keptRows(
  level: Level,
  rows: RawBuilder<unknown>,
  openDay: Day | undefined,
): RawBuilder<unknown> {
  if (level.unit !== 'week') {
    return sql`(select * from (${rows}) as rows where ${isKeptBy(level, openDay)})`
  }
  const clicks = clickMetrics.map((name) => {
    const metric = sql.ref(name)
    return sql`case when day = ${openDay ?? null}::date then 0 else ${metric} end as ${metric}`
  })
  return sql`(
    select day, ${columns(level.dimensions)}, ${sql.join(clicks)}, ${columns(otherMetrics)}
    from (${rows}) as rows
  )`
}

/** Columns of totals, of whose figures all but those of clicks are 0. */
export const onlyClicks = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => (isZero.has(name) ? sql`0 as ${sql.ref(name)}` : sql.ref(name))))

const isZero = new Set<string>([...otherMetrics, 'week_avp_sales'])

/** The newest day, which months and half-months leave out, and of which weeks leave out the clicks. */
export async function findOpenDay(tx: Tx): Promise<Day | undefined> {
  const row = await tx.selectFrom('totals_open_day').select('day').executeTakeFirst()
  return row?.day
}

/** The open day, and whether everything pending is of that day. */
export type PendingDays = {
  openDay: Day | undefined
  areAllOpen: boolean
  /** The open day until now, if a later one begins. */
  closedDay?: Day | undefined
}

/**
 * If something is pending for a day later than all in the levels, that day is now the open one, and the one before is
 * added to the levels that left it out. The weeks of offices are left to the caller (`remakeOfficeWeeks`).
 * @returns undefined if nothing is pending.
 */
export async function openNewestDay(tx: Tx): Promise<PendingDays | undefined> {
  const { rows } = await sql<{ open: Day | null; oldest: Day | null; newest: Day | null }>`
    ${prepared}
    select (select day from totals_open_day) as open, min(day) as oldest, max(day) as newest
    from totals_pending
  `.execute(tx)
  const { open, oldest, newest } = rows[0] ?? {}
  if (!oldest || !newest) return undefined
  return openPendingDay(tx, { open: open ?? undefined, oldest, newest })
}

/**
 * The same for pending rows of these days, while `open` is the open one. On a cluster, no day is open between a rebuild and
 * the next day's first event.
 */
export async function openPendingDay(
  tx: Tx,
  { open, oldest, newest }: { open: Day | undefined; oldest: Day; newest: Day },
): Promise<PendingDays> {
  const latest = open ?? (await findLatestDay(tx))
  if (latest !== undefined && newest <= latest) {
    return { openDay: open, areAllOpen: oldest === open }
  }
  // First the table that is on every machine of a cluster, which wants it before work on many shards.
  await tx.deleteFrom('totals_open_day').execute()
  await tx.insertInto('totals_open_day').values({ day: newest }).execute()
  if (open) await closeDay(tx, open)
  return { openDay: newest, areAllOpen: oldest === newest, closedDay: open }
}

async function closeDay(tx: Tx, day: Day): Promise<void> {
  for (const level of summedLevels.filter(({ unit }) => !hasOpenDay(unit))) {
    const { table, dimensions } = coarsestLevel(level.dimensions, 'day')
    const addition = {
      rows: sql`
        select day, ${columns(dimensions)}, ${columns(metrics)}
        from ${sql.table(table)}
        where day = ${day}::date
      `,
      detailRows: sql`
        select day, office_id, detail_rows from totals_day_office where day = ${day}::date
      `,
    }
    await addToLevel(tx, level, addition, undefined)
  }
  const clicks = sql`
    select ${onlyClicks(['day', ...agentWeekLevel.dimensions, ...metrics])}
    from totals_day_agent
    where day = ${day}::date
  `
  await addToLevel(tx, agentWeekLevel, { rows: clicks, detailRows: sql`` }, undefined)
}

async function findLatestDay(tx: Tx): Promise<Day | undefined> {
  const row = await tx
    .selectFrom('totals_day_office')
    .select(({ fn }) => fn.max('day').as('day'))
    .executeTakeFirst()
  return row?.day ?? undefined
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

/** Deletes what is pending: in `repeatable read`, exactly the rows that this transaction has added. */
export const deletePending = (tx: Tx) => sql`delete from totals_pending`.execute(tx)

export const raise = (column: string) =>
  sql`${sql.ref(column)} = ${sql.ref(`present.${column}`)} + ${sql.ref(`excluded.${column}`)}`

/** Sums of columns, under the columns' names and in their types. */
export const sums = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`${sumOf(name)} as ${sql.ref(name)}`))

/** The sum of bigints is a numeric, which takes longer than the rest of a row. Clicks add no money. */
function sumOf(name: string): RawBuilder<number> {
  const column = sql.ref(name)
  return isMoney(name)
    ? sql`coalesce((sum(${column}) filter (where ${column} <> 0))::bigint, 0)`
    : sql`sum(${column})::integer`
}

/** The first day of a level's unit, for a row with a `day`. */
export const dayOfLevel = ({ unit }: Level): RawBuilder<unknown> => firstDays[unit]

const firstDays = {
  day: sql`day`,
  week: weekOf(sql`day`),
  beWeek: sql`date_trunc('month', day)::date + case when extract(day from day) > 15 then 15 else 0 end`,
  month: sql`date_trunc('month', day)::date`,
} as const satisfies Record<Unit, RawBuilder<unknown>>

/** The Monday of a day's week, by arithmetic alone: 0001-01-01 was a Monday. */
export function weekOf(day: RawBuilder<unknown>): RawBuilder<Day> {
  return sql<Day>`${day} - (${day} - date '0001-01-01') % 7`
}
