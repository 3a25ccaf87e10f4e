import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import {
  isAnsweredByOffices,
  metrics,
  type Metric,
  totalsSource,
  type TotalsQuestion,
} from '../../totals/index.ts'
import { payByKey } from './avp-pay.queries.ts'
import { tiersToSortBy } from './row-tiers.queries.ts'
import { previousLpp } from './previous-lpp.queries.ts'
import { type StatsQuestion, totalsQuestion, typeDimension } from './report-question.ts'
import { keysOf, type RowKey, type RowNames } from './row-keys.ts'
import { nameColumns, nameJoins, orderOf, sortSource } from './row-order.queries.ts'

/** Sums of the metrics, and of each link type: its sales by `type_{id}`, what they pay by `payout_{id}`. */
export type Sums = Record<Metric, number> & Record<`${'type' | 'payout'}_${number}`, number>

export type StatsSumsRow = RowKey & RowNames & Sums & { lpp_prev?: number }

/** A page, and how many rows there are in all. */
export type StatsPage = { rows: StatsSumsRow[]; rowCount: number }

/** One page of rows in the asked order; ties are broken by the key, so that pages never overlap. */
export async function findStatsPage(
  tx: Tx,
  scope: Scope,
  question: StatsQuestion & { limit: number; offset: number },
): Promise<StatsPage> {
  const counts = !isRowOfTotals(question)
  const byName = sortSource(question) === 'names'
  const page = sql`order by ${orderOf(question)} limit ${question.limit} offset ${question.offset}`
  const { rows } = await sql<StatsSumsRow & { row_count?: number }>`
    with grouped as (
      select grouped.* ${counts ? sql`, count(*) over () as row_count` : sql``}
      from (${groupedTotals(scope, question)}) as grouped
      ${byName ? sql`` : page}
    )
    select grouped.* ${nameColumns(question.groupBy)}
    from grouped
    ${nameJoins(question.groupBy)}
    ${byName ? page : sql`order by ${orderOf(question)}`}
  `.execute(tx)
  // A page past the end has no row that could say how many there are.
  return { rows, rowCount: rows[0]?.row_count ?? (await countRows(tx, scope, question)) }
}

/**
 * All rows in the asked order, part after part, each as soon as it is asked for: by a cursor, of which a
 * transaction has only one at a time here. What is not asked for is not read.
 */
export async function* streamStatsRows(
  tx: Tx,
  scope: Scope,
  question: StatsQuestion,
  size: number,
): AsyncGenerator<StatsSumsRow[]> {
  await sql`
    declare report_rows no scroll cursor for
    select grouped.* ${nameColumns(question.groupBy)}
    from (${groupedTotals(scope, question)}) as grouped
    ${nameJoins(question.groupBy)}
    order by ${orderOf(question)}
  `.execute(tx)
  for (;;) {
    const { rows } = await sql<StatsSumsRow>`
      fetch forward ${sql.lit(size)} from report_rows
    `.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await sql`close report_rows`.execute(tx)
}

/** The rows of a grouping before paging, with the points of the period before if they are sorted by. */
function groupedTotals(scope: Scope, question: StatsQuestion): RawBuilder<unknown> {
  const keys = keysOf[question.groupBy]
  const totals = totalsQuestion(question)
  const source = totalsSource(scope, totals, sourceColumns(totals, keys))
  const sums = isRowOfTotals(question)
    ? sql`select ${columns(keys)}, ${columns(metrics)} from ${source} as totals`
    : sql`
        select ${columns(keys)}, ${sumColumns(question)}
        from ${source} as totals
        group by ${columns(keys)}
      `
  return withSortColumns(scope, question, sums)
}

/** Joins what the rows are sorted by, where that is not a sum of their own. */
function withSortColumns(
  scope: Scope,
  question: StatsQuestion,
  sums: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const by = sortSource(question)
  if (by === 'sums' || by === 'names') return sums
  const steps = question.steps ?? []
  const using = sql`using (${columns(keysOf[question.groupBy])})`
  const [other, on] = {
    previous: () => [previousLpp(scope, question, question.filter.agentIds), using],
    pay: () => [payByKey(scope, { ...question, steps }), using],
    tiers: () => tiersToSortBy(scope, { ...question, steps }),
  }[by]()
  return sql`select * from (${sums}) as grouped left join (${other}) as other ${on}`
}

/** Whether the level's own rows are the answer's, so that they can be read in index order, page by page. */
const isRowOfTotals = ({ groupBy, filter }: StatsQuestion) =>
  groupBy === 'detail' &&
  filter.siteId === undefined &&
  filter.typeId === undefined &&
  filter.tier === undefined

/** The sums over everything that the question is about. */
export async function findOverall(tx: Tx, scope: Scope, question: StatsQuestion): Promise<Sums> {
  const totals = { ...totalsQuestion(question), dimensions: typeDimension(question), byDay: false }
  const { rows } = await sql<Sums>`
    select ${sumColumns(question)}
    from ${totalsSource(scope, totals, sourceColumns(totals, []))} as totals
  `.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('a sum without groups always has a row')
  return sums
}

/** How many rows a grouping has. A long detail list is counted by its offices' counts of rows. */
export async function countRows(tx: Tx, scope: Scope, question: StatsQuestion): Promise<number> {
  const totals = { ...totalsQuestion(question), dimensions: [] }
  const keys = keysOf[question.groupBy]
  const countsKept = question.groupBy === 'detail' && isAnsweredByOffices(scope, totals)
  const { rows } = countsKept
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

const sumColumns = ({ typeIds, typePayouts }: StatsQuestion) =>
  sql.join([
    ...metrics.map(
      (metric) => sql`coalesce(sum(${sql.ref(metric)}), 0)::bigint as ${sql.ref(metric)}`,
    ),
    ...typeIds.map(
      (id) =>
        sql`coalesce(sum(sales) filter (where type_id = ${id}), 0)::bigint as ${sql.ref(`type_${id}`)}`,
    ),
    ...(typePayouts ? typeIds : []).map(
      (id) =>
        sql`coalesce(sum(payout_centavos) filter (where type_id = ${id}), 0)::bigint as ${sql.ref(`payout_${id}`)}`,
    ),
  ])
