import type { Home } from '@tallyroom/contract/desk/home'
import type { EarnedOfPayee, NextPayment, OwnPay } from '@tallyroom/contract/pay/closing/earned'
import { expect, test } from 'vitest'
import { comparedAmounts } from '../../shared/earned.tsx'
import {
  lastLabel,
  lastNote,
  lateNote,
  nextNote,
  rateNote,
  risesTo,
  stepsOf,
} from './pay-tile-words.ts'

const manila = { kind: 'office' as const, id: 2, name: 'Manila' }

const earned = (own: Partial<EarnedOfPayee> = {}): EarnedOfPayee => ({
  payee: manila,
  isPart: false,
  currency: 'PHP',
  amount: 900_00,
  notIncome: 0,
  rates: 900_00,
  bonuses: 0,
  differences: 0,
  tiers: { PHP: 0, USD: 0 },
  adjustments: { PHP: 0, USD: 0 },
  ...own,
})

const next = (own: Partial<NextPayment> = {}): NextPayment => ({
  period: { name: '2026-11-A', start: '2026-11-01', end: '2026-11-15' },
  step: 'earning',
  payee: manila,
  isPart: false,
  currency: 'PHP',
  amount: 900_00,
  carried: 0,
  withheld: 0,
  returned: 0,
  answered: null,
  later: [],
  usualDays: null,
  expectedBy: null,
  statementId: null,
  blocked: null,
  account: null,
  ...own,
})

test.each<[NextPayment['step'], string, string]>([
  ['earning', '2026-11-14', '(Earning) Closed Approved Sent'],
  ['earning', '2026-11-15', '(Earning) Closed Approved Sent'],
  // Nobody has closed it yet.
  ['earning', '2026-11-16', '(Ended) Closed Approved Sent'],
  ['closed', '2026-11-16', '✓Earning (Closed) Approved Sent'],
  ['prepared', '2026-11-17', '✓Earning (Prepared) Approved Sent'],
  ['approved', '2026-11-18', '✓Earning ✓Closed (Approved) Sent'],
])('a payment that is %s stands on %s at: %s', (step, today, text) => {
  const shown = { done: '✓*', now: '(*)', ahead: '*' }
  const steps = stepsOf(next({ step }), today)
  expect(steps.map(({ name, state }) => shown[state].replace('*', name)).join(' ')).toBe(text)
})

const bdo = { institution: 'BDO', lastCharacters: '8871' }

test.each<[Partial<NextPayment>, string]>([
  [{}, 'to you'],
  [{ account: bdo }, 'to BDO ••8871'],
  [{ isPart: true }, 'to your office, Manila'],
  [
    { account: bdo, answered: { arrived: 10_000_00, failed: 10_000_00 } },
    'to BDO ••8871 · under way · ₱10,000.00 has arrived · ₱10,000.00 failed',
  ],
  [{ answered: { arrived: 1_00, failed: 0 } }, 'to you · under way · ₱1.00 has arrived'],
  [
    { account: bdo, usualDays: 3, expectedBy: '2026-11-18' },
    'to BDO ••8871 · expected by 18 Nov: usually 3 days after the period ends',
  ],
  [
    { usualDays: 1, expectedBy: '2026-11-16' },
    'to you · expected by 16 Nov: usually 1 day after the period ends',
  ],
  [
    { usualDays: 0, expectedBy: '2026-11-15' },
    'to you · expected by 15 Nov: usually on the day the period ends',
  ],
  // Whose turn it is, also where nobody can say when.
  [{ step: 'closed' }, 'to you · waits for your network to prepare it'],
  [{ step: 'prepared' }, 'to you · waits for your network’s approval'],
  [
    { step: 'prepared', usualDays: 3, expectedBy: '2026-11-18' },
    'to you · expected by 18 Nov: usually 3 days after the period ends · waits for your network’s approval',
  ],
  [{ step: 'approved', expectedBy: '2026-11-19' }, 'to you · approved for 19 Nov · not sent yet'],
  [{ step: 'sent', expectedBy: '2026-11-19' }, 'to you · sent to the bank for 19 Nov'],
  // Why it is late is beside.
  [{ step: 'prepared', usualDays: 0, expectedBy: '2026-11-14' }, 'to you · expected by 14 Nov'],
  // What stops it is said instead of when.
  [{ account: bdo, expectedBy: '2026-11-18', blocked: 'held' }, 'to BDO ••8871 · on hold'],
  [{ usualDays: 3, blocked: 'no-account' }, 'to you · once you have entered an account'],
  [{ blocked: 'account-waits' }, 'to you · once your account is confirmed'],
  [{ account: bdo, blocked: 'account-new' }, 'to BDO ••8871 · once your new account may be paid'],
  [{ blocked: 'nothing' }, 'to you · nothing to pay yet'],
  [{ withheld: 90_00 }, 'to you · less ₱90.00 of tax'],
  [
    { blocked: 'later', usualDays: 3, later: [{ amount: 12_000_00, from: '2026-12-15' }] },
    'to you · ₱12,000.00 from 15 Dec',
  ],
  [
    { blocked: 'below-minimum', carried: 1 },
    'to you · below the minimum: carried to the period after · with ₱0.01 from before',
  ],
  [
    { blocked: 'negative', carried: -450_00 },
    'to you · nothing to pay: the balance is negative · with -₱450.00 from before',
  ],
  [{ currency: 'USD', account: bdo, carried: 12_50 }, 'to BDO ••8871 · with $12.50 from before'],
])('the next payment %j is noted: %s', (own, text) => {
  expect(nextNote(next(own), '2026-11-15')).toBe(text)
})

