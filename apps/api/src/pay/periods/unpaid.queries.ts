import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { findBalances } from './balances.queries.ts'
import { findPayState } from './settings.queries.ts'

/**
 * The money that deleting an agent would lose: sales and adjustments that are on no statement yet, and the agent's own
 * balance. Nothing while pay is off.
 */
export async function findUnpaid(
  tx: Tx,
  agentId: number,
): Promise<{ centavos: number; cents: number }> {
  const state = await findPayState(tx)
  if (!state) return { centavos: 0, cents: 0 }
  const { rows: events } = await sql<{ centavos: number }>`
    select coalesce(sum(event.payout_centavos), 0)::bigint as centavos
    from sale_events as event
    left join bookings as booking
      on booking.agent_id = event.agent_id and booking.event_id = event.id
    where event.agent_id = ${agentId} and booking.event_id is null and event.event_type in (0, 1)
      and event.recorded_at >= ${state.startedAt}
  `.execute(tx)
  const { rows: adjustments } = await sql<{ currency: string; amount: number }>`
    select adjustment.currency, sum(adjustment.amount)::bigint as amount
    from adjustments as adjustment
    left join booked_adjustments as booked on booked.adjustment_id = adjustment.id
    where adjustment.payee_kind = 'agent' and adjustment.payee_id = ${agentId}
      and booked.adjustment_id is null
    group by adjustment.currency
  `.execute(tx)
  const balances = await findBalances(tx, { kind: 'agent', id: agentId })
  const sumIn = (currency: string) =>
    adjustments.reduce((sum, one) => sum + (one.currency === currency ? one.amount : 0), 0) +
    balances.reduce((sum, one) => sum + (one.currency === currency ? one.balance : 0), 0)
  return { centavos: (events[0]?.centavos ?? 0) + sumIn('PHP'), cents: sumIn('USD') }
}
