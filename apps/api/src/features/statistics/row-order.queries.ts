import type { PayoutColumn, StatColumn, StatsGrouping } from '@tallyroom/contract/stats-table'
import { type RawBuilder, sql } from 'kysely'
import type { StatsQuestion } from './report-question.ts'
import { keysOf, type RowKeyName } from './row-keys.ts'

/** The names that belong to a key column, and where they are. */
const names: Record<RowKeyName, { columns: RawBuilder<unknown>; joins: RawBuilder<unknown> }> = {
  day: { columns: sql``, joins: sql`` },
  office_id: {
    columns: sql`, offices.name as office_name`,
    joins: sql`left join offices on offices.id = grouped.office_id`,
  },
  agent_id: {
    columns: sql`
      , accounts.username, trim(agents.first_name || ' ' || agents.last_name) as full_name`,
    joins: sql`
      left join agents on agents.id = grouped.agent_id
      left join accounts on accounts.agent_id = grouped.agent_id`,
  },
  type_id: {
    columns: sql`, link_types.typename`,
    joins: sql`left join link_types on link_types.id = grouped.type_id`,
  },
  site_id: {
    columns: sql`, sites.sitename`,
    joins: sql`left join sites on sites.id = grouped.site_id`,
  },
}

const namesFor = (groupBy: StatsGrouping, part: 'columns' | 'joins') =>
  sql.join(
    keysOf[groupBy].map((key: RowKeyName) => names[key][part]),
    sql` `,
  )

/** The names of what a row is about, as columns. */
export const nameColumns = (groupBy: StatsGrouping) => namesFor(groupBy, 'columns')
export const nameJoins = (groupBy: StatsGrouping) => namesFor(groupBy, 'joins')

/** What has to be joined to the sums before they can be sorted by a column. */
export type SortSource = 'sums' | 'names' | 'previous' | 'tiers' | 'pay'

/** Sort columns by look-up table: a name from outside never becomes SQL. */
const sortExpressions = {
  date: ['sums', sql`grouped.day`],
  officeName: ['names', sql`lower(offices.name) collate "C"`],
  agent: ['names', sql`lower(accounts.username) collate "C"`],
  typename: ['names', sql`lower(link_types.typename) collate "C"`],
  sitename: ['names', sql`lower(sites.sitename) collate "C"`],
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
  lppPrev: ['previous', sql`coalesce(lpp_prev, 0)`],
  avpPeriod: ['tiers', sql`coalesce(highest_tier, 0)`],
  agent_avp_sales_count: ['tiers', sql`coalesce(week_sales, 0)`],
  avpSales: ['sums', sql`avp_sales`],
  payoutPhp: ['pay', sql`coalesce(paid_centavos, 0)`],
  payoutDollars: ['pay', sql`coalesce(paid_cents, 0)`],
} as const satisfies Record<StatColumn, readonly [SortSource, RawBuilder<unknown>]>

export const sortSource = ({ sort: { column }, steps, typePayouts }: StatsQuestion): SortSource => {
  if (typeof column === 'number') return 'sums'
  if (!isTypePayout(column)) return sortExpressions[column][0]
  return steps && !typePayouts ? 'pay' : 'sums'
}

/** The order of the rows; ties are broken by the key, so that pages never overlap. */
export function orderOf(question: StatsQuestion): RawBuilder<unknown> {
  const { groupBy, sort } = question
  const wanted = sql`${expressionFor(question)} ${sort.ascending ? sql`asc` : sql`desc`}`
  const ties = keysOf[groupBy]
    .filter((key: RowKeyName) => !(key === 'day' && sort.column === 'date'))
    .map((key: RowKeyName) => (key === 'day' ? sql`grouped.day desc` : sql.ref(`grouped.${key}`)))
  return sql.join([wanted, ...ties])
}

function expressionFor({ sort: { column }, typeIds, typePayouts }: StatsQuestion) {
  if (typeof column !== 'number' && !isTypePayout(column)) return sortExpressions[column][1]
  const typeId = typeof column === 'number' ? column : Number.parseInt(column, 10)
  if (!typeIds.includes(typeId)) throw new RangeError(`no column of link type ${typeId}`)
  if (typeof column === 'number') return sql.ref(`type_${typeId}`)
  return sql`coalesce(${sql.ref(`${typePayouts ? 'payout' : 'paid'}_${typeId}`)}, 0)`
}

const isTypePayout = (column: StatColumn | PayoutColumn): column is PayoutColumn =>
  column.endsWith('_payout')
