import type { Adjustment, Balance } from '@tallyroom/contract/pay/balances/balances'
import { expect, test } from 'vitest'
import { textOf } from '../../ui/text/text-of.tsx'
import { adjustmentColumns, entryColumnsOf, holdColumnsOf } from './balance-columns.tsx'

const at = '2026-11-21T03:00:00.000Z' // still the 20th in New York
const AT = '2026-11-20 (22:00)'

const entry = (own: Partial<Balance['entries'][number]> = {}): Balance['entries'][number] => ({
  id: 1,
  kind: 'statement',
  currency: 'PHP',
  amount: 900_00,
  balance: 1_400_00,
  madeAt: at,
  statementId: 5,
  number: '2026-11-A-0001',
  runId: null,
  reason: null,
  returnedOn: null,
  outside: null,
  pesosE4: null,
  payment: null,
  ...own,
})

const toBdo = {
  institutionName: 'BDO',
  lastCharacters: '8871',
  part: null,
  isPart: false,
  bankReference: null,
  executionDay: '2026-12-18',
}

test.each<[Partial<Balance['entries'][number]>, string, string, string]>([
  [{}, 'Statement 2026-11-A-0001', '₱1,400.00', '+₱900.00'],
  [{ amount: 0, balance: 0 }, 'Statement 2026-11-A-0001', '₱0.00', '₱0.00'],
  [{ amount: -1, balance: -1 }, 'Statement 2026-11-A-0001', '-₱0.01', '-₱0.01'],
  [
    {
      kind: 'payment',
      statementId: null,
      runId: 3,
      number: 'R-0003',
      amount: -1_400_00,
      balance: 0,
      payment: { ...toBdo, state: 'sent' },
    },
    'Payment R-0003 | to BDO ••8871 · sent to the bank: on 18 Dec',
    '₱0.00',
    '-₱1,400.00',
  ],
  [
    {
      kind: 'payment',
      statementId: null,
      number: 'R-0003',
      payment: { ...toBdo, state: 'approved' },
    },
    'Payment R-0003 | to BDO ••8871 · approved: on 18 Dec',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    // The first download asks for another day.
    {
      kind: 'payment',
      statementId: null,
      number: 'R-0003',
      payment: { ...toBdo, state: 'approved', executionDay: '2026-12-17' },
    },
    'Payment R-0003 | to BDO ••8871 · approved',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    { kind: 'failed', statementId: null, runId: 3, number: 'R-0003', reason: 'Account closed' },
    'Transfer failed R-0003 | Account closed',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    {
      kind: 'payment',
      statementId: null,
      runId: 3,
      number: 'R-0003',
      payment: { ...toBdo, state: 'returned', bankReference: 'IPN-77' },
    },
    'Payment R-0003 | to BDO ••8871 · paid, came back · bank’s reference IPN-77',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    {
      kind: 'payment',
      statementId: null,
      runId: 3,
      number: 'R-0003',
      payment: { ...toBdo, state: 'paid', part: 2, isPart: true },
    },
    'Payment R-0003 | a part of the balance · transfer 2 · to BDO ••8871 · paid',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    {
      kind: 'returned',
      statementId: null,
      runId: 3,
      number: 'R-0003',
      reason: 'Account closed',
      returnedOn: '2026-11-19',
    },
    'Payment came back R-0003 | On 2026-11-19: Account closed',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    {
      kind: 'outside',
      statementId: null,
      number: null,
      amount: -900_00,
      balance: 0,
      reason: 'No account yet',
      outside: { way: 'cash', paidOn: '2026-11-25', voucher: '118' },
    },
    'Paid in cash on 25 Nov, voucher 118 | No account yet',
    '₱0.00',
    '-₱900.00',
  ],
  [
    {
      kind: 'instalment',
      amount: -375_00,
      balance: 525_00,
      outside: { way: 'cash', paidOn: '2026-11-25', voucher: '118' },
    },
    'Taken back of the advance paid in cash on 25 Nov, voucher 118, by 2026-11-A-0001',
    '₱525.00',
    '-₱375.00',
  ],
  [
    { kind: 'tax', amount: -90_00, balance: 810_00 },
    'Tax withheld by 2026-11-A-0001',
    '₱810.00',
    '-₱90.00',
  ],
  [
    { kind: 'tax', amount: 90_00, balance: 810_00 },
    'Tax given back by 2026-11-A-0001',
    '₱810.00',
    '+₱90.00',
  ],
  [
    {
      kind: 'advance',
      statementId: null,
      number: null,
      amount: 900_00,
      outside: { way: 'cash', paidOn: '2026-11-25', voucher: '118' },
    },
    'Advance, of what was paid in cash on 25 Nov, voucher 118',
    '₱1,400.00',
    '+₱900.00',
  ],
  [
    {
      kind: 'conversion',
      statementId: null,
      number: null,
      amount: 1_710_00,
      balance: 1_710_00,
      reason: 'BSP, 25 Nov',
      pesosE4: 57_0000,
    },
    'Converted at ₱57.00 for $1 | BSP, 25 Nov',
    '₱1,710.00',
    '+₱1,710.00',
  ],
  [
    {
      kind: 'cancelled',
      statementId: null,
      runId: 3,
      number: 'R-0003',
      currency: 'USD',
      balance: 900_00,
    },
    'Payment cancelled R-0003',
    '$900.00',
    '+$900.00',
  ],
  [
    {
      kind: 'given back',
      statementId: null,
      number: null,
      amount: -300_00,
      balance: 0,
      outside: { way: 'cash', paidOn: '2026-11-25', voucher: '118' },
    },
    'Given back of the advance paid in cash on 25 Nov, voucher 118',
    '₱0.00',
    '-₱300.00',
  ],
])('an entry of a balance %j', (own, ...texts) => {
  for (const mayManage of [true, false]) {
    const shown = entryColumnsOf(mayManage, '2026-12-18').map(({ cell }) =>
      textOf(cell(entry(own))),
    )
    expect(shown).toEqual([AT, ...texts])
  }
})

