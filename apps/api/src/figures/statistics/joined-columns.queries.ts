import { groupings, hasTier } from '@tallyroom/contract/figures/stats-table'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { type DateRange, daysInRange, weeksOf } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/list-query.ts'
import type { Tx } from '../../db/database.ts'
import { rateAt, tieredSource, totalsSource, weekOf } from '../../totals/index.ts'
import {
  agentsOf,
  daysOf,
  dimensionsOf,
  isByDay,
  keysOf,
  type ReportQuestion,
  type RowKey,
  type RowKeyName,
  type SortSource,
  totalsQuestion,
  typeDimension,
} from './report-question.queries.ts'

/*
 * Columns that are not sums of the row's own totals: the points of the previous period, AVP tiers,
 * and what AVP sales pay. They are joined to every row in order to sort by them, or when there are
 * few rows; otherwise they are read for the rows of a page.
 */

/** The joined columns that are added up over all rows. */
export type JoinedColumns = { lpp_prev: number } & AvpPay

/**
 * The values for the rows of a page. A column that the report lacks is undefined; rows may be
 * missing.
 */
export type JoinedRows = {
  previous: readonly (RowKey & Pick<JoinedColumns, 'lpp_prev'>)[] | undefined
  tiers: RowTiers[] | undefined
  pay: readonly (RowKey & AvpPay)[] | undefined
}

/** Reads what the rows of a page do not have yet. */
export async function findJoinedRows(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  page: readonly PageRow[],
): Promise<JoinedRows> {
  if (page.length === 0) return { previous: undefined, tiers: undefined, pay: undefined }
  const agentIds = agentsOf(page)
  const ofPage =
    agentIds.length > 0 ? { ...question, filter: { ...question.filter, agentIds } } : question
  const days = daysOf(page)
  const read = async <Row>(isShown: boolean, query: () => RawBuilder<Row>) =>
    isShown ? (await query().execute(tx)).rows : undefined
  return {
    previous: page.every(hasPoints)
      ? page
      : await read(comparesPoints(question), () => previousLpp(scope, ofPage, days)),
    tiers: await read(hasTier(question.table, question.groupBy), () =>
      tiersByKey(scope, { ...ofPage, range: days ? weeksOf(days) : question.range }),
    ),
    pay: page.every(hasPay)
      ? page
      : await read(paysByTier(question), () =>
          payByKey(scope, { ...ofPage, range: days ?? question.range }),
        ),
  }
}

type PageRow = RowKey & Partial<JoinedColumns>
const hasPoints = (row: PageRow): row is RowKey & Pick<JoinedColumns, 'lpp_prev'> =>
  row.lpp_prev !== undefined
const hasPay = (row: PageRow): row is RowKey & AvpPay => row.paid_cents !== undefined

const comparesPoints = ({ visibility, groupBy }: ReportQuestion) =>
  visibility.lpp && groupings[groupBy].hasPoints

const paysByTier = ({ table }: ReportQuestion) => table.pays === 'tiers'

/** The columns that a report shows and adds up over all rows. */
export const shownJoins = (question: ReportQuestion): ('previous' | 'pay')[] => [
  ...(comparesPoints(question) ? (['previous'] as const) : []),
  ...(paysByTier(question) ? (['pay'] as const) : []),
]

/** The names of a source's columns. */
export const joinedNames = (
  { typeIds }: ReportQuestion,
  source: 'previous' | 'tiers' | 'pay',
): string[] =>
  ({
    previous: ['lpp_prev'],
    tiers: ['week_sales', 'highest_tier'],
    pay: ['paid_centavos', 'paid_cents', ...typeIds.map((id) => `paid_${id}`)],
  })[source]

type Join = {
  source: SortSource
  select: RawBuilder<unknown>
  /** What of a row (`grouped`) is the same as which column of `select`, that of one of its rows at most. */
  matches: readonly (readonly [ofRow: RawBuilder<unknown>, column: string])[]
  names: readonly string[]
}

/** What must be joined to every row (`grouped`) of some days for a source's columns; undefined: nothing. */
export function joinOf(
  scope: Scope,
  question: ReportQuestion,
  source: SortSource,
  days: DateRange,
): Join | undefined {
  if (source === 'sums' || source === 'names') return undefined
  const names = joinedNames(question, source)
  if (source === 'tiers') return { source, names, ...tiersToSortBy(scope, question) }
  const select =
    source === 'previous'
      ? previousLpp(scope, question, days)
      : payByKey(scope, { ...question, range: days })
  const matches = keysOf(question.groupBy).map((key) => [sql.ref(`grouped.${key}`), key] as const)
  return { source, names, select, matches }
}

/** Rows with the columns `names`, and what is joined to them: 0 for those that have no match. */
export const withJoins = (
  { bySub }: ReportQuestion,
  rows: RawBuilder<unknown>,
  names: readonly string[],
  joins: readonly Join[],
): RawBuilder<unknown> =>
  bySub === undefined
    ? sql`
        select ${sql.join([sql`grouped.*`, ...joins.flatMap((join) => orZero(join.names))])}
        from (${rows}) as grouped
        ${sql.join(joins.map(leftJoin), sql` `)}
      `
    : joins.reduce(
        ({ from, have }, join) => ({
          from: matchedWithoutJoin(from, have, join),
          have: [...have, ...join.names],
        }),
        { from: rows, have: names },
      ).from

