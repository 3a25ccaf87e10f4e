import type { EventType, Reversal } from '@tallyroom/domain/event-types'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import type { DbOrTx } from '../../db/database.ts'
import { aboutSale, countedTypes, typeOf } from '../../db/event-types.ts'
import { contains, direction, startsWith } from '../../db/list-query.ts'
import type { Stretch } from '../../db/logs/read-on.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import { eventsOfSub, type SubFilter } from '../../totals/index.ts'

/** Which sale events to list, by time: `from` inclusive, `before` exclusive. */
export type SaleFilter = {
  siteId: number | undefined
  officeId: number | undefined
  agentId: number | undefined
  /** By any of its ids. */
  click: { ids: readonly string[]; agentId: number } | undefined
  /** The beginning of an order number, case-insensitive. */
  order: string | undefined
  eventType: EventType | undefined
  onlyReversals: boolean
  /** Leaves out differences from backdated rates in which none of these amounts changes. */
  sees: { earning: boolean; payout: boolean }
  /** Leaves out paid clicks, which pay nothing, and differences from backdated rates. */
  onlySales?: true
  /** Paid clicks that pay nothing. */
  unpaid?: 'left out' | 'alone' | undefined
  /** Case-insensitive. `isWhole` matches the complete address instead of a part. */
  email: { text: string; isWhole: boolean } | undefined
  /** Of the click. */
  sub?: SubFilter | undefined
  from: Date | undefined
  before: Date | undefined
  /** In the order of recording, whatever the page says. */
  recorded?: Stretch | undefined
}

export type SaleRow = {
  id: string
  occurredAt: Date
  customerEmail: string | null
  companyId: number
  agentId: number
  siteId: number
  officeName: string | null
  agent: string | null
  sitename: string | null
  useApproveSale: boolean | null
  typename: string | null
  earningCents: number
  payoutCentavos: number
  clickId: string
  transactionId: string | null
  eventType: EventType
  reversal: Reversal | null
  takenBackBy: Reversal | null
  isDifference: boolean
  partPpm: number | null
  isRestored: boolean
  amountE4: number | null
  currency: string | null
  agentSuspended: boolean
  fraud: boolean
  referer: string | null
  isAvp: boolean
  quantity: number
  recordedAt: Date
  /** Of this event, or of the sale that it is about. */
  soldAt: Date
  saleRecordedAt: Date
}

/**
 * A page of the list. It is limited before anything else is looked up: skipping a hundred thousand
 * index entries is cheap, reading their rows is not.
 */
