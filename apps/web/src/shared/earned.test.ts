import type { Earned, ShownStatement } from '@tallyroom/contract/pay/closing/earned'
import type { SaleTierPay } from '@tallyroom/contract/sale-tier-pay'
import { expect, test } from 'vitest'
import {
  bothText,
  earnedParts,
  earnedText,
  isConverted,
  paidOf,
  paidText,
  partText,
  statementWords,
  tierPayText,
  waitsForRate,
} from './earned.tsx'

const earned = (own: Partial<Earned> = {}): Earned => ({
  currency: 'PHP',
  amount: 0,
  notIncome: 0,
  rates: 0,
  bonuses: 0,
  differences: 0,
  tiers: { PHP: 0, USD: 0 },
  adjustments: { PHP: 0, USD: 0 },
  ...own,
})

test.each([
  [0, 0, '₱0.00'],
  [4_710_00, 0, '₱4,710.00'],
  [0, 12_00, '$12.00'],
  [1_200_00, 12_00, '₱1,200.00 + $12.00'],
  [1, -1, '₱0.01 + -$0.01'],
  [-450_00, 0, '-₱450.00'],
])('%d centavos and %d cents read %s', (PHP, USD, text) => {
  expect(bothText({ PHP, USD })).toBe(text)
})

/** All parts at once, none of which is the sum of others. */
const everything = {
  rates: 1_000_00,
  bonuses: 200_00,
  differences: -30_00,
  tiers: { PHP: 4_00, USD: 5_00 },
  adjustments: { PHP: -10, USD: -7 },
}

test.each<[string, Earned[], string]>([
  ['nobody', [], '₱0.00'],
  ['nothing', [earned()], '₱0.00'],
  ['nothing, to be paid in dollars', [earned({ currency: 'USD' })], '$0.00'],
  ['a centavo', [earned({ amount: 1, rates: 1 })], '₱0.01'],
  ['less than nothing', [earned({ amount: -450_00, rates: -450_00 })], '-₱450.00'],
  ['dollars', [earned({ currency: 'USD', amount: 12_50 })], '$12.50'],
  // Converted: the statement's one amount, not its parts.
  ['a known rate', [earned({ ...everything, amount: 1_461_03 })], '₱1,461.03'],
  ['an unknown rate', [earned({ ...everything, amount: null })], '₱1,173.90 + $4.93'],
  [
    'an unknown rate of a payee in dollars',
    [earned({ ...everything, currency: 'USD', amount: null })],
    '₱1,173.90 + $4.93',
  ],
  ['two payees in pesos', [earned({ amount: 1_00 }), earned({ amount: 2_00 })], '₱3.00'],
  [
    'a payee in pesos and one in dollars',
    [earned({ amount: 1_00 }), earned({ currency: 'USD', amount: 2_00 })],
    '₱1.00 + $2.00',
  ],
  [
    'one whose rate is known and one whose is not',
    [earned({ amount: 1_00 }), earned({ ...everything, amount: null })],
    '₱1,174.90 + $4.93',
  ],
])('what was earned together: %s', (_, all, text) => {
  expect(earnedText(all)).toBe(text)
})

test.each<[string, Earned[], boolean, boolean]>([
  ['nobody', [], false, false],
  ['pesos alone', [earned({ amount: 1, rates: 1 })], false, false],
  ['no rate yet', [earned({ ...everything, amount: null })], true, false],
  ['dollars in a statement in pesos', [earned({ ...everything, amount: 1 })], false, true],
  [
    'pesos in a statement in dollars',
    [earned({ currency: 'USD', amount: 1, rates: 1 })],
    false,
    true,
  ],
  [
    'dollars alone',
    [earned({ currency: 'USD', amount: 5_00, tiers: { PHP: 0, USD: 5_00 } })],
    false,
    false,
  ],
])('whether it waits for an exchange rate, or was converted: %s', (_, all, waits, converted) => {
  expect([waitsForRate(all), isConverted(all)]).toEqual([waits, converted])
})

test.each<[string, Earned[], string[]]>([
  ['nobody', [], ['rates ₱0.00', 'tiers ₱0.00', 'bonuses ₱0.00']],
  [
    'everything',
    [earned({ ...everything, amount: null })],
    [
      'rates ₱1,000.00',
      'tiers ₱4.00 + $5.00',
      'bonuses ₱200.00',
      'differences -₱30.00',
      'adjustments -₱0.10 + -$0.07',
    ],
  ],
  [
    'two payees whose adjustments cancel out',
    [
      earned({ adjustments: { PHP: 5_00, USD: 0 }, differences: 1 }),
      earned({ adjustments: { PHP: -5_00, USD: 0 } }),
    ],
    ['rates ₱0.00', 'tiers ₱0.00', 'bonuses ₱0.00', 'differences ₱0.01'],
  ],
])('the parts: %s', (_, all, texts) => {
  expect(earnedParts(all).map(partText)).toEqual(texts)
})

