import {
  isPayoutColumn,
  type PayoutColumn,
  type StatColumn,
  type StatsGrouping,
  type StatsTable,
  subOfView,
} from '@tallyroom/contract/figures/stats-table'
import type { StatsRow, SubRow } from '@tallyroom/contract/figures/statistics'
import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { AvpStep, BySub, Dimension, TotalsQuestion } from '../../totals/index.ts'
import type { VisibleAmounts } from '../../catalogue/index.ts'

/** A checked request for a report: everything that its SQL and its answer depend on. */
export type ReportQuestion = Pick<TotalsQuestion, 'range' | 'filter' | 'today' | 'openDay'> & {
  table: StatsTable
  groupBy: StatsGrouping
  visibility: VisibleAmounts
  /** Undefined means all sites. */
  site: ChosenSite | undefined
  /** The chosen site's link types with columns of their own. */
  typeIds: readonly number[]
  /** The AVP tiers of the range and of the period before it; none in a report without tiers. */
  steps: readonly AvpStep[]
  /** A number is a link type's id, for the column of its sales. */
  sort: { column: StatColumn | PayoutColumn | number; ascending: boolean }
  /** If it is about sub ids. Which one rows are about is said by `groupBy`. */
  bySub: Omit<BySub, 'of'> | undefined
}

/** A site with its present and past link types; the answer says which of them have columns. */
export type ChosenSite = {
  useApproveSale: boolean
  types: { id: number; typename: string; bonus: boolean }[]
}

/** What identifies a row. Its grouping decides which of these it has. */
export type RowKey = {
  day?: Day
  office_id?: number
  agent_id?: number
  type_id?: number
  site_id?: number
  sub_row?: SubRow
  /** Null unless the row is about a value. */
  sub_id?: string | null
}
export type RowKeyName = keyof RowKey

/** The names that belong to a row's key. Null if what it names was deleted. */
export type RowNames = {
  office_name?: string | null
  username?: string | null
  full_name?: string | null
  typename?: string | null
  sitename?: string | null
  /** How many values a row of several has. */
  sub_ids?: number
}

const subKeys = ['sub_row', 'sub_id'] as const

const keys = {
  date: ['day'],
  company: ['office_id'],
  agent: ['agent_id', 'office_id'],
  detail: ['day', 'agent_id', 'office_id'],
  type: ['type_id', 'site_id'],
  sub1: subKeys,
  sub2: subKeys,
  sub3: subKeys,
  sub4: subKeys,
  sub5: subKeys,
} as const satisfies Record<StatsGrouping, readonly RowKeyName[]>

/** The key columns of a grouping. An agent who moved has a row for each office that they worked for. */
export const keysOf = (groupBy: StatsGrouping): readonly RowKeyName[] => keys[groupBy]

/** Whether the grouping's rows are those of the level of days and agents. */
export const rowsAreDetails = (groupBy: StatsGrouping): boolean =>
  keysOf(groupBy).length === keys.detail.length &&
  keys.detail.every((key) => keysOf(groupBy).includes(key))

/** Whether each row is about a single day. */
export const isByDay = ({ groupBy }: Pick<ReportQuestion, 'groupBy'>): boolean =>
  keysOf(groupBy).includes('day')

/** The totals that a report's rows are summed from. */
export const totalsQuestion = (question: ReportQuestion): TotalsQuestion => ({
  range: question.range,
  filter: question.filter,
  today: question.today,
  openDay: question.openDay,
  dimensions: [...dimensionsOf(keysOf(question.groupBy)), ...typeDimension(question)],
  byDay: isByDay(question),
  bySub: bySubOf(question),
})

/** The columns of the levels among a grouping's keys. */
export const dimensionsOf = (keyNames: readonly RowKeyName[]): Dimension[] =>
  keyNames.filter((key) => key !== 'day' && key !== 'sub_row' && key !== 'sub_id')

/** Undefined if totals suffice: the whole of all sub ids is that of everything. */
const bySubOf = ({ bySub, groupBy }: ReportQuestion): BySub | undefined => {
  const of = subOfView(groupBy)
  return bySub && (of ?? bySub.only) ? { ...bySub, of } : undefined
}

