import type { Adjustment, Balance, BalanceItem } from '@tallyroom/contract/pay/balances/balances'
import { expect, test } from 'vitest'
import {
  advanceText,
  amountText,
  type BalanceAct,
  countsAsText,
  holdingBack,
  minimumOf,
  minimumText,
  minorUnitsIn,
  owedIn,
  receivedText,
  waitingText,
  whyItWaits,
  wordsOf,
} from './balance-words.ts'

const payee = { kind: 'office' as const, id: 2, name: 'Manila' }

const item = (own: Partial<BalanceItem> = {}): BalanceItem => ({
  payee,
  currency: 'PHP',
  balance: 900_00,
  running: 0,
  left: 900_00,
  minimum: 500_00,
  ownMinimum: false,
  hold: null,
  paidFrom: null,
  later: [],
  state: 'payable',
  ...own,
})

const balance = (own: Partial<Balance> = {}): Balance => ({
  payee,
  payees: 'offices',
  currency: 'PHP',
  balances: [item()],
  ownMinimums: [],
  entries: [],
  advances: [],
  givenUp: [],
  adjustments: [],
  holds: [],
  ...own,
})

test.each<[string, Partial<BalanceItem>, string]>([
  ['above it', {}, 'Reaches ₱500.00, the minimum'],
  ['exactly it', { balance: 500_00 }, 'Reaches ₱500.00, the minimum'],
  ['a centavo below it', { balance: 499_99 }, 'Paid once it reaches ₱500.00, the minimum'],
  ['negative', { balance: -1 }, 'Paid once it reaches ₱500.00, the minimum'],
  [
    'its own',
    { ownMinimum: true, balance: 0 },
    'Paid once it reaches ₱500.00, the payee’s own minimum',
  ],
  [
    'an own one of zero',
    { ownMinimum: true, minimum: 0 },
    'Paid at any amount, the payee’s own minimum',
  ],
  ['none', { minimum: 0 }, ''],
])('the minimum of a balance: %s', (_, own, text) => {
  expect(minimumText(balance({ balances: [item(own)] }), 'PHP')).toBe(text)
})

test('a currency that the payee has left has no minimum', () => {
  const both = [item(), item({ currency: 'USD', minimum: 100_00, balance: 1_00 })]
  const paidInDollars = balance({ currency: 'USD', balances: both })
  expect(minimumText(paidInDollars, 'PHP')).toBe('')
  expect(minimumText(paidInDollars, 'USD')).toBe('Paid once it reaches $100.00, the minimum')
  expect(minimumText(balance({ balances: [] }), 'PHP')).toBe('')
})

const adjust: BalanceAct = { kind: 'adjust' }
const limit = { limit: 10_000_00, added: 6_000_00, subtracted: 1_00 }
const takeBack = (takeBackWaits: boolean): BalanceAct => ({
  kind: 'take-back',
  adjustment: { ...adjustment('Camera'), takeBackWaits },
})

test.each<[string, BalanceAct, number, string | undefined]>([
  ['nothing typed', adjust, Number.NaN, undefined],
  ['exactly up to the limit', adjust, 4_000_00, undefined],
  [
    'a centavo more',
    adjust,
    4_000_01,
    'Together with ₱6,000.00 since the last statement that nobody has approved, it is above ₱10,000.00.',
  ],
  ['more than the limit by itself', adjust, 10_000_01, 'Adjustments above ₱10,000.00 do.'],
  ['subtracted up to the limit', adjust, -9_999_00, undefined],
  [
    'a centavo more subtracted',
    adjust,
    -9_999_01,
    'Together with -₱1.00 since the last statement that nobody has approved, it is above ₱10,000.00.',
  ],
  ['subtracted beyond the limit', adjust, -10_000_01, 'Adjustments above ₱10,000.00 do.'],
  ['a large one taken back', takeBack(true), 0, 'Adjustments above ₱10,000.00 do.'],
  ['a small one taken back', takeBack(false), 0, undefined],
  ['a hold', { kind: 'hold', held: true, seen: null }, 0, undefined],
  ['a minimum', { kind: 'minimum' }, 99_999_00, undefined],
])('why an adjustment waits for a second person: %s', (_, act, amount, text) => {
  expect(whyItWaits(act, balance({ adjustmentLimit: limit }), amount)).toBe(text)
  expect(whyItWaits(act, balance(), amount)).toBeUndefined()
})

test.each<[string, number]>([
  ['450', 450_00],
  ['-450.00', -450_00],
  ['₱ 1,250.5', 1_250_50],
  ['$0.01', 1],
  ['0', 0],
  ['', Number.NaN],
  ['0.001', Number.NaN],
  ['12,50', Number.NaN],
  ['1e3', Number.NaN],
  ['99999999999999.99', Number.NaN],
])('%j typed is %d centavos', (typed, amount) => {
  expect(minorUnitsIn(typed)).toBe(amount)
})

