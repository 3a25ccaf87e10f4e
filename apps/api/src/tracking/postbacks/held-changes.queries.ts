import type { HeldSides, HoldChange } from '@tallyroom/contract/tracking/held-postbacks'
import { inSentence } from '@tallyroom/domain/invisible'
import { sql } from 'kysely'
import { approveSaleThen } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { aboutSale, typeOf } from '../../db/event-types.ts'
import type { RowOf } from '../../db/row-of.ts'

/** An event that a postback has written. */
export type ChangeRow = RowOf<Omit<HoldChange, 'earning' | 'payout' | 'tierPay'>, 'occurredAt'> & {
  earningCents: number
  payoutCentavos: number
  /** It counts for a tier. */
  isAvp: boolean
  recordedAt: Date
  /** When the sale was made, and when that was recorded: of this event, or of the sale that it is about. */
  soldAt: Date
  saleRecordedAt: Date
}

/** The events that a postback has written, found by one of each click: what it takes back, then what it counts. */
export async function findChanges(
  db: DbOrTx,
  postbackId: string,
  known: readonly { agentId: number; eventId: string }[],
): Promise<ChangeRow[]> {
  const agentIds = known.map(({ agentId }) => agentId)
  const eventIds = known.map(({ eventId }) => eventId)
  const { rows } = await sql<ChangeRow>`
    select
      event.id as "eventId",
      coalesce(event.of_sale, event.reverses, event.adjusts, event.id) as "saleId",
      event.quantity,
      event.restores is not null as "isRestored",
      event.reversal,
      event.event_type as "eventType",
      event.occurred_at as "occurredAt",
      event.transaction_id as "transactionId",
      event.site_id as "siteId",
      coalesce(site.sitename, '') as sitename,
      coalesce(site.use_approve_sale, false) as "useApproveSale",
      coalesce(sale.occurred_at, event.occurred_at) as "soldAt",
      coalesce(sale.recorded_at, event.recorded_at) as "saleRecordedAt",
      event.recorded_at as "recordedAt",
      event.avp and event.event_type = ${typeOf.sale} as "isAvp",
      coalesce(type.typename, '') as typename,
      event.office_id as "companyId",
      coalesce(office.name, '') as "officeName",
      event.agent_id as "agentId",
      coalesce(account.username, '') as agent,
      event.earning_cents as "earningCents",
      event.payout_centavos as "payoutCentavos"
    from sale_events as known
    join sale_events as event
      on event.agent_id = known.agent_id and event.click_id = known.click_id
      and event.postback_id = ${postbackId}
    left join sale_events as sale
      on sale.agent_id = event.agent_id
      and sale.id = ${aboutSale('event')}
    left join sites as site on site.id = event.site_id
    left join link_types as type on type.id = event.type_id
    left join offices as office on office.id = event.office_id
    left join accounts as account on account.agent_id = event.agent_id
    where known.agent_id = any(${agentIds}) and known.id = any(${eventIds})
    order by event.quantity, event.event_type, event.id
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.map((row) => ({
    ...row,
    useApproveSale: usedApproveSale(row.siteId, row.useApproveSale, row.soldAt),
  }))
}

type Side = RowOf<Omit<HeldSides['reported'], 'amount' | 'clickedAt'>, 'occurredAt'> & {
  clickId: string | null
  amountE4: number | null
  currency: string | null
}

export type ReportedRow = Side & { siteId: number | null; transactionId: string | null }

export type RecordedRow = Side & { eventId: string; isReversed: boolean; payoutCentavos: number }

/** What a postback reports, with the names of its agent, office and link type. */
export async function findReportedSide(db: DbOrTx, id: string): Promise<ReportedRow | undefined> {
  const { rows } = await sql<ReportedRow>`
    select
      postback.site_id as "siteId",
      postback.transaction_id as "transactionId",
      postback.click_id as "clickId",
      coalesce(postback.occurred_at, postback.received_at) as "occurredAt",
      agent.id as "agentId",
      account.username as agent,
      office.id as "companyId",
      office.name as "officeName",
      coalesce(named.typename, type.typename) as typename,
      postback.amount_e4 as "amountE4",
      postback.currency
    from postbacks as postback
    left join agents as agent on agent.id = postback.agent_id
    left join accounts as account on account.agent_id = agent.id
    left join offices as office on office.id = agent.office_id
    left join link_types as type on type.id = postback.type_id
    left join link_types as named
      on named.site_id = postback.site_id and lower(named.typealias) = lower(postback.type_alias)
      and named.deleted_at is null
    where postback.id = ${id}
    limit 1
  `.execute(db)
  return rows[0]
}

/** The sales and bonuses that are recorded under an order number, or else for a click by any of its ids. */
export async function findRecordedSides(
  db: DbOrTx,
  of: { siteId: number } & (
    | { transactionId: string }
    | { agentId: number; clickIds: readonly string[] }
  ),
): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    select
      sale.id as "eventId",
      sale.click_id as "clickId",
      sale.occurred_at as "occurredAt",
      sale.agent_id as "agentId",
      coalesce(account.username, '') as agent,
      nullif(sale.office_id, 0) as "companyId",
      coalesce(office.name, '') as "officeName",
      type.typename,
      sale.amount_e4 as "amountE4",
      sale.currency,
      sum(event.quantity) <= 0 as "isReversed",
      sum(event.payout_centavos)::bigint as "payoutCentavos"
    from sale_events as sale
    join sale_events as event
      on event.agent_id = sale.agent_id and event.click_id = sale.click_id
      and coalesce(event.of_sale, event.reverses, event.adjusts, event.id) = sale.id
    left join accounts as account on account.agent_id = sale.agent_id
    left join offices as office on office.id = sale.office_id
    left join link_types as type on type.id = sale.type_id
    where sale.site_id = ${of.siteId} and sale.quantity = 1 and sale.restores is null
      and ${
        'transactionId' in of
          ? sql`lower(sale.transaction_id) collate "C" = lower(${of.transactionId}::text) collate "C"
              and sale.transaction_id = ${of.transactionId}`
          : sql`sale.agent_id = ${of.agentId} and sale.click_id in (${sql.join(of.clickIds)})`
      }
    group by
      sale.id, sale.click_id, sale.occurred_at, sale.agent_id, account.username, sale.office_id, office.name,
      type.typename, sale.amount_e4, sale.currency
    order by "isReversed", sale.occurred_at, sale.id
    limit ${MOST_SIDES}
  `.execute(db)
  return rows
}

/** An order with more sales is shown on the page of sales. */
const MOST_SIDES = 20

/** What a postback is called, and why it is held; a null reason if it is not. */
export async function findHeldName(
  db: DbOrTx,
  id: string,
): Promise<{ name: string; reason: string | null } | undefined> {
  const found = await db
    .selectFrom('postbacks as postback')
    .leftJoin('held_postbacks as held', 'held.postback_id', 'postback.id')
    .leftJoin('sites as site', 'site.id', 'postback.site_id')
    .select(['site.sitename', 'postback.transaction_id as transactionId', 'held.reason'])
    .where('postback.id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const { sitename, transactionId, reason } = found
  return {
    name: inSentence([sitename, transactionId].filter(Boolean).join(' · ') || 'a postback'),
    reason,
  }
}

/** Whether somebody asked for a decision about a postback since an instant. */
export async function wasAskedSince(db: DbOrTx, postbackId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select id from facts
    where happened_at >= ${since} and kind = 'decision.wanted' and account_id is null
      and subject ->> 'postbackId' = ${postbackId} and subject -> 'notDone' is null
    limit 1
  `.execute(db)
  return rows.length > 0
}
