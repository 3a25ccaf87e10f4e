import type { Sale } from '@tallyroom/contract/desk/sales'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import type { EventType, Reversal } from '@tallyroom/domain/event-types'
import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import type { Uncounted } from '../../tracking/index.ts'

/** An event as figures count it. Amounts of a reversal are negative. */
export type CountedRow = {
  eventId: string
  occurredAt: Date
  recordedAt: Date
  earningCents: number
  payoutCentavos: number
  lpp: number
}

export type SaleRow = CountedRow & {
  eventType: EventType
  rateSource: 'default' | 'office'
  rateFrom: Date | null
  rateBy: string | null
  avp: boolean
  fraud: boolean
  officeId: number
  officeName: string | null
  agentId: number
  agent: string | null
  siteId: number
  sitename: string | null
  useApproveSale: boolean | null
  typeId: number
  typename: string | null
  destination: string | null
  clickId: string
  transactionId: string | null
  customerEmail: string | null
  postbackId: string | null
  amountE4: number | null
  currency: string | null
  agentSuspended: boolean
}

const counted = sql`
  event.id as "eventId",
  event.occurred_at as "occurredAt",
  event.recorded_at as "recordedAt",
  event.earning_cents as "earningCents",
  event.payout_centavos as "payoutCentavos",
  event.lpp`

/** The sale with this id, or the one that the reversal or difference with this id is about. */
export async function findSale(
  tx: DbOrTx,
  scope: Scope,
  eventId: string,
): Promise<SaleRow | undefined> {
  const { rows } = await sql<SaleRow>`
    with asked as materialized (
      select agent_id, coalesce(of_sale, reverses, adjusts, id) as sale_id
      from sale_events as event
      where event.id = ${eventId} and ${inScope(scope, 'event')}
      limit 1
    )
    select
      ${counted},
      event.event_type as "eventType",
      event.rate_source as "rateSource",
      rate.valid_from as "rateFrom",
      rate.added_by_name as "rateBy",
      event.avp,
      event.fraud,
      event.office_id as "officeId",
      office.name as "officeName",
      event.agent_id as "agentId",
      account.username as agent,
      event.site_id as "siteId",
      site.sitename,
      site.use_approve_sale as "useApproveSale",
      event.type_id as "typeId",
      type.typename,
      type.url as destination,
      event.click_id as "clickId",
      event.transaction_id as "transactionId",
      event.customer_email as "customerEmail",
      event.postback_id as "postbackId",
      event.amount_e4 as "amountE4",
      event.currency,
      event.agent_suspended as "agentSuspended"
    from asked
    join sale_events as event on event.agent_id = asked.agent_id and event.id = asked.sale_id
    left join offices as office on office.id = event.office_id
    left join accounts as account on account.agent_id = event.agent_id
    left join sites as site on site.id = event.site_id
    left join link_types as type on type.id = event.type_id
    left join rates as rate on rate.id = event.rate_id
  `.execute(tx)
  const [sale] = rows
  if (!sale) return undefined
  const usedApproveSale = await approveSaleThen(tx)
  const { siteId, useApproveSale, occurredAt } = sale
  return { ...sale, useApproveSale: usedApproveSale(siteId, useApproveSale, occurredAt) }
}

export type LifeRow = CountedRow & {
  quantity: 1 | -1 | 0
  reversal: Reversal | null
  partPpm: number | null
}

/** How a sale was taken back, in whole or in part, and counted again, in the order in which it was recorded. */
export async function findLife(
  tx: DbOrTx,
  { eventId, agentId, clickId }: SaleRow,
): Promise<LifeRow[]> {
  const { rows } = await sql<LifeRow>`
    select ${counted}, event.quantity, event.reversal, event.part_ppm as "partPpm"
    from sale_events as event
    where event.agent_id = ${agentId} and event.click_id = ${clickId}
      and (event.reverses = ${eventId} or event.adjusts = ${eventId} or event.of_sale = ${eventId})
      and event.backdating_id is null
    order by event.recorded_at, event.id
  `.execute(tx)
  return rows
}

