import { EVENT_TYPE, type EventType, type Reversal } from '@tallyroom/domain/event-types'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Insertable } from 'kysely'
import type { SaleEvents } from '../../db/types.ts'
import type { TotalsDelta } from '../daily-totals/index.ts'
import type { Price, Rates } from '../office-fees/index.ts'

/** A row of `sale_events`, whole. Amounts of a reversal are negative. */
export type SaleEvent = Required<Insertable<SaleEvents>> & {
  event_type: EventType
  occurred_at: Date
}

/** What an event is worth by the rates in force when it is recorded. A paid click pays nothing. */
export function priceEvent(eventType: EventType, rates: Rates): Price {
  switch (eventType) {
    case EVENT_TYPE.sale:
      return rates.sale
    case EVENT_TYPE.bonus:
      return rates.bonus
    case EVENT_TYPE.click:
      return { earningCents: 0, payoutCentavos: 0, lpp: 0 }
  }
}

/** The event that takes a sale back: the same, negated, dated when it happened. */
export const reverseEvent = (
  sale: SaleEvent,
  reversal: Reversal,
  own: Pick<SaleEvent, 'id' | 'occurred_at' | 'recorded_at' | 'postback_id'>,
): SaleEvent => ({
  ...sale,
  ...own,
  quantity: -1,
  earning_cents: 0 - sale.earning_cents, // not -x: that makes a negative zero
  payout_centavos: 0 - sale.payout_centavos,
  lpp: 0 - sale.lpp,
  reverses: sale.id,
  reversal,
})

/** What an event adds to the totals of its New York day; undefined for a paid click, which counts nowhere. */
export function totalsOf(event: SaleEvent): TotalsDelta | undefined {
  const key = {
    day: dayOf(event.occurred_at),
    agent_id: event.agent_id,
    office_id: event.office_id,
    site_id: event.site_id,
    type_id: event.type_id,
  }
  switch (event.event_type) {
    case EVENT_TYPE.sale:
      return {
        ...key,
        sales: event.quantity,
        avp_sales: event.avp ? event.quantity : 0,
        earning_cents: event.earning_cents,
        payout_centavos: event.payout_centavos,
        lpp: event.lpp,
      }
    case EVENT_TYPE.bonus:
      return {
        ...key,
        bonus_sales: event.quantity,
        bonus_earning_cents: event.earning_cents,
        bonus_payout_centavos: event.payout_centavos,
        lpp: event.lpp,
      }
    case EVENT_TYPE.click:
      return undefined
  }
}
