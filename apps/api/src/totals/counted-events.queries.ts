import { COUNTED_KINDS } from '@tallyroom/domain/event-types'
import { endOfDayExclusive, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../db/database.ts'
import { countedTypes, typeOf } from '../db/event-types.ts'
import { eventColumns, figuresOfKind, type SaleFigure } from './event-columns.ts'
import { isMoney, type Metric, metrics } from './levels.ts'
import { isStored, joinClick } from './subs.queries.ts'

/** Which events to count. */
export type Counted = {
  /** Whether months are archived ({@link hasSeals}): their seals then replace their clicks. */
  sealed: boolean
  /** Days, both inclusive; all of them by default. */
  range?: DateRange
  /**
   * Adds `subs`, those of the click or of the click that a sale came from, and `is_stored`: whether that click is in the database, so
   * that they are known.
   */
  subs?: boolean
}

/**
 * Whether any month of clicks is archived. A separate query, because Citus does not join a local table with the
 * events.
 */
export async function hasSeals(db: DbOrTx): Promise<boolean> {
  const row = await db.selectFrom('click_seals').select('month').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Every counted event as a row of the finest level, and the seals of archived months. A reversal
 * lowers the AVP sales of the day of its sale, and a sale that counts again raises them there. A click whose link type is missing has no site, which no total allows, so that
 * it cannot be left out unnoticed.
 */
export const countedEvents = ({ sealed, range, subs = false }: Counted): RawBuilder<unknown> => sql`
  select
    (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day,
    agent_id, office_id, site_id, type_id,
    ${counts({ ...zeros, raws: sql`1`, uniques: sql`is_unique::integer` })}
    ${subs ? sql`, subs, true as is_stored` : sql``}
  from clicks
  left join link_types as type on type.id = type_id
  where uncounted is null ${isWithin(sql`clicked_at`, range)} ${subs ? isOnUtcDays(range) : sql``}
  union all
  select
    (occurred_at at time zone ${sql.lit(NEW_YORK)})::date,
    sale_events.agent_id, sale_events.office_id, sale_events.site_id, sale_events.type_id,
    ${counts(countsOfSale)}
    ${subs ? subsOfClick : sql``}
  from sale_events ${subs ? joinClick('sale_events') : sql``}
  where event_type in ${countedTypes} ${isWithin(sql`occurred_at`, range)}
  union all
  select
    (${avpSoldAt} at time zone ${sql.lit(NEW_YORK)})::date,
    change.agent_id, change.office_id, change.site_id, change.type_id,
    ${counts({ ...zeros, avp_sales: sql`change.quantity` })}
    ${subs ? subsOfClick : sql``}
  from sale_events as change
  ${subs ? joinClick('change') : sql``}
  left join sale_events as sale
    on sale.agent_id = change.agent_id and sale.id = coalesce(change.of_sale, change.reverses)
  where (change.quantity = -1 or change.restores is not null) and change.event_type = ${typeOf.sale} and change.avp
    ${isWithin(avpSoldAt, range)}
  ${sealed ? sealedClicks(range, subs) : sql``}
`

const subsOfClick = sql`, subs, ${isStored}`

/** What the index of an agent's clicks has. A New York day ends early on the next UTC day. */
export const isOnUtcDays = (range: DateRange | undefined): RawBuilder<unknown> =>
  range
    ? sql`
        and (clicked_at at time zone 'UTC')::date between ${range.start}::date and ${range.end}::date + 1`
    : sql``

/** What an event or a seal counts, with a name for each figure, so that none can stand in another's place. */
type Counts = Record<Metric, RawBuilder<unknown>>

const counts = (of: Counts): RawBuilder<unknown> =>
  sql.join(metrics.map((metric) => sql`${of[metric]} as ${sql.ref(metric)}`))

const zeros = Object.fromEntries(
  metrics.map((metric) => [metric, isMoney(metric) ? sql`0::bigint` : sql`0`]),
) as Counts // it has all of them

/** What an event adds to a figure, by its kind. */
export const amountOfSale = (figure: SaleFigure): RawBuilder<unknown> =>
  sql.join(
    COUNTED_KINDS.flatMap((kind) =>
      eventColumns
        .filter((column) => figuresOfKind[kind][column] === figure)
        .map(
          (column) =>
            sql`case when event_type = ${typeOf[kind]} then ${sql.ref(column)} else 0 end`,
        ),
    ),
    sql` + `,
  )

const countsOfSale: Counts = {
  raws: sql`0`,
  uniques: sql`0`,
  sales: amountOfSale('sales'),
  bonus_sales: amountOfSale('bonus_sales'),
  avp_sales: sql`case when event_type = ${typeOf.sale} and avp and quantity = 1 and restores is null then 1 else 0 end`,
  earning_cents: amountOfSale('earning_cents'),
  bonus_earning_cents: amountOfSale('bonus_earning_cents'),
  payout_centavos: amountOfSale('payout_centavos'),
  bonus_payout_centavos: amountOfSale('bonus_payout_centavos'),
  lpp: sql`lpp`,
}

const avpSoldAt = sql`coalesce(sale.occurred_at, change.occurred_at)`

const sealedClicks = (range: DateRange | undefined, subs: boolean) => sql`
  union all
  select
    day, agent_id, office_id, site_id, type_id,
    ${counts({ ...zeros, raws: sql`raws`, uniques: sql`uniques` })}
    ${subs ? sql`, null::text[], false` : sql``}
  from click_seals
  where raws > 0 and ${isOnDays(range)}
`

/** The condition that a row's `day` is in a range; true without one. */
export const isOnDays = (range: DateRange | undefined): RawBuilder<boolean> =>
  range ? sql`day between ${range.start}::date and ${range.end}::date` : sql`true`

/** The condition that something happened on days of a range; empty without one. */
export const isWithin = (
  happenedAt: RawBuilder<unknown>,
  range: DateRange | undefined,
): RawBuilder<unknown> =>
  range
    ? sql`
        and ${happenedAt} >= ${startOfDay(range.start)}
        and ${happenedAt} < ${endOfDayExclusive(range.end)}`
    : sql``
