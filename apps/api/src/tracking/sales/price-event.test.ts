import { type CountedEvent, EVENT_TYPE, type EventType } from '@tallyroom/domain/event-types'
import { describe, expect, test } from 'vitest'
import type { Price, Rates } from '../../catalogue/rates/rates.queries.ts'
import { priceEvent, reverseEvent, type SaleEvent, totalsOf } from './price-event.ts'

const rates: Rates = {
  rateId: 9,
  backdated: 0,
  siteId: 3,
  avp: true,
  source: 'office',
  sale: { earningCents: 25_00, payoutCentavos: 500_00, lpp: 2 },
  bonus: { earningCents: 1_50, payoutCentavos: 30_00, lpp: 1 },
  hasBonus: true,
  useApproveSale: false,
  isSuspended: false,
}

const sale: SaleEvent = {
  id: 'the sale',
  agent_id: 1,
  occurred_at: new Date('2026-03-08T04:59:59.999Z'), // still 7 March in New York
  recorded_at: new Date('2026-03-08T05:00:00Z'),
  event_type: EVENT_TYPE.sale,
  quantity: 1,
  office_id: 2,
  site_id: 3,
  type_id: 4,
  earning_cents: 25_00,
  payout_centavos: 500_00,
  lpp: 2,
  avp: true,
  rate_source: 'office',
  rate_id: 9,
  fraud: false,
  click_id: 'the click',
  transaction_id: 'T-1',
  customer_email: null,
  referrer_id: null,
  reverses: null,
  reversal: null,
  postback_id: 'its postback',
  adjusts: null,
  backdating_id: null,
  restores: null,
  of_sale: null,
  sold_at: null,
  part_ppm: null,
  amount_e4: null,
  currency: null,
  agent_suspended: false,
}
const key = { day: '2026-03-07', agent_id: 1, office_id: 2, site_id: 3, type_id: 4 }

const zero = { earningCents: 0, payoutCentavos: 0, lpp: 0 }
const pointsOnly = { ...zero, lpp: 1 }
const [SALE, BONUS, CLICK] = [EVENT_TYPE.sale, EVENT_TYPE.bonus, EVENT_TYPE.click]

/**
 * The reported event, approve-sale, the rates that differ, the order's other half; then the event
 * and its price.
 */
test.each<
  [CountedEvent, boolean, Partial<Rates>, EventType | undefined, EventType, Price, string | false]
>([
  ['sale', false, {}, undefined, SALE, rates.sale, false],
  ['sale', true, {}, undefined, BONUS, rates.bonus, false],
  ['sale', true, { hasBonus: false }, undefined, BONUS, rates.bonus, false],
  ['sale', true, { bonus: zero }, undefined, SALE, rates.sale, false],
  ['sale', true, { bonus: pointsOnly }, undefined, BONUS, pointsOnly, 'no Day#2 rate'],
  ['sale', false, { sale: zero }, undefined, SALE, zero, 'no sale rate'],
  ['sale', true, { sale: zero, bonus: zero }, undefined, SALE, zero, 'no sale rate'],
  ['sale', false, { sale: pointsOnly }, undefined, SALE, pointsOnly, 'no sale rate'],
  // The approval is recorded, so this is the Day#2 sale, even if the site's flag has changed since.
  ['sale', true, {}, SALE, BONUS, rates.bonus, false],
  ['sale', false, { hasBonus: false }, SALE, BONUS, rates.bonus, false],
  ['sale', true, { bonus: zero }, SALE, BONUS, zero, 'no Day#2 rate, and the order’s approval'],
  ['approval', true, {}, undefined, SALE, rates.sale, false],
  ['approval', true, { sale: zero }, undefined, SALE, zero, 'no sale rate'],
  ['approval', true, {}, BONUS, SALE, rates.sale, false],
  ['approval', true, { bonus: zero }, SALE, BONUS, zero, 'no Day#2 rate, and the order’s sale'],
  ['bonus', false, {}, undefined, BONUS, rates.bonus, false],
  ['bonus', false, { hasBonus: false }, undefined, BONUS, zero, 'no bonus rate'],
  ['bonus', true, { hasBonus: false }, undefined, BONUS, rates.bonus, false],
  ['bonus', true, { bonus: zero }, undefined, BONUS, zero, 'no bonus rate'],
  ['click', true, {}, undefined, CLICK, zero, false],
])(
  '%s with approve-sale %s, rates %j and other half %s is event %s at %j',
  (event, useApproveSale, changed, otherHalf, eventType, price, notice) => {
    const priced = priceEvent({ event, useApproveSale }, { ...rates, ...changed }, otherHalf)
    expect(priced).toEqual({
      eventType,
      price,
      notice: notice === false ? undefined : expect.stringContaining(notice),
    })
  },
)

test('the notice says whose rate is missing', () => {
  const noticeFor = (source: Rates['source']) =>
    priceEvent({ event: 'sale', useApproveSale: false }, { ...rates, source, sale: zero }).notice
  expect(noticeFor('default')).toMatch(/its link type has no sale rate/)
  expect(noticeFor('office')).toMatch(/the office’s own rates have no sale rate/)
})

describe('totals', () => {
  test('a sale counts on the New York day it happened', () => {
    expect(totalsOf(sale)).toEqual([
      {
        ...key,
        sales: 1,
        avp_sales: 1,
        earning_cents: 25_00,
        payout_centavos: 500_00,
        lpp: 2,
      },
    ])
    expect(totalsOf({ ...sale, avp: false })).toMatchObject([{ sales: 1, avp_sales: 0 }])
  })
  test('a bonus counts separately from sales', () => {
    expect(totalsOf({ ...sale, event_type: EVENT_TYPE.bonus })).toEqual([
      {
        ...key,
        bonus_sales: 1,
        bonus_earning_cents: 25_00,
        bonus_payout_centavos: 500_00,
        lpp: 2,
      },
    ])
  })
  test('a paid click counts nowhere', () => {
    expect(totalsOf({ ...sale, event_type: EVENT_TYPE.click })).toEqual([])
  })
})

test('a reversal subtracts what the sale added, on its own day, and the AVP sale on the day of the sale', () => {
  const own = {
    id: 'the reversal',
    occurred_at: new Date('2026-03-09T04:00:00Z'),
    recorded_at: new Date('2026-03-09T05:00:00Z'),
    postback_id: 'another postback',
    amount_e4: null,
    currency: null,
  }
  const reversal = reverseEvent(sale, 'void', own)
  expect(reversal).toEqual({
    ...sale,
    ...own,
    quantity: -1,
    earning_cents: -25_00,
    payout_centavos: -500_00,
    lpp: -2,
    reverses: 'the sale',
    reversal: 'void',
  })
  const counted = {
    ...key,
    day: '2026-03-09',
    sales: -1,
    earning_cents: -25_00,
    payout_centavos: -500_00,
    lpp: -2,
  }
  expect(totalsOf(reversal, sale.occurred_at)).toEqual([
    { ...counted, avp_sales: 0 },
    { ...key, avp_sales: -1 },
  ])
  expect(totalsOf(reversal, reversal.occurred_at)).toEqual([{ ...counted, avp_sales: -1 }])
  expect(totalsOf({ ...reversal, avp: false }, sale.occurred_at)).toEqual([
    { ...counted, avp_sales: 0 },
  ])
  expect(reverseEvent({ ...sale, earning_cents: 0 }, 'void', own).earning_cents).toBe(0)
})