const orZero = (names: readonly string[]) =>
  names.map((name) => sql`coalesce(${sql.ref(name)}, 0) as ${sql.ref(name)}`)

function leftJoin({ source, select, matches }: Join): RawBuilder<unknown> {
  const same = matches.map(([ofRow, column]) => sql`${ofRow} = ${sql.ref(`${source}.${column}`)}`)
  return sql`left join (${select}) as ${sql.ref(source)} on ${sql.join(same, sql` and `)}`
}

/**
 * The same as a left join, for a question by sub id: `planForSubs` leaves it nested loops alone, which would compare each of
 * up to half a million rows with each.
 */
function matchedWithoutJoin(
  rows: RawBuilder<unknown>,
  have: readonly string[],
  { source, select, matches, names }: Join,
): RawBuilder<unknown> {
  const matched = matches.map((_, index) => sql.ref(`match_${index}`))
  const as = (values: readonly RawBuilder<unknown>[]) =>
    sql.join(values.map((value, index) => sql`${value} as ${matched[index]}`))
  const found = names.map((name) => sql`max(${sql.ref(name)}) over same as ${sql.ref(name)}`)
  return sql`
    select ${sql.join([columns(have), ...orZero(names)])}
    from (
      select is_row, ${columns(have)}, ${sql.join(found)}
      from (
        select
          true as is_row, ${columns(have)}, ${as(matches.map(([ofRow]) => ofRow))},
          ${sql.join(names.map((name) => sql`null::bigint as ${sql.ref(name)}`))}
        from (${rows}) as grouped
        union all
        select
          false, ${sql.join(have.map(() => sql`null`))}, ${columns(matches.map(([, column]) => column))},
          ${columns(names)}
        from (${select}) as ${sql.ref(source)}
      ) as parts
      window same as (partition by ${sql.join(matched)})
    ) as matched
    where is_row
  `
}

/** The sums of a source's columns over all rows. */
export const joinedSum = (
  scope: Scope,
  question: ReportQuestion,
  source: 'previous' | 'pay',
): RawBuilder<unknown> => ({ previous: previousSum, pay: paySum })[source](scope, question)

/** The sum of what all rows show, so without agents, offices or link types that have no row now. */
function previousSum(scope: Scope, question: ReportQuestion): RawBuilder<unknown> {
  const names = keysOf(question.groupBy)
  const keys = columns(names)
  const before = sql`(${pointsBefore(scope, question)}) as before`
  const present = sql`${totalsSource(scope, totalsQuestion(question), names)} as present`
  // The same twice: see `matchedWithoutJoin`.
  return question.bySub === undefined
    ? sql`
        select coalesce(sum(lpp), 0)::bigint as lpp_prev
        from ${before}
        where (${keys}) in (select ${keys} from ${present})
      `
    : sql`
        select coalesce(sum(lpp), 0)::bigint as lpp_prev
        from (
          select ${keys}, sum(lpp) as lpp
          from (
            select ${keys}, lpp, false as is_present from ${before}
            union all
            select ${keys}, 0, true from ${present}
          ) as parts
          group by ${keys}
          having bool_or(is_present)
        ) as rows_before
      `
}

/** The same points, summed by the grouping's keys. */
function previousLpp(
  scope: Scope,
  question: ReportQuestion,
  days?: DateRange,
): RawBuilder<RowKey & { lpp_prev: number }> {
  const keys = columns(keysOf(question.groupBy))
  return sql`
    select ${keys}, sum(lpp)::bigint as lpp_prev
    from (${pointsBefore(scope, question, days)}) as before
    group by ${keys}
  `
}

/**
 * Points of the period of equal length just before `question.range`, not yet grouped, because the overall sum is faster
 * without groups. A row of a day is compared with the day in the same position of that period. `days` limits which days
 * are compared.
 */
function pointsBefore(scope: Scope, question: ReportQuestion, days = question.range) {
  const keys = keysOf(question.groupBy)
  const length = daysInRange(question.range)
  const totals = {
    ...totalsQuestion(question),
    range: { start: addDays(days.start, -length), end: addDays(days.end, -length) },
  }
  const keyOrShifted = (key: RowKeyName) =>
    key === 'day' ? sql`day + ${length}::integer as day` : sql.ref(key)
  return sql`
    select ${sql.join(keys.map(keyOrShifted))}, lpp
    from ${totalsSource(scope, totals, [...keys, 'lpp'])} as totals
    where lpp <> 0
  `
}

/** The weeks behind a row of an agent: their AVP sales, and the positions in `steps` of the tiers reached. */
export type RowTiers = {
  week?: Day
  agent_id: number
  office_id: number
  week_sales: number
  places: (number | null)[]
}

/**
 * Tiers of agents: week by week where rows are days, otherwise over the whole range. Each week counts in which the
 * agent did anything for the office.
 */
