import { subOfView } from '@tallyroom/contract/figures/stats-table'
import { MOST_SUB_ROWS } from '@tallyroom/contract/sub-ids'
import type { Day } from '@tallyroom/domain/new-york'
import { type ChartGroupBy, daysInRange } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/list-query.ts'
import type { Tx } from '../../db/database.ts'
import {
  isAnsweredByOffices,
  isOneUnit,
  metrics,
  type Metric,
  totalsSource,
  type TotalsQuestion,
} from '../../totals/index.ts'
import {
  type AvpPay,
  type JoinedColumns,
  joinedNames,
  joinedSum,
  joinOf,
  payColumns,
  shownJoins,
  withJoins,
} from './joined-columns.queries.ts'
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
  sortedNameJoin,
  sortSource,
  type SortSource,
  totalsQuestion,
  typeDimension,
} from './report-question.queries.ts'

/** Sums of the metrics. `type_{id}` is a link type's sales, `payout_{id}` what they pay in centavos. */
export type Sums = Record<Metric, number> & Record<`${'type' | 'payout'}_${number}`, number>

export type ReportRow = RowKey & RowNames & Sums & Partial<JoinedColumns>

/** What a whole result adds up to. What the report does not show is undefined. */
export type WholeResult = { sums: Sums; previous: number | undefined; pay: AvpPay | undefined }

/**
 * How a page is read, whichever is the cheapest:
 *
 * - `everything at once`: there are few rows, so the statement that reads them all also adds them up.
 * - `keys, then sums`: the page is a small part of rows that have to be summed. All are only sorted; sums and joined columns
 *   are read just for the page.
 * - `index of names`: the page is a small part of a level's own rows, in the order of an index. Neither counted nor added up,
 *   which would read them all.
 * - `rows`: the page as it is. The whole is cheaper to read on its own.
 */
type Plan = 'everything at once' | 'keys, then sums' | 'index of names' | 'rows'

function planOf(scope: Scope, question: ReportQuestion, part: Part): Plan {
  if (!isNarrowedByPage(scope, question, part))
    return hasFewRows(question, part) ? 'everything at once' : 'rows'
  if (isInOrderOfNames(scope, question)) return 'index of names'
  return areRowsOfTotals(scope, question) ? 'rows' : 'keys, then sums'
}

/**
 * One page of rows in the requested order, the total number of rows, and the whole result with the rows' joined columns,
 * unless these are cheaper to read on their own.
 */
export async function findRows(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  part: Part,
): Promise<{ rows: ReportRow[]; rowCount: number; whole: WholeResult | undefined }> {
  const plan = planOf(scope, question, part)
  const found = await readPage(tx, scope, question, part, plan)
  // A page past the end has no row that could carry the count.
  const [first] = found
  const rowCount = first?.row_count ?? (await countRows(tx, scope, question))
  // Clicks that arrive after their agent was deleted are in the totals for some minutes, without a name.
  const lacksUnnamed =
    plan === 'index of names' && found.length < Math.min(part.limit, rowCount - part.offset)
  const page = lacksUnnamed ? await readPage(tx, scope, question, part, 'rows') : found
  return {
    rows: plan === 'keys, then sums' ? await withSums(tx, scope, question, page) : page,
    rowCount,
    whole: plan === 'everything at once' && first ? wholeResult(question, first) : undefined,
  }
}

type Part = { limit: number; offset: number }

/**
 * Whether the page has few of the agents or days that the question covers. The number of agents
 * with rows is known only after the page was read, so if all of them fit on it, their totals are
 * read twice.
 */
const isNarrowedByPage = (
  scope: Scope,
  { groupBy, range, filter, sort, bySub }: ReportQuestion,
  { limit }: Part,
): boolean =>
  scope.sees === 'everything' &&
  bySub === undefined &&
  filter.officeId === undefined &&
  filter.agentIds === undefined &&
  (groupBy === 'date'
    ? sort.column === 'date' && daysInRange(range) > limit
    : keysOf(groupBy).includes('agent_id'))

/** Days are counted, because tiers and points of days are read from far more rows than those of whole ranges. */
const hasFewRows = ({ groupBy, range }: ReportQuestion, { limit }: Part): boolean =>
  !rowsAreDetails(groupBy) && !(groupBy === 'date' && daysInRange(range) > limit)

type PageRow = ReportRow & { row_count?: number } & Record<`all_${string}`, number>

