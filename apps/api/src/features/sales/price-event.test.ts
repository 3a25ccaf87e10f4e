import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import { describe, expect, test } from 'vitest'
import type { Rates } from '../office-fees/index.ts'
import { priceEvent, reverseEvent, type SaleEvent, totalsOf } from './price-event.ts'

const rates: Rates = {
  siteId: 3,
  avp: true,
  source: 'office',
  sale: { earningCents: 25_00, payoutCentavos: 500_00, lpp: 2 },
  bonus: { earningCents: 1_50, payoutCentavos: 30_00, lpp: 1 },
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
  fraud: false,
  click_id: 'the click',
  transaction_id: 'T-1',
  customer_email: null,
  referrer_id: null,
  reverses: null,
  reversal: null,
  postback_id: 'its postback',
}
const key = { day: '2026-03-07', agent_id: 1, office_id: 2, site_id: 3, type_id: 4 }

test('a sale has the rates of a sale, a bonus those of a bonus, a paid click none', () => {
  expect(priceEvent(EVENT_TYPE.sale, rates)).toEqual(rates.sale)
  expect(priceEvent(EVENT_TYPE.bonus, rates)).toEqual(rates.bonus)
  expect(priceEvent(EVENT_TYPE.click, rates)).toEqual({
    earningCents: 0,
    payoutCentavos: 0,
    lpp: 0,
  })
})

describe('what counts', () => {
  test('of a sale, on the New York day on which it happened', () => {
    expect(totalsOf(sale)).toEqual({
      ...key,
      sales: 1,
      avp_sales: 1,
      earning_cents: 25_00,
      payout_centavos: 500_00,
      lpp: 2,
    })
    expect(totalsOf({ ...sale, avp: false })).toMatchObject({ sales: 1, avp_sales: 0 })
  })
  test('of a bonus, apart from sales', () => {
    expect(totalsOf({ ...sale, event_type: EVENT_TYPE.bonus })).toEqual({
      ...key,
      bonus_sales: 1,
      bonus_earning_cents: 25_00,
      bonus_payout_centavos: 500_00,
      lpp: 2,
    })
  })
  test('of a paid click: nothing', () => {
    expect(totalsOf({ ...sale, event_type: EVENT_TYPE.click })).toBeUndefined()
  })
})

test('a reversal takes away exactly what the sale gave, on its own day', () => {
  const own = {
    id: 'the reversal',
    occurred_at: new Date('2026-03-09T04:00:00Z'),
    recorded_at: new Date('2026-03-09T05:00:00Z'),
    postback_id: 'another postback',
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
  expect(totalsOf(reversal)).toEqual({
    ...key,
    day: '2026-03-09',
    sales: -1,
    avp_sales: -1,
    earning_cents: -25_00,
    payout_centavos: -500_00,
    lpp: -2,
  })
  expect(reverseEvent({ ...sale, earning_cents: 0 }, 'void', own).earning_cents).toBe(0)
})
