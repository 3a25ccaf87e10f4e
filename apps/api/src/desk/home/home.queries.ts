import { type Day, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import {
  amountOfSale,
  type AvpStep,
  conditions,
  type Metric,
  rateAt,
  type SaleFigure,
  tieredSource,
  totalsSource,
} from '../../totals/index.ts'
import type { PartOfDay } from './home-periods.ts'

const summed = [
  'sales',
  'bonus_sales',
  'uniques',
  'avp_sales',
  'payout_centavos',
  'bonus_payout_centavos',
  'earning_cents',
  'bonus_earning_cents',
] as const satisfies Metric[]

/** Money in minor units. */
export type Sums = Record<(typeof summed)[number], number>

export type DaySums = Sums & { day: Day }

/** The sums of each day with events. */
export async function findDays(
  tx: Tx,
  scope: Scope,
  { range, today }: { range: DateRange; today: Day },
): Promise<DaySums[]> {
  const totals = { range, today, filter: {}, dimensions: [], byDay: true } as const
  const { rows } = await sql<DaySums>`
    select day, ${sums(summed)}
    from ${totalsSource(scope, totals, ['day', ...summed])} as totals
    group by day
    order by day
  `.execute(tx)
  return rows
}

export type SiteSums = Sums & { site_id: number }

/** The sums of a day by site. */
export async function findSitesOfDay(tx: Tx, scope: Scope, day: Day): Promise<SiteSums[]> {
  const totals = {
    range: { start: day, end: day },
    today: day,
    filter: {},
    dimensions: ['site_id'],
    byDay: true,
  } as const
  const { rows } = await sql<SiteSums>`
    select site_id, ${sums(summed)}
    from ${totalsSource(scope, totals, ['site_id', ...summed])} as totals
    group by site_id
  `.execute(tx)
  return rows
}

const summedOfPart = [
  'sales',
  'bonus_sales',
  'payout_centavos',
  'bonus_payout_centavos',
  'earning_cents',
  'bonus_earning_cents',
] as const satisfies SaleFigure[]

/** The sums of a part of a day by site, without clicks. */
export type PartSums = Record<(typeof summedOfPart)[number], number> & { site_id: number }

/**
 * The sums of a part of a day, from its sale events, because totals only have whole days. A day of
 * a large network has about a thousand events.
 */
export async function findPartOfDay(
  tx: Tx,
  scope: Scope,
  { day, until }: PartOfDay,
): Promise<PartSums[]> {
  const { rows } = await sql<PartSums>`
    select
      site_id,
      ${sql.join(summedOfPart.map((figure) => sql`sum(${amountOfSale(figure)})::bigint as ${sql.ref(figure)}`))}
    from sale_events
    where occurred_at >= ${startOfDay(day)} and occurred_at < ${until} and ${conditions(scope, {})}
    group by site_id
  `.execute(tx)
  return rows
}

const sums = (metrics: readonly Metric[]) =>
  sql.join(metrics.map((metric) => sql`sum(${sql.ref(metric)})::bigint as ${sql.ref(metric)}`))

/** How many agents in scope have AVP sales in a week. */
export async function countAvpAgents(
  tx: Tx,
  scope: Scope,
  { range, today }: { range: DateRange; today: Day },
): Promise<number> {
  const totals = { range, today, filter: {}, dimensions: ['agent_id'], byDay: false } as const
  const { rows } = await sql<{ agents: number }>`
    select count(distinct agent_id) as agents
    from ${totalsSource(scope, totals, ['agent_id', 'avp_sales'])} as totals
    where avp_sales > 0
  `.execute(tx)
  return rows[0]?.agents ?? 0
}

/** What the AVP sales of whole weeks pay by tier, in centavos. */
export async function sumTierPay(
  tx: Tx,
  scope: Scope,
  weeks: DateRange,
  steps: readonly AvpStep[],
): Promise<number> {
  const sold = { range: weeks, filter: {}, dimensions: [], byDay: false } as const
  const { rows } = await sql<{ centavos: number }>`
    select
      coalesce(sum(avp_sales * ${rateAt(steps, sql`place`, 'payoutCentavos')}), 0)::bigint as centavos
    from ${tieredSource(scope, sold, steps, ['place', 'avp_sales'])} as sales
  `.execute(tx)
  return rows[0]?.centavos ?? 0
}

export const findSiteNames = async (
  tx: Tx,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('sites')
    .select(['id', 'sitename'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, sitename }) => [id, sitename]))
}
