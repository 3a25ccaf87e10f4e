import type { Day } from '@tallyroom/domain/new-york'
import { type ChartGroupBy, daysInRange } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/list-query.ts'
import type { Tx } from '../../db/database.ts'
import {
  isAnsweredByOffices,
  metrics,
  type Metric,
  totalsSource,
  type TotalsQuestion,
} from '../../totals/index.ts'
import { sortJoins } from './joined-columns.queries.ts'
import {
  agentsOf,
  daysOf,
  keysOf,
  keyText,
  nameColumns,
  nameJoins,
  orderOf,
  type ReportQuestion,
  type RowKey,
  type RowNames,
  rowsAreDetails,
  sortSource,
  totalsQuestion,
  typeDimension,
} from './report-question.queries.ts'

/** Sums of the metrics. `type_{id}` is a link type's sales, `payout_{id}` what they pay in centavos. */
export type Sums = Record<Metric, number> & Record<`${'type' | 'payout'}_${number}`, number>

export type ReportRow = RowKey & RowNames & Sums & { lpp_prev?: number }

/**
 * One page of rows in the requested order, and the total number of rows. If the page is a small
 * part of the result, all rows are only sorted, and the sums are read just for those of the page.
 */
export async function findRows(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  part: Part,
): Promise<{ rows: ReportRow[]; rowCount: number }> {
  const keysFirst = isNarrowedByPage(scope, question, part)
  const shown = keysFirst ? grouped(keysOf(question.groupBy)) : sql`grouped.*`
  const page = await readPage(tx, scope, question, { ...part, shown })
  // A page past the end has no row that could carry the count.
  const rowCount = page[0]?.row_count ?? (await countRows(tx, scope, question))
  return { rows: keysFirst ? await withSums(tx, scope, question, page) : page, rowCount }
}

type Part = { limit: number; offset: number }

/**
 * Whether the page has few of the agents or days that the question covers. The number of agents
 * with rows is known only after the page was read, so if all of them fit on it, their totals are
 * read twice.
 */
const isNarrowedByPage = (
  scope: Scope,
  { groupBy, range, filter, sort }: ReportQuestion,
  { limit }: Part,
): boolean =>
  scope.sees === 'everything' &&
  filter.officeId === undefined &&
  filter.agentIds === undefined &&
  (groupBy === 'date'
    ? sort.column === 'date' && daysInRange(range) > limit
    : keysOf(groupBy).includes('agent_id') && !isRowOfTotals({ groupBy, filter }))

/** The planner drops the sums that are neither shown nor sorted by. */
async function readPage(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  { limit, offset, shown }: Part & { shown: RawBuilder<unknown> },
): Promise<(ReportRow & { row_count?: number })[]> {
  const counts = !isRowOfTotals(question)
  const byName = sortSource(question) === 'names'
  const page = sql`order by ${orderOf(question)} limit ${limit} offset ${offset}`
  const { rows } = await sql<ReportRow & { row_count?: number }>`
    with grouped as (
      select grouped.* ${counts ? sql`, count(*) over () as row_count` : sql``}
      from (${groupedTotals(scope, question)}) as grouped
      ${byName ? sql`` : page}
    )
    select ${shown} ${counts ? sql`, grouped.row_count` : sql``} ${nameColumns(question.groupBy)}
    from grouped
    ${nameJoins(question.groupBy)}
    ${byName ? page : sql`order by ${orderOf(question)}`}
  `.execute(tx)
  return rows
}

/** The sums of a page's rows, which so far have only keys and names. */
async function withSums<Row extends RowKey & RowNames>(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  page: readonly Row[],
): Promise<(Row & Sums)[]> {
  const agentIds = agentsOf(page)
  const ofPage = {
    ...question,
    range: daysOf(page) ?? question.range,
    filter: agentIds.length > 0 ? { ...question.filter, agentIds } : question.filter,
  }
  const { rows } = await summedTotals(scope, ofPage).execute(tx)
  const sumsOf = new Map(rows.map((row) => [keyText(question.groupBy, row), row]))
  return page.flatMap((row) => {
    const sums = sumsOf.get(keyText(question.groupBy, row))
    return sums ? [{ ...sums, ...row }] : []
  })
}

const grouped = (names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`grouped.${name}`)))

/**
 * All rows in the requested order, in parts of `size`, read by cursor on demand. A transaction
 * streams one report at a time.
 */