test.each<[Partial<NextPayment>, string | undefined]>([
  [{ step: 'prepared' }, undefined],
  [{ step: 'prepared', expectedBy: '2026-11-28' }, undefined],
  [{ step: 'prepared', expectedBy: '2026-11-27' }, '1 day late: waits for your network’s approval'],
  [{ expectedBy: '2026-11-18' }, '10 days late: waits for your network to close the period'],
  [
    { step: 'closed', expectedBy: '2026-11-18' },
    '10 days late: waits for your network to prepare it',
  ],
  [{ step: 'approved', expectedBy: '2026-11-18' }, '10 days late: approved, not sent yet'],
  // The bank's turn, or the payee's.
  [{ step: 'sent', expectedBy: '2026-11-18' }, undefined],
  [{ step: 'closed', expectedBy: '2026-11-18', blocked: 'no-account' }, undefined],
])('the next payment %j is on 28 November: %s', (own, text) => {
  expect(lateNote(next(own), '2026-11-28')).toBe(text)
})

type Standing = Pick<NonNullable<Home['avpStanding']>, 'next' | 'week' | 'paidBy'>

const standing = (own: Partial<Standing> = {}, adds = { php: 390, dollars: 6.5 }): Standing => ({
  week: { start: '2026-11-09', end: '2026-11-15' },
  next: { tier: 3, missing: 2, adds },
  paidBy: 'instead',
  ...own,
})

const pesos = earned({ tiers: { PHP: 3_600_00, USD: 0 } })
const dollars = earned({ currency: 'USD', tiers: { PHP: 0, USD: 60_00 } })

test.each<[string, EarnedOfPayee[], Standing | undefined, string | undefined]>([
  ['in pesos', [pesos], standing(), 'rises to ₱3,990.00 at tier 3'],
  ['in dollars', [dollars], standing(), 'rises to $66.50 at tier 3'],
  ['on top of rates', [pesos], standing({ paidBy: 'on-top' }), 'rises to ₱3,990.00 at tier 3'],
  [
    'by a centavo',
    [pesos],
    standing({}, { php: 0.01, dollars: 0 }),
    'rises to ₱3,600.01 at tier 3',
  ],
  ['the first tier', [earned()], standing(), 'rises to ₱390.00 at tier 3'],
  ['a tier that adds nothing', [pesos], standing({}, { php: 0, dollars: 0 }), undefined],
  ['a tier that pays less', [pesos], standing({}, { php: -12, dollars: -1 }), undefined],
  ['the top tier', [pesos], standing({ next: null }), undefined],
  [
    'a tier whose pay the viewer does not see',
    [pesos],
    standing({ next: { tier: 3, missing: 2 } }),
    undefined,
  ],
  ['tiers for information only', [pesos], standing({ paidBy: 'information' }), undefined],
  ['pay is off', [pesos], standing({ paidBy: null }), undefined],
  ['no schedule', [pesos], undefined, undefined],
  ['nobody to pay', [], standing(), undefined],
  ['two payees', [pesos, dollars], standing(), undefined],
  [
    'a week that the next period pays',
    [pesos],
    standing({ week: { start: '2026-11-10', end: '2026-11-16' } }),
    undefined,
  ],
])('what the next tier would make of the tiers’ pay: %s', (_, to, week, text) => {
  expect(risesTo({ to, end: '2026-11-15' }, week)).toBe(text)
})