test.each([
  [undefined, ''],
  [0, '0.00'],
  [1, '0.01'],
  [-1_234_50, '-1234.50'],
])('%s centavos stand in the field as %j', (amount, text) => {
  expect(amountText(amount)).toBe(text)
})

test.each<[string, Partial<Balance>, string]>([
  ['none', {}, ''],
  ['an own one', { ownMinimums: [{ currency: 'PHP', amount: 250_50 }] }, '250.50'],
  ['zero', { ownMinimums: [{ currency: 'PHP', amount: 0 }] }, '0.00'],
  [
    'one in a currency that the payee has left',
    { ownMinimums: [{ currency: 'USD', amount: 1 }] },
    '',
  ],
])('the minimum in its field: %s', (_, own, text) => {
  expect(minimumOf(balance(own))).toBe(text)
})

function adjustment(reason: string, takenBackBy: number | null = null): Adjustment {
  return {
    id: 1,
    currency: 'PHP',
    amount: -450_00,
    countsAs: 'earned',
    reason,
    madeAt: '2026-11-21T03:00:00.000Z',
    oppositeOf: null,
    takenBackBy,
    statementId: null,
  }
}

const because = 'Held back until the sales of maria in 2026-11-A are checked'
const asked = { holdBack: 450_01, because, agentId: 7 }
const given = { amount: -450_01, reason: because, heldBackFor: 7 }

test.each<[string, Partial<Balance>, Parameters<typeof holdingBack>[1], BalanceAct | undefined]>([
  ['in pesos', {}, asked, { kind: 'adjust', given }],
  [
    'in dollars, whose amount depends on a rate',
    { currency: 'USD' },
    asked,
    { kind: 'adjust', given: { reason: because, heldBackFor: 7 } },
  ],
  ['made before', { adjustments: [adjustment(because)] }, asked, undefined],
  [
    'made before and taken back',
    { adjustments: [adjustment(because, 2)] },
    asked,
    { kind: 'adjust', given },
  ],
  [
    'waiting for a second person',
    { waiting: [{ ...adjustment(because), kind: 'adjustment', madeBy: 'ann' }] },
    asked,
    undefined,
  ],
  [
    'another one was made',
    { adjustments: [adjustment('Camera')] },
    asked,
    { kind: 'adjust', given },
  ],
  ['not asked for', {}, {}, undefined],
])('what a link asks to hold back is filled in: %s', (_, own, search, act) => {
  expect(holdingBack(balance(own), search)).toEqual(act)
})

const advance = {
  id: 1,
  currency: 'PHP' as const,
  amount: 1_500_00,
  taken: 375_00,
  givenBack: 0,
  givenUp: 0,
  instalments: 4,
  statements: 1,
  way: 'cash' as const,
  paidOn: '2026-11-25',
  voucher: '118',
  ended: null,
}
const SO = '₱375.00 of ₱1,500.00 was taken back. ₱1,125.00 is owed to the network.'
const FAR = 'in equal shares, as far as what they add allows.'

test.each<[string, Partial<Balance['advances'][number]>, string]>([
  ['running', {}, `${SO} The next 3 statements take it back ${FAR}`],
  ['before the last', { statements: 3 }, `${SO} The next statement takes it back ${FAR}`],
  [
    'larger than what was earned',
    { statements: 5 },
    `${SO} More than was earned in 4 statements: each further one takes back what it can.`,
  ],
  ['paid back', { taken: 1_500_00 }, '₱1,500.00 was taken back.'],
  [
    'given back in part',
    { givenBack: 125_00 },
    '₱375.00 of ₱1,500.00 was taken back. ₱125.00 was given back. ₱1,000.00 is owed to the network. The next statements take it back in the shares of before, and the last ones get smaller or end.',
  ],
  [
    'whose rest was given back',
    { givenBack: 1_125_00 },
    '₱375.00 was taken back. ₱1,125.00 was given back.',
  ],
  [
    'given up',
    { givenUp: 1_125_00, ended: 'deleted' },
    '₱375.00 was taken back. ₱1,125.00 was given up when the payee was deleted.',
  ],
  ['given back', { taken: 0, givenBack: 1_500_00 }, '₱1,500.00 was given back.'],
  ['deleted', { ended: 'deleted' }, `${SO} The payee was deleted, so no statement takes it back.`],
  [
    'in a former currency',
    { ended: 'currency' },
    `${SO} No statement is made in pesos any more, so none takes it back.`,
  ],
])('an advance: %s', (_, own, text) => {
  expect(advanceText({ ...advance, ...own })).toBe(text)
})

const second = { ...advance, id: 2, amount: 300_00, taken: 0, paidOn: '2026-12-03', voucher: '9' }
const OWES = {
  payee: { kind: 'office' as const, id: 1, name: 'Manila' },
  // Newest first.
  advances: [second, advance],
  balances: [{ currency: 'PHP', balance: -200_00 }] as Balance['balances'],
  givenUp: [] as Balance['givenUp'],
}