export type DifferenceRow = CountedRow & {
  isUndoing: boolean
  by: string
  reason: string
  /** Whether the reason was written for payees as well. */
  payeesRead: boolean
}

/** How backdated rates have changed a sale's amounts, oldest first. */
export async function findDifferences(
  tx: DbOrTx,
  { eventId, agentId, clickId }: SaleRow,
): Promise<DifferenceRow[]> {
  const { rows } = await sql<DifferenceRow>`
    select
      ${counted}, backdating.undoes is not null as "isUndoing", backdating.made_by_name as by,
      backdating.reason, backdating.payees_read as "payeesRead"
    from sale_events as event
    join rate_backdatings as backdating on backdating.id = event.backdating_id
    where event.agent_id = ${agentId} and event.click_id = ${clickId} and (event.adjusts = ${eventId} or event.of_sale = ${eventId})
    order by event.backdating_id, event.id
  `.execute(tx)
  return rows
}

export type OtherRow = RowOf<Sale['others'][number], 'occurredAt'>

/** The other sales and bonuses of the same click, oldest first. */
export async function findOthers(
  tx: DbOrTx,
  scope: Scope,
  { eventId, agentId, clickId }: SaleRow,
): Promise<OtherRow[]> {
  const { rows } = await sql<OtherRow>`
    select
      event.id as "eventId",
      event.occurred_at as "occurredAt",
      event.event_type as "eventType",
      event.transaction_id as "transactionId",
      reversed.id is not null and restored.id is null as "isReversed"
    from sale_events as event
    left join sale_events as reversed
      on reversed.agent_id = event.agent_id
      and reversed.click_id = event.click_id
      and reversed.reverses = event.id
    left join sale_events as restored
      on restored.agent_id = event.agent_id
      and restored.click_id = event.click_id
      and restored.restores = reversed.id
    where event.agent_id = ${agentId} and event.click_id = ${clickId} and event.quantity = 1 and event.restores is null
      and event.id <> ${eventId} and ${inScope(scope, 'event')}
    order by event.occurred_at, event.id
    limit ${MOST_OTHERS}
  `.execute(tx)
  return rows
}

const MOST_OTHERS = 50

export type SaleClickRow = {
  clickedAt: Date
  uncounted: Uncounted | null
  isUnique: boolean
  ip: string
  isCut: boolean
  subs: (string | null)[] | null
  siteId: number
  typeId: number
  domain: string | null
  referrer: string | null
  userAgent: string | null
}

export async function findSaleClick(
  tx: DbOrTx,
  { agentId, clickedAtMs, nonce, typeId }: ClickIdFields,
): Promise<SaleClickRow | undefined> {
  const { rows } = await sql<SaleClickRow>`
    select
      click.clicked_at as "clickedAt",
      click.uncounted,
      click.is_unique as "isUnique",
      abbrev(click.ip) as ip,
      masklen(click.ip) < (case family(click.ip) when 4 then 32 else 128 end) as "isCut",
      click.subs,
      type.site_id as "siteId",
      click.type_id as "typeId",
      domain.domain,
      referrer.referrer,
      browser.user_agent as "userAgent"
    from clicks as click
    join link_types as type on type.id = click.type_id
    left join offices as office on office.id = click.office_id
    left join preferred_domains as domain on domain.id = office.preferred_domain_id
    left join referrers as referrer on referrer.id = click.referrer_id
    left join user_agents as browser on browser.id = click.user_agent_id
    where click.agent_id = ${agentId} and click.clicked_at = ${new Date(clickedAtMs)}
      and click.nonce = ${nonce} and click.type_id = ${typeId}
  `.execute(tx)
  return rows[0]
}

/** The agent's AVP sales of a week, identified by its Monday, for all offices. */
export async function findWeekAvpSales(tx: Tx, agentId: number, monday: Day): Promise<number> {
  const { rows } = await sql<{ sales: number }>`
    select coalesce(sum(avp_sales), 0)::bigint as sales
    from totals_week_agent
    where agent_id = ${agentId} and day = ${monday}::date
  `.execute(tx)
  return rows[0]?.sales ?? 0
}