test.each<[string, EarnedOfPayee[], string | undefined]>([
  ['pesos alone', [earned()], undefined],
  ['nobody', [], undefined],
  [
    'an unknown rate',
    [earned({ amount: null, tiers: { PHP: 0, USD: 12_00 } })],
    'Becomes one amount at the exchange rate of its closing.',
  ],
  [
    'a known rate',
    [earned({ amount: 1_600_00, tiers: { PHP: 0, USD: 12_00 } })],
    'Converted at the period’s exchange rate.',
  ],
  [
    'one of two payees has no rate yet',
    [
      earned({ amount: 1_600_00, tiers: { PHP: 0, USD: 12_00 } }),
      earned({ amount: null, tiers: { PHP: 0, USD: 1 } }),
    ],
    'Becomes one amount at the exchange rate of its closing.',
  ],
])('two currencies: %s', (_, to, text) => {
  expect(rateNote(to)).toBe(text)
})

type Last = NonNullable<OwnPay['last']>

const statement: NonNullable<Last['statement']> = {
  id: 1,
  number: '2026-10-B-0001',
  state: 'paid',
  paidOn: '2026-11-03',
  step: null,
  paidInPart: false,
  carriedInto: null,
  paidFrom: null,
}

test.each<[Partial<Last>, string]>([
  [{ isClosed: false, statement: null }, 'Not closed yet · rates ₱900.00'],
  [{ statement: null }, 'Closed, no statement · rates ₱900.00'],
  [{}, 'Paid on 3 Nov · rates ₱900.00'],
  // A period without sales: no dot before nothing.
  [{ to: [] }, 'Paid on 3 Nov'],
  [{ statement: null, to: [earned({ amount: 0, rates: 0 })] }, 'Closed, no statement'],
  [{ to: [earned({ isPart: true })] }, 'Paid to your office on 3 Nov · rates ₱900.00'],
  // One of two payees is the viewer.
  [{ to: [earned({ isPart: true }), earned()] }, 'Paid on 3 Nov · rates ₱1,800.00'],
  [
    { to: [earned({ bonuses: -1, tiers: { PHP: 1_00, USD: 2_00 } })] },
    'Paid on 3 Nov · rates ₱900.00 · tiers ₱1.00 + $2.00 · bonuses -₱0.01',
  ],
])('the last period %j is noted: %s', (own, text) => {
  expect(lastNote({ isClosed: true, statement, to: [earned()], ...own })).toBe(text)
})

const inDollars = earned({ currency: 'USD', amount: 12_50 })

test.each<[string, EarnedOfPayee[], EarnedOfPayee[] | undefined, (number | undefined)[]]>([
  ['one payee', [earned()], [earned({ amount: 1 })], [900_00, 1]],
  ['two payees', [earned(), earned({ amount: -1 })], [earned()], [899_99, 900_00]],
  ['nothing before', [earned()], [], [900_00, 0]],
  ['no period before', [earned()], undefined, [900_00, undefined]],
  ['both currencies', [earned(), inDollars], [earned()], [undefined, undefined]],
  ['an unknown rate', [earned({ amount: null })], [earned()], [undefined, 900_00]],
  ['an unknown rate before', [earned()], [earned({ amount: null })], [900_00, undefined]],
  ['dollars', [inDollars], [inDollars], [12_50, 12_50]],
  // The payee's currency has changed: 900 pesos are not 72 times 12.50 dollars.
  ['pesos after dollars', [earned()], [inDollars], [900_00, undefined]],
  ['both currencies before', [earned()], [earned(), inDollars], [900_00, undefined]],
])('a period against the one before: %s', (_, to, before, amounts) => {
  const compared = comparedAmounts(to, before)
  expect([compared.now, compared.before]).toEqual(amounts)
})

test.each([
  ['2026-11-A', 'Last half-month'],
  ['2026-11-B', 'Last half-month'],
  ['2026-W48', 'Last week'],
  ['2026-11', 'Last month'],
])('%s is the %s', (name, label) => {
  expect(lastLabel(name)).toBe(label)
})