export async function findSaleEvents(
  db: DbOrTx,
  scope: Scope,
  filter: SaleFilter,
  page: { sortAsc: boolean; limit: number; offset: number; total?: number },
): Promise<SaleRow[]> {
  const way = direction(page.sortAsc)
  // PostgreSQL cannot tell a rare order number from a common beginning. For a rare one, it would walk all sales by time.
  const isRare = filter.order !== undefined && (page.total ?? Infinity) <= RARE
  // All indexes of the table have ids in the opposite order.
  const idWay = direction(!page.sortAsc)
  const orderOf = (name: 'event' | 'page') =>
    filter.recorded
      ? sql`${sql.ref(`${name}.recorded_at`)}, ${sql.ref(`${name}.id`)}`
      : sql`${sql.ref(`${name}.occurred_at`)} ${way}, ${sql.ref(`${name}.id`)} ${idWay}`
  const { rows } = await sql<SaleRow>`
    with found as ${isRare ? sql`materialized` : sql`not materialized`} (
      select event.occurred_at, event.id${filter.recorded ? sql`, event.recorded_at` : sql``}
      from ${eventsOf(filter)} as event
      where ${matching(scope, filter)}
    ),
    place as materialized (
      select event.occurred_at, event.id
      from found as event
      order by ${orderOf('event')}
      limit ${page.limit} offset ${page.offset}
    ),
    page as materialized (
      select event.*, taken_back.reversal as taken_back_by
      from place
      join sale_events as event on event.occurred_at = place.occurred_at and event.id = place.id
      left join sale_events as taken_back
        on taken_back.agent_id = event.agent_id
        and taken_back.click_id = event.click_id
        and taken_back.reverses = event.id
    )
    select
      page.id,
      page.occurred_at as "occurredAt",
      page.customer_email as "customerEmail",
      page.office_id as "companyId",
      page.agent_id as "agentId",
      page.site_id as "siteId",
      office.name as "officeName",
      account.username as agent,
      site.sitename,
      site.use_approve_sale as "useApproveSale",
      type.typename,
      page.earning_cents as "earningCents",
      page.payout_centavos as "payoutCentavos",
      page.click_id as "clickId",
      page.transaction_id as "transactionId",
      page.event_type as "eventType",
      page.reversal,
      page.taken_back_by as "takenBackBy",
      page.quantity = 0 as "isDifference",
      page.part_ppm as "partPpm",
      page.restores is not null as "isRestored",
      page.amount_e4 as "amountE4",
      page.currency,
      page.agent_suspended as "agentSuspended",
      page.fraud,
      referrer.referrer as referer,
      page.avp and page.event_type = ${typeOf.sale} as "isAvp",
      page.quantity,
      page.recorded_at as "recordedAt",
      coalesce(original.occurred_at, page.occurred_at) as "soldAt",
      coalesce(original.recorded_at, page.recorded_at) as "saleRecordedAt"
    from page
    left join sale_events as original
      on original.agent_id = page.agent_id
      and original.id = ${aboutSale('page')}
    left join offices as office on office.id = page.office_id
    left join accounts as account on account.agent_id = page.agent_id
    left join sites as site on site.id = page.site_id
    left join link_types as type on type.id = page.type_id
    left join referrers as referrer on referrer.id = page.referrer_id
    order by ${orderOf('page')}
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.map((row) => ({
    ...row,
    useApproveSale: usedApproveSale(row.siteId, row.useApproveSale, row.soldAt),
  }))
}

/** This many sales are sorted within milliseconds. */
const RARE = 10_000

export async function countSaleEvents(
  db: DbOrTx,
  scope: Scope,
  filter: SaleFilter,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from ${eventsOf(filter)} as event
    where ${matching(scope, filter)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const eventsOf = ({ sub }: SaleFilter) => (sub ? eventsOfSub(sub) : sql`sale_events`)

const isUnpaid = sql`event.event_type = ${typeOf.click} and event.payout_centavos = 0`

function matching(scope: Scope, filter: SaleFilter): RawBuilder<unknown> {
  const { click, order, email } = filter
  const conditions = [
    inScope(scope, 'event'),
    filter.siteId !== undefined && sql`event.site_id = ${filter.siteId}`,
    filter.officeId !== undefined && sql`event.office_id = ${filter.officeId}`,
    filter.agentId !== undefined && sql`event.agent_id = ${filter.agentId}`,
    click !== undefined &&
      sql`event.agent_id = ${click.agentId} and event.click_id in (${sql.join(click.ids)})`,
    order !== undefined && startsWith(sql`event.transaction_id`, order),
    filter.eventType !== undefined && sql`event.event_type = ${filter.eventType}`,
    filter.onlyReversals && sql`event.quantity = -1`,
    filter.unpaid === 'left out' && sql`not (${isUnpaid})`,
    filter.unpaid === 'alone' && isUnpaid,
    filter.onlySales === true
      ? sql`event.event_type in ${countedTypes} and event.quantity <> 0`
      : !filter.onlyReversals && sql`event.id not in (${unseenDifferences(scope, filter)})`,
    email !== undefined &&
      (email.isWhole
        ? sql`lower(event.customer_email) collate "C" = lower(${email.text})`
        : contains(sql`event.customer_email`, email.text)),
    ...withinTime(filter),
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}

/**
 * Excludes them by id, because the indexes that count and skip events have no amounts. Differences
 * have an index of their own. `not in` hashes their ids once and, unlike a join, keeps the events
 * in index order; `<> all (array(…))` would compare every event with every difference.
 */
const unseenDifferences = (scope: Scope, filter: SaleFilter): RawBuilder<unknown> => sql`
  select event.id
  from sale_events as event
  where ${sql.join(
    [
      sql`event.quantity = 0`,
      inScope(scope, 'event'),
      filter.sees.payout && sql`event.payout_centavos = 0`,
      filter.sees.earning && sql`event.earning_cents = 0`,
      ...withinTime(filter),
    ].filter((condition) => condition !== false),
    sql` and `,
  )}`

const withinTime = ({ from, before, recorded }: SaleFilter) => [
  recorded !== undefined &&
    sql`
      event.recorded_at >= ${recorded.after.at}
      and (event.recorded_at > ${recorded.after.at} or event.id > ${recorded.after.id})
      and event.recorded_at < ${recorded.before}`,
  from !== undefined && sql`event.occurred_at >= ${from}`,
  before !== undefined && sql`event.occurred_at < ${before}`,
]
