import {
  type CountedEvent,
  EVENT_TYPE,
  type EventType,
  eventTypeOf,
  type Reversal,
} from '@tallyroom/domain/event-types'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Insertable } from 'kysely'
import type { SaleEvents } from '../../db/types.ts'
import type { TotalsDelta } from '../../totals/index.ts'
import type { Price, Rates } from '../office-fees/index.ts'

/** A complete row of `sale_events`. Amounts of a reversal are negative. */
export type SaleEvent = Required<Insertable<SaleEvents>> & {
  event_type: EventType
  occurred_at: Date
}

/** What a merchant reported, and whether the site used approve-sale at that time. */
export type Reported = { event: CountedEvent; useApproveSale: boolean }

/** The beginning of the notice about a missing rate. */
export const AT_ZERO = 'Recorded at $0 and ₱0:'

/** An event with its price. If a rate is missing, `notice` says why it pays nothing. */
export type PricedEvent = { eventType: EventType; price: Price; notice: string | undefined }

/**
 * Determines a report's event type and its price by the rates in force when it happened. Of an order's sale and
 * approval, `otherHalf` is the event type of the first one: the second gets the other. A sale alone is never
 * the Day#2 Sale of a link type that pays nothing for it.
 */
export function priceEvent(reported: Reported, rates: Rates, otherHalf?: EventType): PricedEvent {
  const eventType = chooseEvent(reported, rates, otherHalf)
  const price = priceOf(eventType, reported, rates)
  const paysNothing = price.earningCents === 0 && price.payoutCentavos === 0
  return {
    eventType,
    price,
    notice: paysNothing ? noticeOf(eventType, reported, rates) : undefined,
  }
}

function chooseEvent(reported: Reported, rates: Rates, otherHalf?: EventType): EventType {
  if (otherHalf !== undefined) {
    return otherHalf === EVENT_TYPE.sale ? EVENT_TYPE.bonus : EVENT_TYPE.sale
  }
  return reported.event === 'sale' && !isWorth(rates.bonus)
    ? EVENT_TYPE.sale
    : eventTypeOf(reported.event, reported)
}

function priceOf(eventType: EventType, { event, useApproveSale }: Reported, rates: Rates): Price {
  switch (eventType) {
    case EVENT_TYPE.sale:
      return rates.sale
    case EVENT_TYPE.bonus:
      return event === 'bonus' && !rates.hasBonus && !useApproveSale ? NOTHING : rates.bonus
    case EVENT_TYPE.click:
      return NOTHING
  }
}

function noticeOf(
  eventType: EventType,
  { event }: Reported,
  { source }: Rates,
): string | undefined {
  const whose = source === 'office' ? 'the office’s own rates have' : 'its link type has'
  switch (eventType) {
    case EVENT_TYPE.sale:
      return `${AT_ZERO} ${whose} no sale rate.`
    case EVENT_TYPE.bonus:
      return event === 'bonus'
        ? `${AT_ZERO} ${whose} no bonus rate.`
        : `${AT_ZERO} ${whose} no Day#2 rate, and the order’s ${event === 'sale' ? 'approval' : 'sale'} has the sale’s.`
    case EVENT_TYPE.click:
      return undefined
  }
}

const isWorth = (price: Price): boolean => Object.values(price).some((amount) => amount !== 0)

const NOTHING: Price = { earningCents: 0, payoutCentavos: 0, lpp: 0 }

/** The reversing event: the same, negated, with its own date. */
export const reverseEvent = (
  sale: SaleEvent,
  reversal: Reversal,
  own: Pick<SaleEvent, 'id' | 'occurred_at' | 'recorded_at' | 'postback_id'>,
): SaleEvent => ({
  ...sale,
  ...own,
  quantity: -1,
  earning_cents: 0 - sale.earning_cents, // -x would be negative zero
  payout_centavos: 0 - sale.payout_centavos,
  lpp: 0 - sale.lpp,
  reverses: sale.id,
  reversal,
})

/**
 * An event's contribution to the totals of its New York day; none for a paid click, which is not
 * counted. A reversal deducts its AVP sale from the day on which the sale was made, `soldAt`, so
 * that nobody keeps a tier because of it.
 */
export function totalsOf(event: SaleEvent, soldAt: Date = event.occurred_at): TotalsDelta[] {
  const soldOn = dayOf(soldAt)
  const key = {
    day: dayOf(event.occurred_at),
    agent_id: event.agent_id,
    office_id: event.office_id,
    site_id: event.site_id,
    type_id: event.type_id,
  }
  switch (event.event_type) {
    case EVENT_TYPE.sale: {
      const avpSales = event.avp ? event.quantity : 0
      const isApart = avpSales !== 0 && soldOn !== key.day
      const own = {
        ...key,
        sales: event.quantity,
        avp_sales: isApart ? 0 : avpSales,
        earning_cents: event.earning_cents,
        payout_centavos: event.payout_centavos,
        lpp: event.lpp,
      }
      return isApart ? [own, { ...key, day: soldOn, avp_sales: avpSales }] : [own]
    }
    case EVENT_TYPE.bonus:
      return [
        {
          ...key,
          bonus_sales: event.quantity,
          bonus_earning_cents: event.earning_cents,
          bonus_payout_centavos: event.payout_centavos,
          lpp: event.lpp,
        },
      ]
    case EVENT_TYPE.click:
      return []
  }
}