/** The planner drops the sums that are neither shown nor sorted by. */
async function readPage(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  { limit, offset }: Part,
  plan: Plan,
): Promise<PageRow[]> {
  const { groupBy } = question
  const atOnce = plan === 'everything at once'
  const joined = [...new Set([sortSource(question), ...(atOnce ? shownJoins(question) : [])])]
  const shown = plan === 'keys, then sums' ? grouped(keysOf(groupBy)) : sql`grouped.*`
  const isCounted = !areDetails(question) && plan !== 'index of names'
  const overAll = [
    ...(isCounted ? [sql`count(*) over () as row_count`] : []),
    ...(atOnce ? summedNames(question).map((name) => sumOverAll(name)) : []),
  ]
  const { rows } = await sql<PageRow>`
    with grouped as (
      select ${sql.join([sql`grouped.*`, ...overAll])}
      from (${groupedTotals(scope, question, joined)}) as grouped
    ),
    page as (
      select grouped.*
      from grouped
      ${sortedNameJoin(question, { onlyNamed: plan === 'index of names' })}
      order by ${orderOf(question)} limit ${limit} offset ${offset}
    )
    select
      ${shown} ${isCounted ? sql`, grouped.row_count` : sql``} ${nameColumns(groupBy)}
    from page as grouped
    ${nameJoins(groupBy)}
    order by ${orderOf(question)}
  `.execute(tx)
  return rows
}

const sumOverAll = (name: string) =>
  sql`coalesce(sum(${sql.ref(name)}) over (), 0)::bigint as ${sql.ref(`all_${name}`)}`

/** The columns that a whole result adds up. */
const summedNames = (question: ReportQuestion): string[] => [
  ...metrics,
  ...typeSums(question).map(({ name }) => name),
  ...shownJoins(question).flatMap((source) => joinedNames(question, source)),
]

/** The sums over all rows, from any one of them. */
function wholeResult(question: ReportQuestion, row: PageRow): WholeResult {
  const sums = Object.fromEntries(
    summedNames(question).map((name) => [name, row[`all_${name}`] ?? 0]),
  ) as Sums & JoinedColumns // as the query names them
  return wholeOf(sums, shownJoins(question))
}

const wholeOf = (
  sums: Sums & JoinedColumns,
  joins: readonly ('previous' | 'pay')[],
): WholeResult => ({
  sums,
  previous: joins.includes('previous') ? sums.lpp_prev : undefined,
  pay: joins.includes('pay') ? sums : undefined,
})

