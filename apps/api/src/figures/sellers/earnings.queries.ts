import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { columns } from '../../db/list-query.ts'
import {
  type AvpStep,
  rateAt,
  tieredSource,
  totalsSource,
  type TotalsFilter,
  weekOf,
} from '../../totals/index.ts'

export type SellerKey = 'agent_id' | 'office_id'

type Asked = {
  scope: Scope
  key: SellerKey
  ids: readonly number[]
  /** From the first of the days before. */
  first: Day
  start: Day
  end: Day
}

const filterOf = ({ key, ids }: Asked): TotalsFilter =>
  key === 'agent_id' ? { agentIds: ids } : { officeIds: ids }

const isNow = ({ start }: Asked) => sql`day >= ${start}::date`

const isIn = (weeks: readonly Day[]) => sql`${weekOf(sql`day`)} = any(${weeks}::date[])`

export type PaidByRates = { id: number; isNow: boolean; centavos: number }

/**
 * What rates and bonuses pay, without the sales that tiers pay for instead: those on AVP sites in some weeks.
 * @param replaced the Mondays of these weeks, and the sites that count for AVP
 */
export async function findPaidByRates(
  tx: Tx,
  asked: Asked,
  { weeks, siteIds }: { weeks: readonly Day[]; siteIds: readonly number[] },
): Promise<PaidByRates[]> {
  const { scope, key, first, end } = asked
  const bySite = weeks.length > 0 && siteIds.length > 0
  const totals = {
    range: { start: first, end },
    today: end,
    filter: filterOf(asked),
    dimensions: bySite ? [key, 'site_id' as const] : [key],
    byDay: true,
  }
  const names = ['day', ...totals.dimensions, 'payout_centavos', 'bonus_payout_centavos']
  const payout: RawBuilder<number> = bySite
    ? sql`case when site_id = any(${siteIds}::integer[]) and ${isIn(weeks)} then 0 else payout_centavos end`
    : sql`payout_centavos`
  const { rows } = await sql<PaidByRates>`
    select ${sql.ref(key)} as id, ${isNow(asked)} as "isNow",
      coalesce(sum(bonus_payout_centavos + ${payout}), 0)::bigint as centavos
    from ${totalsSource(scope, totals, names)} as totals
    group by 1, 2
  `.execute(tx)
  return rows
}

export type PaidByTiers = {
  week: Day
  isNow: boolean
  officeId: number
  /** Only if the weeks are asked for by agent. */
  agentId?: number
  centavos: number
  cents: number
}

/** What tiers pay for the AVP sales of some weeks, in both currencies: each pays in one of them. */
export async function findPaidByTiers(
  tx: Tx,
  asked: Asked,
  { weeks, steps, byAgent }: { weeks: readonly Day[]; steps: readonly AvpStep[]; byAgent: boolean },
): Promise<PaidByTiers[]> {
  const { scope, first, end } = asked
  const keys = byAgent ? (['office_id', 'agent_id'] as const) : (['office_id'] as const)
  const question = {
    range: { start: first, end },
    filter: filterOf(asked),
    dimensions: keys,
    byDay: true,
  }
  const pays = (currency: 'payoutCentavos' | 'payoutCents') =>
    sql`coalesce(sum(avp_sales * ${rateAt(steps, sql`place`, currency)}), 0)::bigint`
  const { rows } = await sql<PaidByTiers>`
    select
      ${weekOf(sql`day`)} as week, ${isNow(asked)} as "isNow",
      ${sql.join(keys.map((key) => sql`${sql.ref(key)} as ${sql.ref(key === 'agent_id' ? 'agentId' : 'officeId')}`))},
      ${pays('payoutCentavos')} as centavos, ${pays('payoutCents')} as cents
    from ${tieredSource(scope, question, steps, ['day', ...keys, 'avp_sales', 'place'])} as sold
    where avp_sales <> 0 and ${isIn(weeks)}
    group by 1, 2, ${columns(keys)}
  `.execute(tx)
  return rows
}

/** The sites that count for AVP now. */
export async function findAvpSites(tx: Tx): Promise<number[]> {
  const sites = await tx.selectFrom('sites').select('id').where('avp', '=', true).execute()
  return sites.map(({ id }) => id)
}
