import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import type { DbOrTx } from '../../db/database.ts'
import { startsWith } from '../../db/list-query.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import type { SaleRow } from './sale-page.queries.ts'

/** By order number or its beginning, or the customer's address, case-insensitive, or by all ids of a click. */
export type SaleWanted =
  | { order: string }
  | { orderBeginning: string }
  | { email: string }
  | { agentId: number; clickIds: readonly string[] }

export type FoundSale = Pick<
  SaleRow,
  | 'eventId'
  | 'occurredAt'
  | 'eventType'
  | 'transactionId'
  | 'clickId'
  | 'agent'
  | 'sitename'
  | 'useApproveSale'
>

/**
 * The first sales and bonuses in scope: the newest for one order or click, ordered by order number
 * for several orders.
 */
export async function findSales(
  db: DbOrTx,
  scope: Scope,
  wanted: SaleWanted,
  limit: number,
): Promise<FoundSale[]> {
  const order =
    'orderBeginning' in wanted
      ? sql`lower(event.transaction_id) collate "C", event.occurred_at desc, event.id`
      : sql`event.occurred_at desc, event.id`
  const { rows } = await sql<FoundSale & { siteId: number }>`
    with page as materialized (
      select event.*
      from sale_events as event
      where ${isWanted(wanted)} and event.quantity = 1 and event.restores is null and ${inScope(scope, 'event')}
      order by ${order}
      limit ${limit}
    )
    select
      event.id as "eventId",
      event.occurred_at as "occurredAt",
      event.event_type as "eventType",
      event.transaction_id as "transactionId",
      event.click_id as "clickId",
      account.username as agent,
      site.sitename,
      event.site_id as "siteId",
      site.use_approve_sale as "useApproveSale"
    from page as event
    left join accounts as account on account.agent_id = event.agent_id
    left join sites as site on site.id = event.site_id
    order by ${order}
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.map(({ siteId, ...sale }) => ({
    ...sale,
    useApproveSale: usedApproveSale(siteId, sale.useApproveSale, sale.occurredAt),
  }))
}

function isWanted(wanted: SaleWanted): RawBuilder<unknown> {
  if ('order' in wanted)
    return sql`lower(event.transaction_id) collate "C" = lower(${wanted.order})`
  if ('orderBeginning' in wanted)
    return startsWith(sql`event.transaction_id`, wanted.orderBeginning)
  if ('email' in wanted)
    return sql`lower(event.customer_email) collate "C" = lower(${wanted.email})`
  return sql`event.agent_id = ${wanted.agentId} and event.click_id in (${sql.join(wanted.clickIds)})`
}
