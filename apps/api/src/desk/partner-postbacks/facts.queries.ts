import { decodeClickId } from '@tallyroom/domain/click-id'
import { type EventType, type ToldEvent, toldEventOf } from '@tallyroom/domain/event-types'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import type { Db } from '../../db/database.ts'
import { aboutSale, countedTypes } from '../../db/event-types.ts'
import { prepared } from '../../db/prepared.ts'

/** What a postback may say of an event. */
export type Facts = {
  eventId: string
  occurredAt: Date
  /** As its site named it when the sale was made. */
  event: ToldEvent
  quantity: number
  payoutCentavos: number
  agentId: number
  agent: string | null
  officeId: number
  siteId: number
  sitename: string | null
  typeId: number
  typename: string | null
  clickId: string
  transactionId: string | null
}

type FactsRow = Omit<Facts, 'event'> & {
  eventType: EventType
  soldAt: Date
  approvesNow: boolean | null
}

/** Undefined if it was erased with its agent. */
export const findFacts = async (
  db: Db,
  { agentId, eventId }: { agentId: number; eventId: string },
): Promise<Facts | undefined> =>
  (await find(db, sql`event.agent_id = ${agentId} and event.id = ${eventId}`))[0]

/** The newest sale or bonus that the viewer sees. */
export const findLastSale = async (db: Db, scope: Scope): Promise<Facts | undefined> =>
  (
    await find(
      db,
      sql`${inScope(scope, 'event')} and event.quantity = 1 and event.event_type in ${countedTypes}
        order by event.occurred_at desc, event.id limit 1`,
    )
  )[0]

async function find(db: Db, which: RawBuilder<unknown>): Promise<Facts[]> {
  const { rows } = await sql<FactsRow>`
    ${prepared}
    with found as materialized (
      select event.*, coalesce(sale.occurred_at, event.occurred_at) as of_sale_at
      from sale_events as event
      left join sale_events as sale
        on sale.agent_id = event.agent_id
        and sale.id = ${aboutSale('event')}
      where ${which}
    )
    select
      found.id as "eventId",
      found.occurred_at as "occurredAt",
      found.event_type as "eventType",
      found.of_sale_at as "soldAt",
      found.quantity,
      found.payout_centavos as "payoutCentavos",
      found.agent_id as "agentId",
      account.username as agent,
      found.office_id as "officeId",
      found.site_id as "siteId",
      site.sitename,
      site.use_approve_sale as "approvesNow",
      found.type_id as "typeId",
      type.typename,
      found.click_id as "clickId",
      found.transaction_id as "transactionId"
    from found
    left join accounts as account on account.agent_id = found.agent_id
    left join sites as site on site.id = found.site_id
    left join link_types as type on type.id = found.type_id
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.flatMap(({ eventType, soldAt, approvesNow, ...row }) => {
    const useApproveSale = usedApproveSale(row.siteId, approvesNow, soldAt)
    const event = toldEventOf(eventType, { useApproveSale })
    return event === null ? [] : [{ ...row, event }]
  })
}

/** A fact that is no sale. Undefined if it was erased with its agent or office. */
export const findFact = (db: Db, id: string) =>
  db
    .selectFrom('facts')
    .select(['happened_at as at', 'subject', 'agent_id as agentId', 'office_id as officeId'])
    .where('id', '=', id)
    .executeTakeFirst()

/** The agent's own marks on the click; none once it is archived. */
export async function findSubs(db: Db, clickId: string): Promise<(string | null)[]> {
  const click = decodeClickId(clickId)
  if (!click) return []
  const row = await db
    .selectFrom('clicks')
    .modifyFront(prepared)
    .select('subs')
    .where('agent_id', '=', click.agentId)
    .where('clicked_at', '=', new Date(click.clickedAtMs))
    .where('nonce', '=', click.nonce)
    .where('type_id', '=', click.typeId)
    .executeTakeFirst()
  return row?.subs ?? []
}