/** The link type as a dimension, where link types have columns of their own. */
export const typeDimension = ({ typeIds }: Pick<ReportQuestion, 'typeIds'>): Dimension[] =>
  typeIds.length > 0 ? ['type_id'] : []

/** A row's key as text, to find other values of the same row. */
export const keyText = (groupBy: StatsGrouping, row: RowKey): string =>
  keysOf(groupBy)
    .map((key) => row[key] ?? '')
    .join(' ')

/** The first and the last day of some rows; undefined if they have no days. */
export function daysOf(rows: readonly RowKey[]): DateRange | undefined {
  const days = rows.flatMap(({ day }): Day[] => (day === undefined ? [] : [day])).toSorted()
  const [start, end] = [days[0], days.at(-1)]
  return start !== undefined && end !== undefined ? { start, end } : undefined
}

/** The agents of some rows; none if the rows are not about agents. */
export const agentsOf = (rows: readonly RowKey[]): number[] =>
  rows.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))

type KeyColumn = {
  /** The names that belong to the key, and the joins that find them. */
  names: RawBuilder<unknown>
  joins: RawBuilder<unknown>
  /** The key and its names, as the answer has them. */
  present: (row: RowKey & RowNames) => Partial<StatsRow>
}

/** The tables of names, as joined to a row. The keys are the columns that sort by these names. */
const nameTables = {
  officeName: sql`offices on offices.id = grouped.office_id`,
  agent: sql`accounts on accounts.agent_id = grouped.agent_id`,
  typename: sql`link_types on link_types.id = grouped.type_id`,
  sitename: sql`sites on sites.id = grouped.site_id`,
} as const satisfies Partial<Record<StatColumn, RawBuilder<unknown>>>

const keyColumns: Record<RowKeyName, KeyColumn> = {
  day: { names: sql``, joins: sql``, present: ({ day }) => ({ date: day }) },
  office_id: {
    names: sql`, offices.name as office_name`,
    joins: sql`left join ${nameTables.officeName}`,
    present: ({ office_id, office_name }) => ({
      companyId: office_id,
      officeName: office_name ?? '',
    }),
  },
  agent_id: {
    names: sql`
      , accounts.username, trim(agents.first_name || ' ' || agents.last_name) as full_name`,
    joins: sql`
      left join agents on agents.id = grouped.agent_id
      left join ${nameTables.agent}`,
    present: ({ agent_id, username, full_name }) => ({
      agentId: agent_id,
      agent: username ?? '',
      agentFullName: full_name ?? '',
    }),
  },
  type_id: {
    names: sql`, link_types.typename`,
    joins: sql`left join ${nameTables.typename}`,
    present: ({ type_id, typename }) => ({ typeId: type_id, typename: typename ?? '' }),
  },
  site_id: {
    names: sql`, sites.sitename`,
    joins: sql`left join ${nameTables.sitename}`,
    present: ({ site_id, sitename }) => ({ siteId: site_id, sitename: sitename ?? '' }),
  },
  sub_row: {
    names: sql``,
    joins: sql``,
    present: ({ sub_row, sub_ids }) => ({
      subRow: sub_row,
      ...(sub_row === 'others' && { otherSubIds: sub_ids }),
    }),
  },
  sub_id: {
    names: sql``,
    joins: sql``,
    present: ({ sub_id }) => (sub_id === null ? {} : { subId: sub_id }),
  },
}

/** The names of what a row is about, as columns, and the joins that they need. */
export const nameColumns = (groupBy: StatsGrouping) => joined(groupBy, 'names')
export const nameJoins = (groupBy: StatsGrouping) => joined(groupBy, 'joins')

const joined = (groupBy: StatsGrouping, part: 'names' | 'joins') =>
  sql.join(
    keysOf(groupBy).map((key) => keyColumns[key][part]),
    sql` `,
  )

