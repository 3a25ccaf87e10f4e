import { addDays, type Day } from '@tallyroom/domain/new-york'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { everything, type Scope } from '../../access/scope.ts'
import { columns } from '../../db/list-query.ts'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, rateAt, tieredSource, totalsSource } from '../../totals/index.ts'

/** The assumed rate of a link type, in centavos. Null keeps what was paid. */
type OtherRate = {
  typeId: number
  payoutCentavos: number | null
  bonusPayoutCentavos: number | null
  /** Offices that keep their own rates. */
  exceptOfficeIds: readonly number[]
}

type WhatIfQuestion = {
  range: DateRange
  today: Day
  byAgent: boolean
  officeIds: readonly number[] | undefined
}

/** An office, or an agent with the office that they sold for. */
export type RowKey = { officeId: number; agentId: number | null }

type TierRow = RowKey & { paidCentavos: number; wouldBeCentavos: number }
type RateRow = TierRow & { sales: number; bonusSales: number }

/** What was recorded, and quantity × assumed rate. Only link types with an assumed rate. */
export async function findByRates(
  tx: Tx,
  question: WhatIfQuestion,
  rates: readonly OtherRate[],
): Promise<RateRow[]> {
  const { range, today, byAgent } = question
  const totals = {
    range,
    today,
    filter: {
      typeIds: rates.map(({ typeId }) => typeId),
      // The totals by link type are indexed by site, so name the sites.
      siteIds: await findSiteIds(
        tx,
        rates.map(({ typeId }) => typeId),
      ),
      officeIds: question.officeIds,
    },
    dimensions: [...keysOf(byAgent), 'type_id'],
    byDay: false,
  } as const
  const summed = ['sales', 'bonus_sales', 'payout_centavos', 'bonus_payout_centavos']
  const source = totalsSource(all, totals, [...keysOf(byAgent), 'type_id', ...summed])
  // Sums by link type first, so that only a few rows are multiplied, whatever the range.
  const { rows } = await sql<RateRow>`
    with sold as (
      select ${columns(keysOf(byAgent))}, type_id, ${sql.join(
        summed.map((metric) => sql`sum(${sql.ref(metric)})::bigint as ${sql.ref(metric)}`),
      )}
      from ${source} as totals
      where sales <> 0 or bonus_sales <> 0 or payout_centavos <> 0 or bonus_payout_centavos <> 0
      group by ${columns([...keysOf(byAgent), 'type_id'])}
    ), other as (
      select *
      from unnest(
        ${rates.map(({ typeId }) => typeId)}::integer[],
        ${rates.map(({ payoutCentavos }) => payoutCentavos)}::bigint[],
        ${rates.map(({ bonusPayoutCentavos }) => bonusPayoutCentavos)}::bigint[]
      ) as given (type_id, payout, bonus_payout)
    )
    select
      office_id as "officeId", ${byAgent ? sql`agent_id` : sql`null::integer`} as "agentId",
      sum(sales)::bigint as sales, sum(bonus_sales)::bigint as "bonusSales",
      sum(payout_centavos + bonus_payout_centavos)::bigint as "paidCentavos",
      sum(case when ${isLeftAlone(rates)} then payout_centavos + bonus_payout_centavos else
        coalesce(sales * payout, payout_centavos)
        + coalesce(bonus_sales * bonus_payout, bonus_payout_centavos) end)::bigint as "wouldBeCentavos"
    from sold join other using (type_id)
    group by ${columns(keysOf(byAgent))}
  `.execute(tx)
  return rows
}

const findSiteIds = async (tx: Tx, typeIds: readonly number[]): Promise<number[]> =>
  (
    await tx
      .selectFrom('link_types')
      .select('site_id')
      .distinct()
      .where('id', 'in', typeIds)
      .execute()
  ).map(({ site_id: siteId }) => siteId)

function isLeftAlone(rates: readonly OtherRate[]) {
  const pairs = rates.flatMap(({ typeId, exceptOfficeIds }) =>
    exceptOfficeIds.map((officeId) => ({ typeId, officeId })),
  )
  return pairs.length === 0
    ? sql`false`
    : sql`(type_id, office_id) in (
        select * from unnest(
          ${pairs.map(({ typeId }) => typeId)}::integer[],
          ${pairs.map(({ officeId }) => officeId)}::integer[]
        )
      )`
}

/** A tier in force, and what a sale pays there by the other tiers. */
export type ComparedStep = AvpStep & { otherCentavos: number }

/** What AVP sales pay by the tiers in force and by the other ones, computed as in Payroll AVP. */
export async function findByTiers(
  tx: Tx,
  { range, byAgent, officeIds }: WhatIfQuestion,
  steps: readonly ComparedStep[],
): Promise<TierRow[]> {
  const about = { filter: { officeIds }, dimensions: keysOf(byAgent), byDay: false }
  const names = [...keysOf(byAgent), 'avp_sales', 'place']
  const sources = byWholeWeeks(range).map((part) =>
    tieredSource(all, { ...about, range: part }, steps, names),
  )
  // Sum by tier first: only a few rows are multiplied then, whatever the range.
  const { rows } = await sql<TierRow>`
    select
      office_id as "officeId", ${byAgent ? sql`agent_id` : sql`null::integer`} as "agentId",
      sum(avp_sales * ${rateAt(steps, sql`place`, 'payoutCentavos')})::bigint as "paidCentavos",
      sum(avp_sales * ${rateAt(steps, sql`place`, 'otherCentavos')})::bigint as "wouldBeCentavos"
    from (
      select ${columns([...keysOf(byAgent), 'place'])}, sum(avp_sales) as avp_sales
      from (${sql.join(sources, sql` union all `)}) as sales
      where avp_sales <> 0
      group by ${columns([...keysOf(byAgent), 'place'])}
    ) as sales
    group by ${columns(keysOf(byAgent))}
  `.execute(tx)
  return rows
}

/** The whole weeks of a range, whose totals are few, and the days before and after them. */
function byWholeWeeks({ start, end }: DateRange): DateRange[] {
  const monday = addDays(periodOf(addDays(start, -1), 'week').end, 1)
  const sunday = addDays(periodOf(addDays(end, 1), 'week').start, -1)
  if (monday > sunday) return [{ start, end }]
  return [
    { start, end: addDays(monday, -1) },
    { start: monday, end: sunday },
    { start: addDays(sunday, 1), end },
  ].filter((part) => part.start <= part.end)
}

/** Unscoped: only staff may ask what if. */
const all: Scope = everything()

const keysOf = (byAgent: boolean) =>
  byAgent ? (['office_id', 'agent_id'] as const) : (['office_id'] as const)

export async function findNames(tx: Tx, byAgent: boolean) {
  const offices = await tx.selectFrom('offices').select(['id', 'name']).execute()
  const agents = byAgent
    ? await tx
        .selectFrom('accounts')
        .select(['agent_id', 'username'])
        .where('agent_id', 'is not', null)
        .execute()
    : []
  return {
    offices: new Map(offices.map(({ id, name }) => [id, name])),
    agents: new Map(agents.map(({ agent_id: id, username }) => [id, username])),
  }
}