test('what a payee owes is what is open of advances and a negative balance', () => {
  expect(owedIn(OWES)).toEqual([{ currency: 'PHP', amount: 1_125_00 + 300_00 + 200_00 }])
  expect(owedIn({ ...OWES, advances: [], balances: [] })).toEqual([])
  const givenUp: Balance['givenUp'] = [{ currency: 'PHP', amount: 50_00 }]
  const gone = { ...OWES, advances: [], balances: [], givenUp }
  expect(owedIn(gone)).toEqual(givenUp)
  expect(receivedText(gone, { amount: 30_00, currency: 'PHP' })).toBe(
    '₱30.00 comes back of what was given up.',
  )
})

test.each([
  [1_000_00, '₱1,000.00 goes towards the advance of 25 Nov, voucher 118.'],
  [
    1_625_00,
    '₱1,125.00 ends the advance of 25 Nov, voucher 118. ₱300.00 ends the advance of 3 Dec, voucher 9. ₱200.00 lowers what Manila owes.',
  ],
])('what money of %i that is paid back does', (amount, text) => {
  expect(receivedText(OWES, { amount, currency: 'PHP' })).toBe(text)
})

test.each([
  ['adjustment' as const, 450_00, 'earned' as const, '₱450.00'],
  ['adjustment' as const, 450_00, 'not income' as const, '₱450.00, not income'],
  ['correction' as const, -450_00, 'earned' as const, '-₱450.00'],
  ['payment outside' as const, -450_00, null, '₱450.00 paid outside payment runs'],
  ['money received' as const, 450_00, null, '₱450.00 received'],
  ['conversion' as const, -450_00, null, '₱450.00 to be converted'],
])('what waits: %s by %i (%s)', (kind, amount, countsAs, text) => {
  expect(waitingText({ kind, amount, countsAs, currency: 'PHP' })).toBe(text)
})

test.each([
  ['earned' as const, false, /tax is withheld from it as from sales\.$/],
  ['earned' as const, true, /the books have it as commission\.$/],
  ['not income' as const, false, /no tax, and on no tax certificate\.$/],
  ['not income' as const, true, /an account of its own in the books\.$/],
])('an adjustment that is %s, of a former balance: %s', (countsAs, isFormer, text) => {
  expect(countsAsText(countsAs, isFormer)).toMatch(text)
})

test('an adjustment of a former balance always waits', () => {
  expect(whyItWaits({ kind: 'adjust', former: 'USD' }, balance(), 1)).toBe(
    'It changes a balance at once, without a statement.',
  )
})

const PUT_ON_HOLD = 'Statements are still made. The balance is not paid until the hold is lifted.'
const THEN =
  'until the hold is lifted, its files that pay Manila can’t be downloaded. If one was downloaded before, only your bank can stop the payment.'

test.each<[string, BalanceAct, Partial<Balance>, string, string]>([
  [
    'an adjustment',
    adjust,
    {},
    'Adjust Manila',
    'The amount becomes a line of the next statement. You can take it back, but not edit it.',
  ],
  [
    'holding back',
    { kind: 'adjust', given },
    {},
    'Adjust Manila',
    'The amount becomes a line of the next statement. Once an admin clears the agent’s fraud flag, it is taken back by itself.',
  ],
  [
    'an adjustment of a former balance',
    { kind: 'adjust', former: 'USD' },
    {},
    'Adjust Manila',
    'The amount is added to the balance in dollars at once. No statement shows it: none is made in dollars any more.',
  ],
  [
    'taking back',
    takeBack(false),
    {},
    'Take back an adjustment',
    'This adds the opposite of -₱450.00 (Camera) to the next statement.',
  ],
  ['a hold', { kind: 'hold', held: true, seen: null }, {}, 'Put Manila on hold', PUT_ON_HOLD],
  [
    'a hold while a run pays',
    { kind: 'hold', held: true, seen: null },
    { balances: [item({ running: 900_00 })] },
    'Put Manila on hold',
    `${PUT_ON_HOLD} ₱900.00 is in a payment run: ${THEN}`,
  ],
  [
    'a hold while runs pay in both currencies',
    { kind: 'hold', held: true, seen: null },
    { balances: [item({ running: 1 }), item({ currency: 'USD', running: 12_50 })] },
    'Put Manila on hold',
    `${PUT_ON_HOLD} ₱0.01 and $12.50 are in payment runs: ${THEN}`,
  ],
  [
    'lifting it',
    { kind: 'hold', held: false, seen: null },
    { balances: [item({ running: 900_00 })] },
    'Lift the hold of Manila',
    'The balance can be paid again with the next payment run.',
  ],
  [
    'a minimum',
    { kind: 'minimum' },
    {},
    'Minimum of Manila',
    'A smaller balance is carried to the next period instead of being paid.',
  ],
])('a dialog about: %s', (_, act, own, title, about) => {
  expect(wordsOf(act, balance(own))).toMatchObject({ title, about })
})