type Became = Pick<
  ShownStatement,
  'state' | 'step' | 'paidFrom' | 'paidOn' | 'paidInPart' | 'carriedInto'
>

test.each<[Partial<Became>, string, string]>([
  [{ state: 'paid', paidOn: '2026-11-03' }, 'Paid on 3 Nov', 'Paid to your office on 3 Nov'],
  // Paid before the day was kept.
  [{ state: 'paid' }, 'Paid', 'Paid to your office'],
  [
    { state: 'running', step: 'prepared' },
    'Waits for approval',
    'Payment to your office waits for approval',
  ],
  [
    { state: 'running', step: 'approved' },
    'Approved, not sent yet',
    'Payment to your office approved',
  ],
  [{ state: 'running', step: 'sent' }, 'Sent to the bank', 'Sent to your office’s bank'],
  [{ state: 'failed' }, 'Transfer failed', 'Transfer to your office failed'],
  [{ state: 'held' }, 'On hold', 'On hold'],
  [{ state: 'carried' }, 'Carried to the next period', 'Carried to the next period'],
  [{ state: 'converted' }, 'Converted', 'Converted'],
  [{ state: 'written-off' }, 'Written off', 'Written off'],
  [{ state: 'paid-back' }, 'Paid back', 'Settled'],
  [
    { state: 'carried', carriedInto: '2026-11-B' },
    'Carried into 2026-11-B',
    'Carried into 2026-11-B',
  ],
  [{ state: 'due' }, 'To be paid', 'Your office is to be paid'],
  [
    { state: 'later', paidFrom: '2026-12-15' },
    'To be paid from 15 Dec',
    'To be paid to your office from 15 Dec',
  ],
  [
    { state: 'failed', paidInPart: true },
    'Paid in part. The rest: transfer failed',
    'Paid in part. The rest: transfer to your office failed',
  ],
  [
    { state: 'carried', carriedInto: '2026-11-B', paidInPart: true },
    'Paid in part. The rest: carried into 2026-11-B',
    'Paid in part. The rest: carried into 2026-11-B',
  ],
])('a statement that is %j reads: %s; as a part: %s', (own, whole, part) => {
  const statement: Became = {
    state: 'due',
    step: null,
    paidOn: null,
    paidInPart: false,
    carriedInto: null,
    paidFrom: null,
    ...own,
  }
  expect(statementWords(statement, false)).toBe(whole)
  expect(statementWords(statement, true)).toBe(part)
})

test.each<[Partial<SaleTierPay>, string]>([
  [{}, 'AVP · tier 2 · ₱120.00'],
  [{ currency: 'USD', amount: 2.5 }, 'AVP · tier 2 · $2.50'],
  [{ amount: 0, tier: 0 }, 'AVP · tier 0 · ₱0.00'],
  [{ amount: -120 }, 'AVP · tier 2 · -₱120.00'],
])('what a tier pays for a sale: %j reads %s', (own, text) => {
  const pay: SaleTierPay = {
    tier: 2,
    amount: 120,
    currency: 'PHP',
    isOnTop: false,
    next: null,
    ...own,
  }
  expect(tierPayText(pay)).toBe(text)
})

test('what an entry pays: by its rate, or by tier with the rate beside it', () => {
  const tierPay: SaleTierPay = { tier: 2, amount: 0, currency: 'PHP', isOnTop: false, next: null }
  const part = { payout: -45, tierPay }
  const onTop = {
    payout: -210,
    tierPay: { ...tierPay, amount: -1.5, currency: 'USD', isOnTop: true },
  } as const
  expect(paidText({ payout: -45 })).toBe('-₱45.00')
  expect(paidText(part)).toBe('₱0.00, paid by tier (by rates -₱45.00)')
  expect(paidText(onTop)).toBe('-₱210.00 and -$1.50 by tier')
  expect(bothText(paidOf([part]))).toBe('₱0.00')
  expect(bothText(paidOf([part, { payout: -45 }, onTop]))).toBe('-₱255.00 + -$1.50')
})
