import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { byCountedType, countedTypes, typeOf } from '../../db/event-types.ts'
import { amountOfSale, weekOf } from '../../totals/index.ts'
import {
  type FeeColumns,
  findFormerApproveSale,
  findFormerBonus,
  type FormerFlag,
  flagAt,
} from '../../catalogue/index.ts'

/** From an instant, inclusive, to another, exclusive. Null: no beginning or no end. */
export type Span = { from: Date | null; until: Date | null }

/** When a row of rates is in force, and for whom. Spans of the same office, or of the default rates, do not overlap. */
export type RateSpan = Span & {
  /** Null for rates that are only being previewed. */
  rateId: number | null
  /** Null for the link type's default rates. */
  officeId: number | null
  /** False if the office has the default rates. */
  enabled: boolean
  /** The row is older than dated rates: sales of that time keep what they were recorded with. */
  isUndated: boolean
  amounts: FeeColumns
}

/** Which sales are repriced, and at which rates. */
export type Repricing = {
  typeId: number
  siteId: number
  /** Only this office's sales; null: those of all offices that had the default rates. */
  officeId: number | null
  /** The times whose rates have changed. */
  changed: readonly Span[]
  /** All rates of the link type, as they are now. */
  spans: readonly RateSpan[]
}

/** What repricing changes for an agent in a period, of sales that are paid alike. */
export type RepricedSum = {
  officeId: number
  agentId: number
  /** The position of the period in the given list; null if it is in none. */
  period: number | null
  sales: number
  /** The Monday of the week for whose tier they count; null if they count for none. */
  avpWeek: Day | null
  /** Their sale was recorded before pay was switched on. */
  isFromBefore: boolean
  payoutCentavos: number
  earningCents: number
}

/**
 * Writes a difference for each live sale whose price has changed, and its totals. Returns the sums
 * of these differences.
 */
export async function reprice(
  tx: Tx,
  repricing: Repricing,
  { backdatingId, at }: { backdatingId: number; at: Date },
) {
  const noBonus = await findSpansWithoutBonus(tx, repricing)
  await sql`
    insert into sale_events (
      id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
      earning_cents, payout_centavos, lpp, avp, rate_source, rate_id, fraud, click_id, transaction_id,
      customer_email, referrer_id, adjusts, backdating_id, of_sale, sold_at
    )
    select
      ${idOfDifference(backdatingId)}, agent_id, occurred_at, ${at}::timestamptz,
      event_type, 0, office_id, site_id, type_id,
      earning_difference, payout_difference, lpp_difference, avp, new_source, new_rate_id, fraud, click_id,
      transaction_id, customer_email, referrer_id, id, ${backdatingId}::bigint, of_sale, sold_at
    from ${differences(repricing, noBonus)} as difference
  `.execute(tx)
  const written = sql`(
    select *
    from sale_events
    where site_id = ${repricing.siteId} and type_id = ${repricing.typeId}
      and backdating_id = ${backdatingId} and ${within(repricing.changed)}
  )`
  await sql`
    insert into totals_pending (
      day, agent_id, office_id, site_id, type_id,
      earning_cents, payout_centavos, bonus_earning_cents, bonus_payout_centavos, lpp
    )
    select
      (occurred_at at time zone ${sql.lit(NEW_YORK)})::date as day, agent_id, office_id, site_id, type_id,
      sum(${amountOfSale('earning_cents')})::bigint, sum(${amountOfSale('payout_centavos')})::bigint,
      sum(${amountOfSale('bonus_earning_cents')})::bigint, sum(${amountOfSale('bonus_payout_centavos')})::bigint,
      sum(lpp)::integer
    from ${written} as difference
    group by day, agent_id, office_id, site_id, type_id
  `.execute(tx)
  const { rows } = await sql<{ sales: number; payoutCentavos: number; earningCents: number }>`
    select
      count(*) as sales, coalesce(sum(payout_centavos), 0)::bigint as "payoutCentavos",
      coalesce(sum(earning_cents), 0)::bigint as "earningCents"
    from ${written} as difference
  `.execute(tx)
  return rows[0] ?? { sales: 0, payoutCentavos: 0, earningCents: 0 }
}

/** A UUID (version 8) of the sale and the backdating: the primary key refuses a second difference. */
const idOfDifference = (backdatingId: number) => sql`
  overlay(
    overlay(md5(${`difference ${backdatingId} `}::text || id) placing '8' from 13) placing '8' from 17
  )::uuid`

/**
 * What `reprice` would write now, by office, agent and period. The days of `periods` are inclusive.
 * @param payFrom when pay was switched on
 */