/** A row's key and names, as the answer has them. */
export const presentKey = (groupBy: StatsGrouping, row: RowKey & RowNames): Partial<StatsRow> =>
  Object.assign({}, ...keysOf(groupBy).map((key) => keyColumns[key].present(row)))

/** Where a sort column comes from: the sums themselves, or something to be joined to them first. */
export type SortSource = 'sums' | 'names' | 'previous' | 'tiers' | 'pay'

/** Sort columns by look-up table: a name from outside never becomes SQL. */
const sortExpressions = {
  date: ['sums', sql`grouped.day`],
  officeName: ['names', sql`lower(offices.name) collate "C"`],
  agent: ['names', sql`lower(accounts.username) collate "C"`],
  typename: ['names', sql`lower(link_types.typename) collate "C"`],
  sitename: ['names', sql`lower(sites.sitename) collate "C"`],
  subId: ['sums', sql`grouped.sub_id collate "C"`],
  raws: ['sums', sql`raws`],
  uniques: ['sums', sql`uniques`],
  sales: ['sums', sql`sales`],
  bonusSales: ['sums', sql`bonus_sales`],
  bonusRatio: ['sums', sql`case when sales = 0 then 0 else bonus_sales::numeric / sales end`],
  earn: ['sums', sql`earning_cents`],
  bonusEarn: ['sums', sql`bonus_earning_cents`],
  payout: ['sums', sql`payout_centavos`],
  bonusPayout: ['sums', sql`bonus_payout_centavos`],
  lpp: ['sums', sql`lpp`],
  lppPrev: ['previous', sql`lpp_prev`],
  avpPeriod: ['tiers', sql`highest_tier`],
  agent_avp_sales_count: ['tiers', sql`week_sales`],
  avpSales: ['sums', sql`avp_sales`],
  payoutPhp: ['pay', sql`paid_centavos`],
  payoutDollars: ['pay', sql`paid_cents`],
} as const satisfies Record<StatColumn, readonly [SortSource, RawBuilder<unknown>]>

/** A link type's payout: by rates, it is a sum; by tiers, it is computed. */
const typePayouts = {
  rates: ['sums', 'payout'],
  tiers: ['pay', 'paid'],
} as const satisfies Record<'rates' | 'tiers', readonly [SortSource, string]>

export function sortSource({ sort: { column }, table: { pays } }: ReportQuestion): SortSource {
  if (typeof column === 'number') return 'sums'
  return isPayoutColumn(column) ? typePayouts[pays ?? 'rates'][0] : sortExpressions[column][0]
}

/** The join for the name that a question sorts by, if it does. `onlyNamed` leaves out rows that have none. */
export function sortedNameJoin(
  { sort }: ReportQuestion,
  { onlyNamed }: { onlyNamed: boolean },
): RawBuilder<unknown> {
  const tables: Partial<Record<typeof sort.column, RawBuilder<unknown>>> = nameTables
  const table = tables[sort.column]
  if (!table) return sql``
  return onlyNamed ? sql`join ${table}` : sql`left join ${table}`
}

/** The order of the rows. The key breaks ties, so that pages never overlap. */
export function orderOf(question: ReportQuestion): RawBuilder<unknown> {
  const { groupBy, sort } = question
  const wanted = sql`${expressionFor(question)} ${sort.ascending ? sql`asc` : sql`desc`}`
  const ties = keysOf(groupBy)
    .filter((key) => !(key === 'day' && sort.column === 'date'))
    .map((key) => (key === 'day' ? sql`grouped.day desc` : sql.ref(`grouped.${key}`)))
  return sql.join([wanted, ...ties])
}

function expressionFor({ sort: { column }, typeIds, table: { pays } }: ReportQuestion) {
  if (typeof column !== 'number' && !isPayoutColumn(column)) return sortExpressions[column][1]
  const typeId = Number.parseInt(`${column}`, 10)
  if (!typeIds.includes(typeId)) throw new RangeError(`link type ${typeId} has no column`)
  if (typeof column === 'number') return sql.ref(`type_${typeId}`)
  return sql.ref(`${typePayouts[pays ?? 'rates'][1]}_${typeId}`)
}