/** The sums and joined columns of a page's rows, which so far have only keys and names. */
async function withSums<Row extends RowKey & RowNames>(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  page: readonly Row[],
): Promise<(Row & Sums & Partial<JoinedColumns>)[]> {
  const agentIds = agentsOf(page)
  const filter = agentIds.length > 0 ? { ...question.filter, agentIds } : question.filter
  const { rows } = await groupedTotals(
    scope,
    { ...question, filter },
    shownJoins(question),
    daysOf(page),
  ).execute(tx)
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
    from (${groupedTotals(scope, question, [sortSource(question)])}) as grouped
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

/** All rows of a grouping, or those of some days, with the joined columns of these sources. */
function groupedTotals(
  scope: Scope,
  question: ReportQuestion,
  sources: readonly SortSource[],
  days = question.range,
): RawBuilder<RowKey & Sums & Partial<JoinedColumns>> {
  const joins = sources.flatMap((source) => joinOf(scope, question, source, days) ?? [])
  const summed = summedTotals(scope, { ...question, range: days })
  if (joins.length === 0) return summed
  const names = [
    ...keysOf(question.groupBy),
    ...metrics,
    ...typeSums(question).map(({ name }) => name),
  ]
  return withJoins(question, summed, names, joins) as RawBuilder<
    RowKey & Sums & Partial<JoinedColumns> // as its columns are named
  >
}

/** All rows of a grouping. */
function summedTotals(scope: Scope, question: ReportQuestion): RawBuilder<RowKey & Sums> {
  if (subOfView(question.groupBy)) return summedBySub(scope, question)
  const keys = keysOf(question.groupBy)
  const totals = totalsQuestion(question)
  const source = totalsSource(scope, totals, sourceColumns(totals, keys))
  return areRowsOfTotals(scope, question)
    ? sql`select ${columns(keys)}, ${columns(metrics)} from ${source} as totals`
    : sql`
        select ${columns(keys)}, ${sumColumns(question)}
        from ${source} as totals
        group by ${columns(keys)}
      `
}

/**
 * A row for each of the values with the most sales and clicks, one for the others together, one for clicks without a value, and
 * one for those of which nobody knows.
 */
function summedBySub(scope: Scope, question: ReportQuestion): RawBuilder<RowKey & Sums> {
  const keys = keysOf(question.groupBy)
  const totals = totalsQuestion(question)
  const sums = [...metrics, ...typeSums(question).map(({ name }) => name)]
  return sql`
    select
      sub_row, sub_id, count(*) as sub_ids,
      ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))}
    from (
      select
        case when place > ${MOST_SUB_ROWS} then 'others' else sub_row end as sub_row,
        case when place > ${MOST_SUB_ROWS} then null else sub_id end as sub_id,
        ${columns(sums)}
      from (
        select
          valued.*,
          row_number() over (
            partition by sub_row order by sales + bonus_sales desc, raws desc, sub_id collate "C"
          ) as place
        from (
          select ${columns(keys)}, ${sumColumns(question)}
          from ${totalsSource(scope, totals, sourceColumns(totals, keys))} as totals
          group by ${columns(keys)}
        ) as valued
      ) as placed
    ) as cut
    group by sub_row, sub_id
  `
}

/** Whether rows of a level can be returned as they are. */
const areRowsOfTotals = (scope: Scope, question: ReportQuestion): boolean =>
  areDetails(question) || isOneUnit(scope, totalsQuestion(question))

/** Whether the rows are those of the level of days and agents: a long list, of which a page is read in index order. */
const areDetails = ({ groupBy, filter, bySub }: ReportQuestion): boolean =>
  rowsAreDetails(groupBy) &&
  bySub === undefined &&
  filter.siteId === undefined &&
  filter.typeId === undefined &&
  filter.tier === undefined

/** Whether a page by agent can be read in the order of an index of usernames. */
const isInOrderOfNames = (scope: Scope, question: ReportQuestion): boolean =>
  question.sort.column === 'agent' && isOneUnit(scope, totalsQuestion(question))

/** What everything that the question covers adds up to: its sums, and those of joined columns. */
export async function findWhole(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  joins = shownJoins(question),
): Promise<WholeResult> {
  const totals = { ...totalsQuestion(question), dimensions: typeDimension(question), byDay: false }
  // The rows of a tier are those that it pays.
  const paysOwnRows = question.filter.tier !== undefined && joins.includes('pay')
  const names = [...sourceColumns(totals, []), ...(paysOwnRows ? ['place'] : [])]
  const others = joins.filter((source) => !(paysOwnRows && source === 'pay'))
  const parts = [
    sql`sums as materialized (
      select ${sumColumns(question)} ${paysOwnRows ? sql`, ${payColumns(question)}` : sql``}
      from ${totalsSource(scope, totals, names)} as totals
    )`,
    ...others.map(
      (source) => sql`${sql.ref(source)} as materialized (${joinedSum(scope, question, source)})`,
    ),
  ]
  const { rows } = await sql<Sums & JoinedColumns>`
    with ${sql.join(parts)}
    select * from sums ${sql.join(
      others.map((source) => sql`cross join ${sql.ref(source)}`),
      sql` `,
    )}
  `.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('sums without groups always have a row')
  return wholeOf(sums, joins)
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
  if (subOfView(question.groupBy)) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from (${summedBySub(scope, question)}) as grouped
    `.execute(tx)
    return rows[0]?.rows ?? 0
  }
  const totals = { ...totalsQuestion(question), dimensions: [] }
  const keys = keysOf(question.groupBy)
  const isKept = rowsAreDetails(question.groupBy) && isAnsweredByOffices(scope, totals)
  const distinct = areRowsOfTotals(scope, question) ? sql`` : sql`distinct`
  const { rows } = isKept
    ? await sql<{ rows: number }>`
        select coalesce(sum(detail_rows), 0)::bigint as rows
        from ${totalsSource(scope, { ...totals, byDay: false }, ['detail_rows'])} as totals
      `.execute(tx)
    : await sql<{ rows: number }>`
        select count(*) as rows
        from (
          select ${distinct} ${columns(keys)}
          from ${totalsSource(scope, totalsQuestion(question), keys)} as totals
        ) as keys
      `.execute(tx)
  return rows[0]?.rows ?? 0
}

const sourceColumns = ({ dimensions }: TotalsQuestion, keys: readonly string[]): string[] => [
  ...new Set([...keys, ...dimensions, ...metrics]),
]

const sumColumns = (question: ReportQuestion) =>
  sql.join([
    ...metrics.map(
      (metric) => sql`coalesce(sum(${sql.ref(metric)}), 0)::bigint as ${sql.ref(metric)}`,
    ),
    ...typeSums(question).map(
      ({ name, metric, id }) => sql`
        coalesce(sum(${sql.ref(metric)}) filter (where type_id = ${id}), 0)::bigint as ${sql.ref(name)}`,
    ),
  ])

/** The sums of link types that have columns of their own. */
const typeSums = ({ typeIds, table: { pays } }: ReportQuestion) => [
  ...typeIds.map((id) => ({ id, metric: 'sales', name: `type_${id}` })),
  ...(pays === 'rates' ? typeIds : []).map((id) => ({
    id,
    metric: 'payout_centavos',
    name: `payout_${id}`,
  })),
]