test('of money received, the payee reads that they paid it', () => {
  const received = entry({
    kind: 'received',
    statementId: null,
    number: null,
    reason: 'She leaves',
    outside: { way: 'transfer', paidOn: '2026-11-25', voucher: 'IPN-7' },
  })
  const textFor = (mayManage: boolean) =>
    textOf(entryColumnsOf(mayManage, '2026-12-18')[1]?.cell(received))
  const how = 'by bank transfer on 25 Nov, voucher IPN-7 | She leaves'
  expect(textFor(true)).toBe(`Money received ${how}`)
  expect(textFor(false)).toBe(`You paid back ${how}`)
})

const adjustment = (own: Partial<Adjustment> = {}): Adjustment => ({
  id: 1,
  currency: 'PHP',
  amount: -450_00,
  countsAs: 'earned',
  reason: 'Camera',
  madeAt: at,
  madeBy: 'ann',
  oppositeOf: null,
  takenBackBy: null,
  statementId: null,
  ...own,
})

const { madeBy: _, ...toPayee } = adjustment()
const ofAgent = { id: 7, name: 'maria' }

test.each<[string, Adjustment, string[]]>([
  [
    'not on a statement yet',
    adjustment(),
    [`Camera | By ann, ${AT}`, 'The next statement | Take back', '-₱450.00'],
  ],
  [
    'as its payee reads it',
    toPayee,
    [`Camera | ${AT}`, 'The next statement | Take back', '-₱450.00'],
  ],
  [
    'approved by a second person, on a statement',
    adjustment({ approvedBy: 'bob', statementId: 5, amount: 1 }),
    [`Camera | By ann, ${AT}, approved by bob`, '2026-11-A-0001 | Take back', '+₱0.01'],
  ],
  [
    'below the limit',
    adjustment({ approvedBy: null, currency: 'USD', amount: 12_50 }),
    [`Camera | By ann, ${AT}`, 'The next statement | Take back', '+$12.50'],
  ],
  [
    'taken back',
    adjustment({ takenBackBy: 2, heldBackFor: { ...ofAgent, isDoubted: true } }),
    [`Camera | By ann, ${AT}`, 'The next statement | Taken back', '-₱450.00'],
  ],
  [
    'one that takes back another',
    adjustment({ oppositeOf: 2, amount: 450_00 }),
    [`Camera | By ann, ${AT}`, 'The next statement | Takes back another adjustment', '+₱450.00'],
  ],
  [
    'held back for an agent marked for fraud',
    adjustment({ heldBackFor: { ...ofAgent, isDoubted: true } }),
    [
      `Camera | By ann, ${AT}`,
      'The next statement | Taken back by itself when an admin clears maria of fraud | Take back',
      '-₱450.00',
    ],
  ],
  [
    'held back for an agent who is not marked for fraud',
    adjustment({ heldBackFor: { ...ofAgent, isDoubted: false } }),
    [
      `Camera | By ann, ${AT}`,
      'The next statement | Held back for maria, who is not marked for fraud: take it back when their sales are checked | Take back',
      '-₱450.00',
    ],
  ],
])('an adjustment: %s', (__, one, texts) => {
  const shown = (columns: ReturnType<typeof adjustmentColumns>) =>
    columns.map(({ cell }) => textOf(cell(one)))
  expect(shown(adjustmentColumns([entry()], () => {}))).toEqual(texts)
  // Without the right to, nobody is offered to take it back.
  expect(shown(adjustmentColumns([entry()], undefined))).toEqual(
    texts.map((text) => text.replace(' | Take back', text.includes('Takes back') ? '$&' : '')),
  )
})

const hold = { held: true, setAt: at, reason: 'Chargebacks', setBy: 'ann', told: 'Call us.' }

test.each<[Balance['holds'][number], string[], string[]]>([
  [hold, [AT, 'Put on hold', 'Chargebacks | By ann', 'Call us.'], [AT, 'Put on hold', 'Call us.']],
  [
    { ...hold, held: false, told: null },
    [AT, 'Hold lifted', 'Chargebacks | By ann', '–'],
    [AT, 'Hold lifted', '–'],
  ],
])('a hold: staff read why, the payee only what was written for them', (one, staff, payee) => {
  const shown = (mayManage: boolean) =>
    holdColumnsOf(mayManage).map(({ cell }) => textOf(cell(one)))
  expect(shown(true)).toEqual(staff)
  expect(shown(false)).toEqual(payee)
})
