import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import type { PayoutColumn } from '@tallyroom/contract/statistics'
import { type RawBuilder, sql } from 'kysely'
import type { ReportColumn } from './reports.ts'
import { keysOf } from './stats-parts.ts'
import type { StatsQuestion } from './stats-question.ts'

/** The names of a row's office and agent, as columns. */
export function namesOf(groupBy: StatsGrouping) {
  if (groupBy === 'date') return sql``
  if (groupBy === 'company') return sql`, offices.name as office_name`
  return sql`
    , offices.name as office_name, accounts.username
    , trim(agents.first_name || ' ' || agents.last_name) as full_name
  `
}

export function nameJoins(groupBy: StatsGrouping) {
  if (groupBy === 'date') return sql``
  const offices = sql`left join offices on offices.id = grouped.office_id`
  if (groupBy === 'company') return offices
  return sql`
    ${offices}
    left join agents on agents.id = grouped.agent_id
    left join accounts on accounts.agent_id = grouped.agent_id
  `
}

/** Sort columns by look-up table: a name from outside never becomes SQL. */
const sortExpressions = {
  date: sql`grouped.day`,
  officeName: sql`lower(offices.name) collate "C"`,
  agent: sql`lower(accounts.username) collate "C"`,
  raws: sql`raws`,
  uniques: sql`uniques`,
  sales: sql`sales`,
  bonusSales: sql`bonus_sales`,
  bonusRatio: sql`case when sales = 0 then 0 else bonus_sales::numeric / sales end`,
  earn: sql`earning_cents`,
  bonusEarn: sql`bonus_earning_cents`,
  payout: sql`payout_centavos`,
  bonusPayout: sql`bonus_payout_centavos`,
  lpp: sql`lpp`,
  lppPrev: sql`coalesce(lpp_prev, 0)`,
  avpPeriod: sql`coalesce(highest_tier, 0)`,
  agent_avp_sales_count: sql`coalesce(week_sales, 0)`,
  avpSales: sql`avp_sales`,
  payoutPhp: sql`coalesce(paid_centavos, 0)`,
  payoutDollars: sql`coalesce(paid_cents, 0)`,
} as const satisfies Record<Exclude<ReportColumn, PayoutColumn>, RawBuilder<unknown>>

/** What has to be joined to the sums before they can be sorted. */
export function sortsByOther({ sort: { column }, steps, typePayouts }: StatsQuestion) {
  if (column === 'lppPrev') return 'previous'
  if (column === 'avpPeriod' || column === 'agent_avp_sales_count') return 'tiers'
  if (column === 'payoutPhp' || column === 'payoutDollars') return 'pay'
  return isTypePayout(column) && steps && !typePayouts ? 'pay' : undefined
}

/** The order of the rows; ties are broken by the key, so that pages never overlap. */
export function orderOf(question: StatsQuestion): RawBuilder<unknown> {
  const { groupBy, sort } = question
  const wanted = sql`${expressionFor(question)} ${sort.ascending ? sql`asc` : sql`desc`}`
  const ties = keysOf[groupBy]
    .filter((key) => !(key === 'day' && sort.column === 'date'))
    .map((key) => (key === 'day' ? sql`grouped.day desc` : sql.ref(`grouped.${key}`)))
  return sql.join([wanted, ...ties])
}

function expressionFor({ sort: { column }, typeIds, typePayouts }: StatsQuestion) {
  if (typeof column !== 'number' && !isTypePayout(column)) return sortExpressions[column]
  const typeId = typeof column === 'number' ? column : Number.parseInt(column, 10)
  if (!typeIds.includes(typeId)) throw new RangeError(`no column of link type ${typeId}`)
  if (typeof column === 'number') return sql.ref(`type_${typeId}`)
  return sql`coalesce(${sql.ref(`${typePayouts ? 'payout' : 'paid'}_${typeId}`)}, 0)`
}

const isTypePayout = (column: ReportColumn | number): column is PayoutColumn =>
  typeof column === 'string' && column.endsWith('_payout')