export async function findRepricedSums(
  tx: Tx,
  repricing: Repricing,
  periods: readonly { start: string; end: string }[],
  payFrom: Date | undefined,
): Promise<RepricedSum[]> {
  const noBonus = await findSpansWithoutBonus(tx, repricing)
  const { rows } = await sql<RepricedSum>`
    with period as materialized (
      select place, starts, ends
      from jsonb_to_recordset(${JSON.stringify(
        periods.map(({ start, end }, place) => ({ place, starts: start, ends: end })),
      )}::jsonb) as period (place integer, starts date, ends date)
    ),
    difference as materialized (
      select
        event.office_id, event.agent_id, event.payout_difference, event.earning_difference,
        (event.occurred_at at time zone ${sql.lit(NEW_YORK)})::date as day,
        case
          when event.avp and event.event_type = ${typeOf.sale}
          then ${weekOf(sql`(event.priced_at at time zone ${sql.lit(NEW_YORK)})::date`)}
        end as avp_week,
        coalesce(
          coalesce(original.recorded_at, event.recorded_at) < ${payFrom ?? null}::timestamptz, false
        ) as is_from_before
      from ${differences(repricing, noBonus)} as event
      left join sale_events as original
        on original.agent_id = event.agent_id and original.id = event.of_sale
    )
    select
      office_id as "officeId", agent_id as "agentId", period.place as period, count(*) as sales,
      avp_week as "avpWeek", is_from_before as "isFromBefore",
      sum(payout_difference)::bigint as "payoutCentavos",
      sum(earning_difference)::bigint as "earningCents"
    from difference
    left join period on difference.day between period.starts and period.ends
    group by office_id, agent_id, period.place, avp_week, is_from_before
  `.execute(tx)
  return rows
}

/**
 * Every live sale whose amounts would change. A sale that is back at the rates it was recorded with gets the recorded
 * amounts. A bonus that was recorded with 0, because its link type had none then, keeps 0.
 */
const differences = (
  { typeId, siteId, officeId, changed, spans }: Repricing,
  noBonus: readonly Span[],
) => sql`(
  with rates_of_time as materialized (${tableOf(spans)})
  select *
  from (
    select
      event.*, rate.rate_id as new_rate_id,
      case when rate.office_id is null then 'default' else 'office' end as new_source,
      ${whatIsLeftOf(priceOf('earning_cents', noBonus))} - event.present_earning as earning_difference,
      ${whatIsLeftOf(priceOf('payout_centavos', noBonus))} - event.present_payout as payout_difference,
      (${whatIsLeftOf(priceOf('lpp', noBonus))} - event.present_lpp)::integer as lpp_difference
    from (${salesWithDifferences({ siteId, typeId, officeId, changed })}) as event
    join rates_of_time as standard
      on standard.office_id is null
      and event.priced_at >= standard.starts and event.priced_at < standard.ends
    left join rates_of_time as own
      on own.office_id = event.office_id
      and event.priced_at >= own.starts and event.priced_at < own.ends
    join rates_of_time as rate
      on rate.place = case when own.enabled then own.place else standard.place end
    left join sale_events as reversal
      on reversal.agent_id = event.agent_id and reversal.click_id = event.click_id
      and reversal.reverses = event.id
    where event.quantity = 1 and reversal.id is null
      ${officeId === null ? sql`and ${hadDefaultRates}` : sql``}
  ) as priced
  where earning_difference <> 0 or payout_difference <> 0 or lpp_difference <> 0
)`

/**
 * Sales and their differences, each with the sale's value now. One pass over both: in a join,
 * PostgreSQL might compare every sale with every difference, because it can't estimate their
 * numbers. Among the differences are refunded parts. The office is filtered before the sums, as PostgreSQL would otherwise sum all offices'
 * sales first; a difference has the office of its sale.
 */
function salesWithDifferences({
  siteId,
  typeId,
  officeId,
  changed,
}: Pick<Repricing, 'siteId' | 'typeId' | 'officeId' | 'changed'>) {
  const present = (column: 'earning_cents' | 'payout_centavos' | 'lpp') =>
    sql`(sum(${sql.ref(column)}) over (partition by agent_id, coalesce(adjusts, id)))::bigint`
  return sql`
    select
      id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
      earning_cents, payout_centavos,
      lpp, avp, rate_source, rate_id, fraud, click_id, transaction_id, customer_email, referrer_id,
      ${present('earning_cents')} as present_earning, ${present('payout_centavos')} as present_payout,
      ${present('lpp')} as present_lpp, of_sale, sold_at, coalesce(sold_at, occurred_at) as priced_at,
      sum(coalesce(part_ppm, 0)) over (partition by agent_id, coalesce(adjusts, id)) as taken_ppm
    from sale_events
    where site_id = ${siteId} and type_id = ${typeId} and quantity in (0, 1) and event_type in ${countedTypes}
      and ${within(changed)} ${officeId === null ? sql`` : sql`and office_id = ${officeId}`}`
}

/** Not those recorded at an office's own rates before rates had dates. */
const hadDefaultRates = sql`(event.rate_id is not null or event.rate_source = 'default')`

