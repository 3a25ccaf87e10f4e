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
import type { Price, Rates } from '../../catalogue/index.ts'

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
      return (event === 'bonus' || event === 'rebill') && !rates.hasBonus && !useApproveSale
        ? NOTHING
        : rates.bonus
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
      return event === 'bonus' || event === 'rebill'
        ? `${AT_ZERO} ${whose} no bonus rate.`
        : `${AT_ZERO} ${whose} no Day#2 rate, and the order’s ${event === 'sale' ? 'approval' : 'sale'} has the sale’s.`
    case EVENT_TYPE.click:
      return undefined
  }
}

const isWorth = (price: Price): boolean => Object.values(price).some((amount) => amount !== 0)

const NOTHING: Price = { earningCents: 0, payoutCentavos: 0, lpp: 0 }

/** What each event about a sale has of its own. */
type Own = Pick<
  SaleEvent,
  'id' | 'occurred_at' | 'recorded_at' | 'postback_id' | 'amount_e4' | 'currency'
>

/** The reversing event: the same, negated, with its own date. */
export const reverseEvent = (sale: SaleEvent, reversal: Reversal, own: Own): SaleEvent => ({
  ...sale,
  ...own,
  quantity: -1,
  earning_cents: 0 - sale.earning_cents, // -x would be negative zero
  payout_centavos: 0 - sale.payout_centavos,
  lpp: 0 - sale.lpp,
  reverses: sale.id,
  reversal,
  restores: null,
})

/**
 * The event that counts a sale again after a reversal. `counted` is what was reversed: the sale, or the event that
 * counted it again before.
 */
export const restoreEvent = (
  { sale, counted, reversal }: Record<'sale' | 'counted' | 'reversal', SaleEvent>,
  { price, rateSource, rateId }: { price: Price; rateSource: string; rateId: number | null },
  own: Own & Pick<SaleEvent, 'customer_email' | 'agent_suspended'>,
): SaleEvent => ({
  ...counted,
  ...own,
  earning_cents: price.earningCents,
  payout_centavos: price.payoutCentavos,
  lpp: price.lpp,
  rate_source: rateSource,
  rate_id: rateId,
  restores: reversal.id,
  of_sale: sale.id,
  sold_at: sale.occurred_at,
})

/** The difference that takes back a part of what a sale pays. The sale still counts as one. */
export const partEvent = (
  { sale, counted }: Record<'sale' | 'counted', SaleEvent>,
  difference: Price,
  partPpm: number,
  own: Own,
): SaleEvent => ({
  ...counted,
  ...own,
  quantity: 0,
  earning_cents: difference.earningCents,
  payout_centavos: difference.payoutCentavos,
  lpp: difference.lpp,
  restores: null,
  adjusts: counted.id,
  sold_at: sale.occurred_at,
  part_ppm: partPpm,
})

/** What is left of a price after parts of it were taken back, in millionths. Backdating computes the same in SQL. */
export const withoutPart = (price: Price, takenPpm: number): Price => ({
  earningCents: leftOf(price.earningCents, takenPpm),
  payoutCentavos: leftOf(price.payoutCentavos, takenPpm),
  lpp: leftOf(price.lpp, takenPpm),
})

const leftOf = (amount: number, takenPpm: number): number =>
  amount - Math.sign(amount) * Math.round((Math.abs(amount) * takenPpm) / WHOLE_PPM)

export const WHOLE_PPM = 1_000_000

/** A part in millionths, in percent with at most two decimals. */
export const percentOfPart = (partPpm: number): number => Math.round(partPpm / 100) / 100

/** The price of a sale that was recorded before, at the rates that are now in force for its time. */
export function presentPrice(
  recorded: SaleEvent,
  nowRateId: number | null,
  rates: Rates,
): { price: Price; rateSource: string; rateId: number | null } {
  const { earning_cents: earningCents, payout_centavos: payoutCentavos, lpp } = recorded
  const price = { earningCents, payoutCentavos, lpp }
  // Sales from before rates had dates keep what they were recorded with.
  if (nowRateId === null || rates.rateId === recorded.rate_id) {
    return { price, rateSource: recorded.rate_source, rateId: recorded.rate_id }
  }
  return {
    price: priceNow(recorded.event_type, price, rates),
    rateSource: rates.source,
    rateId: rates.rateId,
  }
}

function priceNow(eventType: EventType, recorded: Price, rates: Rates): Price {
  switch (eventType) {
    case EVENT_TYPE.sale:
      return rates.sale
    case EVENT_TYPE.bonus:
      return isWorth(recorded) || rates.hasBonus || rates.useApproveSale ? rates.bonus : recorded
    case EVENT_TYPE.click:
      return recorded
  }
}

/**
 * An event's contribution to the totals of its New York day; none for a paid click, which is not
 * counted. A reversal deducts its AVP sale from the day on which the sale was made, `soldAt`, so
 * that nobody keeps a tier because of it; a sale that counts again gets it back there.
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
