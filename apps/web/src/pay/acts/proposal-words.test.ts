import type { WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { textOf } from '../../ui/text/text-of.tsx'
import { proposalName, whoCanInstead } from './proposal-words.ts'
import { ProposalEffect, ProposalText } from './ProposalText.tsx'

type Does = WaitingProposal['does']

const payee = { kind: 'office' as const, id: 2, name: 'Manila' }
const adjustment = {
  kind: 'adjustment' as const,
  payee,
  currency: 'PHP' as const,
  amount: 20_000_00,
  countsAs: 'earned' as const,
  takesBack: false,
  heldBackFor: null,
}
const LINE = 'Once approved, it is a line of the next statement. It doesn’t count before.'

test.each<[Does, string, string, string]>([
  [adjustment, '₱20,000.00 for Manila', 'Adjust Manila by +₱20,000.00', LINE],
  [
    { ...adjustment, amount: -20_000_00, heldBackFor: 'maria' },
    '-₱20,000.00 for Manila',
    'Adjust Manila by -₱20,000.00',
    `${LINE} It is taken back by itself when an admin clears maria of fraud.`,
  ],
  [
    { ...adjustment, currency: 'USD', takesBack: true },
    '$20,000.00 for Manila',
    'Take back an adjustment of Manila: +$20,000.00',
    LINE,
  ],
  [
    { ...adjustment, countsAs: 'not income' },
    '₱20,000.00 for Manila',
    'Adjust Manila by +₱20,000.00, which is not income',
    `${LINE} No tax is withheld from it.`,
  ],
  [
    { kind: 'exchange rate', period: '2026-11-A', pesosE4: 582_503 },
    '₱58.2503 for $1 in 2026-11-A',
    'Exchange rate of 2026-11-A: ₱58.2503 for $1',
    'Once approved, statements of the period are converted at this rate.',
  ],
  [
    {
      kind: 'result',
      payee,
      currency: 'PHP',
      amount: 1,
      run: { id: 3, number: 'R-0003' },
      reference: 'R-0003-1',
    },
    'R-0003-1 failed',
    'The transfer of ₱0.01 to Manila failed',
    'Once approved, the amount is owed again, and the next run pays it. If it arrived after all, it is paid twice, so ask the bank about R-0003-1 of R-0003.',
  ],
  [
    {
      kind: 'refused file',
      currency: 'PHP',
      amount: 2_000_00,
      run: { id: 3, number: 'R-0003' },
      file: 'R-0003_1-Pesos.csv',
      refusedOn: '2026-11-13',
    },
    'The bank refused R-0003_1-Pesos.csv',
    'The bank refused R-0003_1-Pesos.csv of R-0003 on 2026-11-13: ₱2,000.00',
    'Once approved, each transfer of this file that has no result failed: its amount is owed again, and the next run pays it. If the bank carried it out after all, all of it is paid twice, so look into the bank’s portal first.',
  ],
  [
    {
      kind: 'payment outside',
      payee,
      currency: 'PHP',
      amount: 500_00,
      way: 'cheque',
      paidOn: '2026-11-25',
      voucher: 'C-118',
      advance: null,
    },
    '₱500.00 paid to Manila, voucher C-118',
    '₱500.00 paid to Manila by cheque on 25 Nov, voucher C-118',
    'Once approved, it is taken from the balance. Look at the receipt first: no bank’s file says that it was paid.',
  ],
  [
    {
      kind: 'payment outside',
      payee,
      currency: 'PHP',
      amount: 500_00,
      way: 'cash',
      paidOn: '2026-11-25',
      voucher: '7',
      advance: { amount: 300_00, instalments: 4 },
    },
    '₱500.00 paid to Manila, voucher 7',
    '₱500.00 paid to Manila in cash on 25 Nov, voucher 7',
    'Once approved, it is taken from the balance. Look at the receipt first: no bank’s file says that it was paid. ₱300.00 of it is an advance: it is not owed yet, and the next 4 statements take it back.',
  ],
  [
    {
      kind: 'money received',
      payee,
      currency: 'PHP',
      amount: 500_00,
      way: 'transfer',
      paidOn: '2026-11-25',
      voucher: 'IPN-7',
    },
    '₱500.00 received from Manila, voucher IPN-7',
    '₱500.00 received from Manila by bank transfer on 25 Nov, voucher IPN-7',
    'Once approved, it ends advances, the oldest first, and the rest of it raises the balance. It is no income, so no tax is given back. Look at the receipt first, or at the account of the network.',
  ],
  [
    { kind: 'correction', payee, currency: 'USD', amount: -30_00, countsAs: 'earned' },
    '-$30.00 for Manila',
    'Adjust the balance of Manila in dollars by -$30.00',
    'The payee is paid in another currency now, so no statement shows this: once approved, it changes the balance at once.',
  ],
  [
    {
      kind: 'conversion',
      payee,
      currency: 'USD',
      amount: 30_00,
      pesosE4: 57_0000,
      converted: 1_710_00,
    },
    '$30.00 of Manila converted',
    'Convert $30.00 of Manila to ₱1,710.00 at ₱57.00 for $1',
    'Once approved, the balance in dollars is zero, and the next run pays ₱1,710.00 more.',
  ],
  [
    { kind: 'tax rate', payee, fromDay: '2026-12-01', rateBp: 1000, code: 'WI515' },
    'Withholding tax of Manila: 10 % (WI515)',
    'Withholding tax of Manila: 10 % (WI515), from 1 Dec on',
    'Once approved, statements of periods that end on that day or later withhold it from what was earned, and the network owes it to the tax office.',
  ],
  [
    { kind: 'tax rate', payee, fromDay: '2026-12-01', rateBp: 0, code: null },
    'Withholding tax of Manila: none',
    'Withholding tax of Manila: none, from 1 Dec on',
    'Once approved, statements of periods that end on that day or later withhold nothing.',
  ],
  [
    { kind: 'limits', limits: { PHP: 10_000_00, USD: 0 } },
    'Other limits',
    'Limits of adjustments: ₱10,000.00 and $0.00',
    'Once approved, larger adjustments wait for a second person.',
  ],
])('a proposal %j is called, reads and does', (does, name, text, effect) => {
  expect(proposalName(does)).toBe(name)
  expect(textOf(createElement(ProposalText, { does }))).toBe(text)
  expect(textOf(createElement(ProposalEffect, { does }))).toBe(effect)
})

type Approvers = WaitingProposal['approvers']

const INVITE =
  'A superadmin can give PAY to somebody else, who can approve seven days after they were granted PAY and set a password of their own.'

test.each<[string, Approvers, boolean, string]>([
  [
    'two people',
    [
      { name: 'ann', whyNot: 'entered it', from: null },
      { name: 'bob', whyNot: null, from: null },
      { name: 'cyd', whyNot: null, from: null },
    ],
    true,
    'These people can: bob, cyd.',
  ],
  [
    'nobody, somebody later',
    [
      { name: 'ann', whyNot: 'entered it', from: null },
      { name: 'bob', whyNot: 'is new', from: '2026-12-09T15:00:00.000Z' },
      { name: 'cyd', whyNot: 'set ann’s password', from: '2026-12-02T03:00:00.000Z' },
    ],
    false,
    `Nobody can now: ann entered it; bob is new; cyd set ann’s password. cyd can from 1 Dec 2026 on. ${INVITE} Or refuse it.`,
  ],
  [
    'nobody ever',
    [{ name: 'ann', whyNot: 'entered it', from: null }],
    true,
    `Nobody can now: ann entered it. ${INVITE} Or withdraw it.`,
  ],
])('who can approve instead: %s', (_, approvers, isYours, text) => {
  expect(whoCanInstead({ approvers, isYours })).toBe(text)
})