export async function* streamRows(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  size: number,
): AsyncGenerator<ReportRow[]> {
  await sql`
    declare report_rows no scroll cursor for
    select grouped.* ${nameColumns(question.groupBy)}
    from (${groupedTotals(scope, question)}) as grouped
    ${nameJoins(question.groupBy)}
    order by ${orderOf(question)}
  `.execute(tx)
  for (;;) {
    const { rows } = await sql<ReportRow>`
      fetch forward ${sql.lit(size)} from report_rows
    `.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await sql`close report_rows`.execute(tx)
}

/** All rows of a grouping, with the sort column. */
function groupedTotals(scope: Scope, question: ReportQuestion): RawBuilder<unknown> {
  const sums = summedTotals(scope, question)
  const join = sortJoins[sortSource(question)]?.(scope, question)
  if (!join) return sums
  return sql`select * from (${sums}) as grouped left join (${join.select}) as other ${join.on}`
}

/** All rows of a grouping. */
function summedTotals(scope: Scope, question: ReportQuestion): RawBuilder<RowKey & Sums> {
  const keys = keysOf(question.groupBy)
  const totals = totalsQuestion(question)
  const source = totalsSource(scope, totals, sourceColumns(totals, keys))
  return isRowOfTotals(question)
    ? sql`select ${columns(keys)}, ${columns(metrics)} from ${source} as totals`
    : sql`
        select ${columns(keys)}, ${sumColumns(question)}
        from ${source} as totals
        group by ${columns(keys)}
      `
}

/** Whether rows of a level can be returned as they are, so that a page can be read in index order. */
const isRowOfTotals = ({ groupBy, filter }: Pick<ReportQuestion, 'groupBy' | 'filter'>) =>
  rowsAreDetails(groupBy) &&
  filter.siteId === undefined &&
  filter.typeId === undefined &&
  filter.tier === undefined

/** The sums over everything that the question covers. */
export async function findOverall(tx: Tx, scope: Scope, question: ReportQuestion): Promise<Sums> {
  const totals = { ...totalsQuestion(question), dimensions: typeDimension(question), byDay: false }
  const { rows } = await sql<Sums>`
    select ${sumColumns(question)}
    from ${totalsSource(scope, totals, sourceColumns(totals, []))} as totals
  `.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('a sum without groups always has a row')
  return sums
}

/** The sums of each day, or each month by its first day, that has any totals. */
export async function findCourse(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  unit: ChartGroupBy,
): Promise<(Sums & { day: Day })[]> {
  const totals = {
    ...totalsQuestion(question),
    dimensions: typeDimension(question),
    byDay: unit === 'day',
  }
  // Months are the coarsest unit, and the edges of a range use finer ones, so no row covers days of
  // two months.
  const bucket = unit === 'day' ? sql`day` : sql`date_trunc('month', day)::date`
  const { rows } = await sql<Sums & { day: Day }>`
    select ${bucket} as day, ${sumColumns(question)}
    from ${totalsSource(scope, totals, sourceColumns(totals, ['day']))} as totals
    group by 1
  `.execute(tx)
  return rows
}

/** How many rows a grouping has. Offices keep the number of their detail rows, so a long list need not be read. */
export async function countRows(tx: Tx, scope: Scope, question: ReportQuestion): Promise<number> {
  const totals = { ...totalsQuestion(question), dimensions: [] }
  const keys = keysOf(question.groupBy)
  const isKept = rowsAreDetails(question.groupBy) && isAnsweredByOffices(scope, totals)
  const { rows } = isKept
    ? await sql<{ rows: number }>`
        select coalesce(sum(detail_rows), 0)::bigint as rows
        from ${totalsSource(scope, { ...totals, byDay: false }, ['detail_rows'])} as totals
      `.execute(tx)
    : await sql<{ rows: number }>`
        select count(*) as rows
        from (
          select distinct ${columns(keys)}
          from ${totalsSource(scope, totalsQuestion(question), keys)} as totals
        ) as keys
      `.execute(tx)
  return rows[0]?.rows ?? 0
}

const sourceColumns = ({ dimensions }: TotalsQuestion, keys: readonly string[]): string[] => [
  ...new Set([...keys, ...dimensions, ...metrics]),
]

const sumColumns = ({ typeIds, table: { pays } }: ReportQuestion) =>
  sql.join([
    ...metrics.map(
      (metric) => sql`coalesce(sum(${sql.ref(metric)}), 0)::bigint as ${sql.ref(metric)}`,
    ),
    ...typeIds.map(
      (id) =>
        sql`coalesce(sum(sales) filter (where type_id = ${id}), 0)::bigint as ${sql.ref(`type_${id}`)}`,
    ),
    ...(pays === 'rates' ? typeIds : []).map(
      (id) =>
        sql`coalesce(sum(payout_centavos) filter (where type_id = ${id}), 0)::bigint as ${sql.ref(`payout_${id}`)}`,
    ),
  ])