/** Whether a sale is back at the rates that it was recorded with. */
const isAsRecorded = sql`(
  event.rate_id = rate.rate_id
  or (
    event.rate_id is null and rate.is_undated
    and (coalesce(own.is_undated, true) or (rate.office_id is null and event.rate_source = 'default'))
  )
)`

const priceOf = (
  column: 'earning_cents' | 'payout_centavos' | 'lpp',
  noBonus: readonly Span[],
) => sql`
  case
    when ${isAsRecorded}
    then event.${sql.ref(column)}
    when event.event_type = ${typeOf.bonus} and event.earning_cents = 0 and event.payout_centavos = 0 and event.lpp = 0
      and (${isInOneOf(sql`event.priced_at`, noBonus)})
    then 0
    else ${byCountedType(sql`event.event_type`, {
      sale: sql.ref(`rate.${column}`),
      bonus: sql.ref(`rate.bonus_${column}`),
    })}
  end`

/** The default rates, and offices' own rates, which price sales while they are enabled. */
const tableOf = (spans: readonly RateSpan[]): RawBuilder<unknown> => sql`
  select
    place, rate_id, office_id, enabled, is_undated, earning_cents, payout_centavos, lpp,
    bonus_earning_cents, bonus_payout_centavos, bonus_lpp,
    coalesce(starts, '-infinity'::timestamptz) as starts,
    coalesce(ends, 'infinity'::timestamptz) as ends
  from jsonb_to_recordset(${JSON.stringify(
    spans.map(({ rateId, officeId, enabled, isUndated, from, until, amounts }, place) => ({
      place,
      rate_id: rateId,
      office_id: officeId,
      enabled,
      is_undated: isUndated,
      starts: from,
      ends: until,
      ...amounts,
    })),
  )}::jsonb) as rate (
    place integer, rate_id bigint, office_id bigint, enabled boolean, is_undated boolean, starts timestamptz,
    ends timestamptz, earning_cents bigint, payout_centavos bigint, lpp bigint,
    bonus_earning_cents bigint, bonus_payout_centavos bigint, bonus_lpp bigint
  )`

/** As `withoutPart` does. */
const whatIsLeftOf = (price: RawBuilder<unknown>) => sql`
  ((${price}) - round((${price})::numeric * event.taken_ppm / 1000000)::bigint)`

const isIn = (instant: RawBuilder<unknown>, { from, until }: Span) => sql`
  ${instant} >= ${from ?? new Date(0)}::timestamptz
  ${until ? sql`and ${instant} < ${until}::timestamptz` : sql``}`

const isInOneOf = (instant: RawBuilder<unknown>, spans: readonly Span[]): RawBuilder<unknown> =>
  spans.length === 0
    ? sql`false`
    : sql.join(
        spans.map((span) => sql`(${isIn(instant, span)})`),
        sql` or `,
      )

/** When a link type paid no bonus: its site did not use approve-sale, and the Bonus checkbox was off. */
async function findSpansWithoutBonus(
  tx: Tx,
  { siteId, typeId }: Pick<Repricing, 'siteId' | 'typeId'>,
): Promise<Span[]> {
  const present = await tx
    .selectFrom('link_types as type')
    .innerJoin('sites as site', 'site.id', 'type.site_id')
    .select(['type.bonus', 'site.use_approve_sale as useApproveSale'])
    .where('type.id', '=', typeId)
    .executeTakeFirstOrThrow()
  const bonuses = await findFormerBonus(tx, typeId)
  const approveSale = (await findFormerApproveSale(tx)).get(siteId) ?? []
  return spansWithout([
    { present: present.bonus, former: bonuses },
    { present: present.useApproveSale, former: approveSale },
  ])
}

/** The spans in which all of these flags were off. */
function spansWithout(
  flags: readonly { present: boolean; former: readonly FormerFlag[] }[],
): Span[] {
  const changes = flags.flatMap(({ former }) => former.map(({ until }) => until.getTime()))
  const ends = [...new Set(changes)].toSorted((one, other) => one - other)
  return [null, ...ends].flatMap((start, place): Span[] => {
    const from = start === null ? null : new Date(start)
    const isOff = flags.every(
      ({ present, former }) => !flagAt(present, former, from ?? new Date(0)),
    )
    const end = ends[place]
    return isOff ? [{ from, until: end === undefined ? null : new Date(end) }] : []
  })
}

/** When a sale was made decides about its rates, also if it counts again since later. */
const within = (spans: readonly Span[]): RawBuilder<unknown> =>
  spans.length === 0
    ? sql`false`
    : sql`(${sql.join(
        spans.map(
          (span) =>
            sql`((${isIn(sql`occurred_at`, span)} and sold_at is null) or ${isIn(sql`sold_at`, span)})`,
        ),
        sql` or `,
      )})`
