import type { HoldChange } from '@tallyroom/contract/tracking/held-postbacks'
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

/** The events that a postback has written, found by one of them. */
export async function findChanges(
  db: DbOrTx,
  { postbackId, agentId, eventId }: { postbackId: string; agentId: number; eventId: string },
): Promise<ChangeRow[]> {
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
    where known.agent_id = ${agentId} and known.id = ${eventId}
    order by event.event_type, event.id
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.map((row) => ({
    ...row,
    useApproveSale: usedApproveSale(row.siteId, row.useApproveSale, row.soldAt),
  }))
}
