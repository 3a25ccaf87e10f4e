import { endOfDayExclusive, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../db/database.ts'

/** Which events to count. */
export type Counted = {
  /** Whether months are archived ({@link hasSeals}): their seals then replace their clicks. */
  sealed: boolean
  /** Days, both inclusive; all of them by default. */
  range?: DateRange
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
export const countedEvents = ({ sealed, range }: Counted): RawBuilder<unknown> => sql`
  select
    (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day,
    agent_id, office_id, site_id, type_id,
    1 as raws, is_unique::integer as uniques, 0 as sales, 0 as bonus_sales, 0 as avp_sales,
    0::bigint as earning_cents, 0::bigint as bonus_earning_cents,
    0::bigint as payout_centavos, 0::bigint as bonus_payout_centavos, 0 as lpp
  from clicks
  left join link_types as type on type.id = type_id
  where uncounted is null ${isWithin(sql`clicked_at`, range)}
  union all
  select
    (occurred_at at time zone ${sql.lit(NEW_YORK)})::date,
    agent_id, office_id, site_id, type_id,
    0, 0,
    case when event_type = 0 then quantity else 0 end,
    case when event_type = 1 then quantity else 0 end,
    case when event_type = 0 and avp and quantity = 1 and restores is null then 1 else 0 end,
    case when event_type = 0 then earning_cents else 0 end,
    case when event_type = 1 then earning_cents else 0 end,
    case when event_type = 0 then payout_centavos else 0 end,
    case when event_type = 1 then payout_centavos else 0 end,
    lpp
  from sale_events
  where event_type in (0, 1) ${isWithin(sql`occurred_at`, range)}
  union all
  select
    (${avpSoldAt} at time zone ${sql.lit(NEW_YORK)})::date,
    change.agent_id, change.office_id, change.site_id, change.type_id,
    0, 0, 0, 0, change.quantity, 0, 0, 0, 0, 0
  from sale_events as change
  left join sale_events as sale
    on sale.agent_id = change.agent_id and sale.id = coalesce(change.of_sale, change.reverses)
  where (change.quantity = -1 or change.restores is not null) and change.event_type = 0 and change.avp
    ${isWithin(avpSoldAt, range)}
  ${sealed ? sealedClicks(range) : sql``}
`

const avpSoldAt = sql`coalesce(sale.occurred_at, change.occurred_at)`

const sealedClicks = (range: DateRange | undefined) => sql`
  union all
  select
    day, agent_id, office_id, site_id, type_id,
    raws, uniques, 0, 0, 0, 0, 0, 0, 0, 0
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