const tiersByKey = (scope: Scope, question: ReportQuestion): RawBuilder<RowTiers> => sql<RowTiers>`
  select
    ${isByDay(question) ? sql`day as week,` : sql``} agent_id, office_id,
    sum(week_avp_sales)::bigint as week_sales, array_agg(distinct place) as places
  from ${agentWeeks(scope, question)} as weeks
  group by ${tierKeys(question)}
`

/**
 * The same, for sorting. Weeks without AVP sales are skipped, because no tier is lower than theirs.
 */
function tiersToSortBy(scope: Scope, question: ReportQuestion): Pick<Join, 'select' | 'matches'> {
  const byDay = isByDay(question)
  const indexes = question.steps.map(({ index }) => index)
  return {
    select: sql`
      select
        ${byDay ? sql`day as tier_week,` : sql``} agent_id as tier_agent, office_id as tier_office,
        sum(week_avp_sales)::bigint as week_sales, max((${indexes}::integer[])[place]) as highest_tier
      from ${agentWeeks(scope, question)} as weeks
      where week_avp_sales <> 0
      group by ${tierKeys(question)}`,
    matches: [
      [sql`grouped.agent_id`, 'tier_agent'],
      [sql`grouped.office_id`, 'tier_office'],
      ...(byDay ? [[weekOf(sql`grouped.day`), 'tier_week'] as const] : []),
    ],
  }
}

const tierKeys = (question: ReportQuestion) =>
  columns([...(isByDay(question) ? ['day'] : []), 'agent_id', 'office_id'])

/**
 * Weeks of agents with the place of their tier. Counts the sales of the whole week, whichever site
 * is chosen.
 */
const agentWeeks = (scope: Scope, { range, filter, steps }: ReportQuestion) =>
  tieredSource(
    scope,
    {
      range,
      filter: { officeId: filter.officeId, agentIds: filter.agentIds, tier: filter.tier },
      dimensions: ['agent_id', 'office_id'],
      byDay: false,
    },
    steps,
    ['day', 'agent_id', 'office_id', 'week_avp_sales', 'place'],
  )

/** What AVP sales pay by tier, in minor units; `paid_{id}` is a link type's part, in centavos. */
export type AvpPay = { paid_centavos: number; paid_cents: number } & Record<
  `paid_${number}`,
  number
>

/** What tiers pay for a row without AVP sales. */
export const NO_PAY: AvpPay = { paid_centavos: 0, paid_cents: 0 }

/** What tiers pay for all sales that the question covers. */
export async function findPay(tx: Tx, scope: Scope, question: ReportQuestion): Promise<AvpPay> {
  const { rows } = await paySum(scope, question).execute(tx)
  return rows[0] ?? NO_PAY
}

/** The same, as a query. */
const paySum = (scope: Scope, question: ReportQuestion): RawBuilder<AvpPay> =>
  sql<AvpPay>`select ${payColumns(question)} from ${paidSales(scope, question, [])} as paid`

/** The pay for sales, by the grouping's keys. Rows without AVP sales are missing. */
function payByKey(scope: Scope, question: ReportQuestion): RawBuilder<RowKey & AvpPay> {
  const keys = keysOf(question.groupBy)
  return sql<RowKey & AvpPay>`
    select ${columns(keys)}, ${payColumns(question)}
    from ${paidSales(scope, question, keys)} as paid
    group by ${columns(keys)}
  `
}

/** The pay of rows with `avp_sales` and the `place` of their tier, summed. */
export const payColumns = ({ steps, typeIds }: ReportQuestion) => {
  const pays = (currency: 'payoutCentavos' | 'payoutCents') =>
    sql`avp_sales * ${rateAt(steps, sql`place`, currency)}`
  return sql.join([
    sql`coalesce(sum(${pays('payoutCentavos')}), 0)::bigint as paid_centavos`,
    sql`coalesce(sum(${pays('payoutCents')}), 0)::bigint as paid_cents`,
    ...typeIds.map(
      (id) => sql`
        coalesce(sum(${pays('payoutCentavos')}) filter (where type_id = ${id}), 0)::bigint
          as ${sql.ref(`paid_${id}`)}`,
    ),
  ])
}

/**
 * AVP sales by keys and by the place of the tier that pays for them. The agent's whole week decides
 * the tier, with sales on all sites and for every office.
 */
function paidSales(
  scope: Scope,
  question: ReportQuestion,
  keys: readonly RowKeyName[],
): RawBuilder<unknown> {
  const dimensions = [...dimensionsOf(keys), ...typeDimension(question)]
  const byDay = keys.includes('day')
  const sold = { ...question, dimensions, byDay }
  const names = [...new Set([...(byDay ? ['day'] : []), ...dimensions, 'place'])]
  const groups = columns(names)
  return sql`(
    select ${groups}, sum(avp_sales)::bigint as avp_sales
    from ${tieredSource(scope, sold, question.steps, [...names, 'avp_sales'])} as sales
    where avp_sales <> 0
    group by ${groups}
  )`
}
