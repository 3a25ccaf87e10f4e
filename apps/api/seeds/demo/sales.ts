import type { ClickIdFields } from '@tallyroom/domain/click-id'
import {
  type CountedEvent,
  EVENT_TYPE,
  type EventType,
  type Reversal,
} from '@tallyroom/domain/event-types'
import { textId } from '../../src/lib/text-id.ts'
import type { Rates } from '../../src/catalogue/index.ts'
import {
  priceEvent,
  restoreEvent,
  reverseEvent,
  type SaleEvent,
} from '../../src/tracking/sales/price-event.ts'
import { createRandom, type Random } from '../random.ts'
import type { DemoClick } from './clicks.ts'
import type { DemoCode } from './codes.ts'
import { found } from './found.ts'
import { uuidAt } from './uuid.ts'
import { pickEmail } from './visitors.ts'

/** A sale, bonus, paid click or reversal: its row and its click. */
export type DemoEvent = {
  row: SaleEvent & { postback_id: string }
  click: DemoClick
  /** Its postback arrived before the click's row and waited for some seconds. */
  clickCameLate: boolean
  /** The code in place of the click. */
  code?: DemoCode
}

type Ingredients = {
  now: Date
  /** The rates of a link type for an office. */
  ratesOf: (typeId: number, officeId: number) => Rates
  signClickId: (click: ClickIdFields) => string
  /** Hourly merchants reported what happened in this time only after it. */
  outage: { fromMs: number; untilMs: number }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The events of the clicks until now, in the order of recording. */
export function makeEvents(clicks: readonly DemoClick[], ingredients: Ingredients): DemoEvent[] {
  const maker = createMaker(ingredients)
  const streams = new Map<string, Random>()
  const events: DemoEvent[] = []
  for (const click of clicks) {
    const name = `sales/${click.agent.username}`
    const random = streams.get(name) ?? createRandom(name)
    streams.set(name, random)
    events.push(...eventsOf(click, random, maker))
  }
  const until = events.filter(({ row }) => recordedAt(row) <= ingredients.now.getTime())
  const restored = restorationOf(until, ingredients.now)
  return [...until, ...(restored ? [restored] : [])].toSorted(
    (a, b) => recordedAt(a.row) - recordedAt(b.row) || (a.row.id < b.row.id ? -1 : 1),
  )
}

/** Voided sales with an order number, the latest first, of merchants who report at once. */
export function voidedSales(events: readonly DemoEvent[]): { sale: DemoEvent; void: DemoEvent }[] {
  const sales = new Map(events.map((event) => [event.row.id, event]))
  return events
    .flatMap((event) => {
      const { reversal, reverses, transaction_id } = event.row
      const { reportsHourly, useApproveSale } = event.click.type.site.demo
      const sale = reversal === 'void' && reverses ? sales.get(reverses) : undefined
      if (!sale || transaction_id === null || reportsHourly || useApproveSale) return []
      return [{ sale, void: event }]
    })
    .toSorted((a, b) => recordedAt(b.void.row) - recordedAt(a.void.row))
}

/** One customer pays again a day after the order was voided, and the sale counts again. */
function restorationOf(events: readonly DemoEvent[], now: Date): DemoEvent | undefined {
  const random = createRandom('restorations')
  const voided = voidedSales(events).find(
    ({ void: { row } }) => recordedAt(row) + dayMs < now.getTime(),
  )
  if (!voided) return undefined
  const { sale, void: reversal } = voided
  const atMs = recordedAt(reversal.row) + dayMs - random.below(hourMs)
  const { earning_cents, payout_centavos, lpp, rate_source, rate_id } = sale.row
  const row = restoreEvent(
    { sale: sale.row, counted: sale.row, reversal: reversal.row },
    {
      price: { earningCents: earning_cents, payoutCentavos: payout_centavos, lpp },
      rateSource: rate_source,
      rateId: rate_id,
    },
    {
      id: uuidAt(atMs, random),
      occurred_at: new Date(atMs),
      recorded_at: new Date(atMs),
      postback_id: uuidAt(atMs, random),
      customer_email: sale.row.customer_email,
      agent_suspended: false,
      amount_e4: sale.row.amount_e4,
      currency: sale.row.currency,
    },
  )
  return {
    row: { ...row, postback_id: found(row.postback_id ?? undefined) },
    click: sale.click,
    clickCameLate: false,
  }
}

const recordedAt = (row: SaleEvent) => Number(new Date(row.recorded_at))

function eventsOf(click: DemoClick, random: Random, maker: Maker): DemoEvent[] {
  if (click.uncounted && click.uncounted !== 'blacklisted') return []
  const { agent, type } = click
  if (type.site.demo.reportsClicks && random.chance(0.02)) {
    return [maker.event(random, click, EVENT_TYPE.click, click.clickedAtMs + 2_000)]
  }
  if (!random.chance(type.demo.conversion * agent.skill)) return []

  const delay = random.chance(0.85) ? random.wait(12 * minuteMs) : random.wait(9 * hourMs)
  const soldAtMs = click.clickedAtMs + 45_000 + Math.floor(delay)
  const sale = maker.event(random, click, EVENT_TYPE.sale, soldAtMs)
  const takenBack = reversalOf(click, soldAtMs, random)
  if (takenBack) return [sale, maker.reversal(random, sale, takenBack)]
  if (!type.demo.bonus || !random.chance(type.demo.bonus.share)) return [sale]

  const wait = type.site.demo.useApproveSale
    ? dayMs + random.wait(5 * hourMs)
    : random.between(2 * dayMs, 6 * dayMs)
  const bonusAtMs = soldAtMs + Math.floor(wait)
  return [sale, maker.event(random, click, EVENT_TYPE.bonus, bonusAtMs, sale)]
}

type TakenBack = { reversal: Reversal; atMs: number }

/** One sale in forty is reversed. The flagged agent's latest sales are all reversed at once. */
function reversalOf(click: DemoClick, soldAtMs: number, random: Random): TakenBack | undefined {
  const flaggedAtMs = click.agent.fraudFlaggedAt?.getTime()
  if (flaggedAtMs !== undefined && flaggedAtMs > soldAtMs) {
    const isRecent = flaggedAtMs - soldAtMs < 14 * dayMs
    if (!isRecent || !random.chance(0.6)) return undefined
    return { reversal: 'fraud', atMs: flaggedAtMs + random.below(minuteMs) }
  }
  if (!random.chance(0.025)) return undefined
  const after = (fromDays: number, beforeDays: number) =>
    Math.floor(soldAtMs + random.between(fromDays, beforeDays) * dayMs)
  return random.chance(0.5)
    ? { reversal: 'void', atMs: after(0.2, 3) }
    : { reversal: 'chargeback', atMs: after(8, 35) }
}

/** The merchant's name for an event. */
export function wordOf(eventType: EventType, type: DemoClick['type']): CountedEvent {
  switch (eventType) {
    case EVENT_TYPE.sale:
      return usesApproveSale(type) ? 'approval' : 'sale'
    case EVENT_TYPE.bonus:
      return usesApproveSale(type) ? 'sale' : 'bonus'
    case EVENT_TYPE.click:
      return 'click'
  }
}

const usesApproveSale = ({ site }: DemoClick['type']) => site.demo.useApproveSale ?? false

type Maker = ReturnType<typeof createMaker>

function createMaker({ ratesOf, signClickId, outage }: Ingredients) {
  const orders = new Map<string, number>()

  /** Most merchants report at once, some once an hour. After an outage, they report in the order of the events. */
  function reportedAt(random: Random, { type }: DemoClick, atMs: number): number {
    if (!type.site.demo.reportsHourly) return atMs
    if (atMs >= outage.fromMs && atMs < outage.untilMs) {
      return Math.floor(outage.untilMs + 1_000 + (atMs - outage.fromMs) / 1_000)
    }
    return Math.ceil(atMs / hourMs) * hourMs + 2_000 + random.below(4_000)
  }

  /** The merchant's next order number. */
  function nextOrder({ type: { site } }: DemoClick): string | null {
    if (site.demo.sendsNoTransaction) return null
    const order = (orders.get(site.demo.abbr) ?? 48_200) + 1
    orders.set(site.demo.abbr, order)
    return `${site.demo.abbr}-${order}`
  }

  /** `first`: the sale that a bonus follows, with the same order and customer. */
  function event(
    random: Random,
    click: DemoClick,
    eventType: EventType,
    atMs: number,
    first?: DemoEvent,
  ): DemoEvent {
    const { agent, type, clickedAtMs, nonce } = click
    const rates = ratesOf(type.row.id, agent.office.id)
    const reported = { event: wordOf(eventType, type), useApproveSale: usesApproveSale(type) }
    const { price } = priceEvent(reported, rates, first?.row.event_type)
    const clickCameLate =
      eventType === EVENT_TYPE.sale && !type.site.demo.reportsHourly && random.chance(0.004)
    const lateMs = clickCameLate ? 2_000 + random.below(14_000) : 0
    const recorded = reportedAt(random, click, atMs) + lateMs
    const row = {
      id: uuidAt(recorded, random),
      agent_id: agent.id,
      occurred_at: new Date(atMs),
      recorded_at: new Date(recorded),
      event_type: eventType,
      quantity: 1,
      office_id: agent.office.id,
      site_id: type.site.row.id,
      type_id: type.row.id,
      earning_cents: price.earningCents,
      payout_centavos: price.payoutCentavos,
      lpp: price.lpp,
      avp: rates.avp,
      rate_source: rates.source,
      rate_id: rates.rateId,
      fraud: click.uncounted === 'blacklisted',
      click_id: signClickId({ clickedAtMs, agentId: agent.id, typeId: type.row.id, nonce }),
      transaction_id: first ? first.row.transaction_id : nextOrder(click),
      customer_email: customerOf(random, eventType, first),
      referrer_id: click.referrer === undefined ? null : textId(click.referrer),
      reverses: null,
      reversal: null,
      adjusts: null,
      backdating_id: null,
      postback_id: uuidAt(recorded, random),
      restores: null,
      of_sale: null,
      sold_at: null,
      part_ppm: null,
      ...amountOf(click, eventType),
      agent_suspended: false,
    }
    return { row, click, clickCameLate }
  }

  function reversal(random: Random, sale: DemoEvent, taken: TakenBack): DemoEvent {
    const recorded = reportedAt(random, sale.click, taken.atMs)
    const postbackId = uuidAt(recorded, random)
    const row = reverseEvent(sale.row, taken.reversal, {
      id: uuidAt(recorded, random),
      occurred_at: new Date(taken.atMs),
      recorded_at: new Date(recorded),
      postback_id: postbackId,
      amount_e4: null,
      currency: null,
    })
    return { row: { ...row, postback_id: postbackId }, click: sale.click, clickCameLate: false }
  }

  return { event, reversal }
}

/** What the merchant says that the customer paid. */
const amountOf = ({ type }: DemoClick, eventType: EventType) =>
  type.site.demo.reportsAmounts && eventType === EVENT_TYPE.sale
    ? { amount_e4: 4 * type.demo.earningCents * 100, currency: 'USD' }
    : { amount_e4: null, currency: null }

function customerOf(random: Random, eventType: EventType, first: DemoEvent | undefined) {
  if (first) return first.row.customer_email
  if (eventType === EVENT_TYPE.click || random.chance(0.2)) return null
  return pickEmail(random)
}
