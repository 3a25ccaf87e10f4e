import type { News, PaymentRun, RunFile, RunLine } from '@tallyroom/contract/pay/runs/runs'
import { expect, test } from 'vitest'
import {
  canBeRefused,
  dayText,
  executionText,
  isWeekend,
  partsText,
  partText,
  payeesOfFile,
  causeWords,
  canBeSettled,
  contradictionTexts,
  countOf,
  isWithoutResult,
  lineStates,
  newsByPayee,
  nextToApprove,
  notDownloaded,
  paysWhom,
  prepareText,
  refusedText,
  resultCounts,
  resultsText,
  runStates,
  stepsOf,
  sumText,
  whoElseCan,
} from './run-words.ts'

const names = ['Manila', 'Cebu', 'Davao', 'Makati', 'Baguio']
const line = (name: string, amount: number) => ({
  amount,
  payee: { kind: 'office' as const, id: names.indexOf(name), name },
})

test.each([
  [[line('Manila', 145_202_00)], '₱145,202.00 to Manila'],
  [[line('Manila', 1_00), line('Cebu', 2_00)], '₱3.00 to Manila and Cebu'],
  [
    [line('Manila', 1_00), line('Cebu', 2_00), line('Davao', 3_00)],
    '₱6.00 to Manila, Cebu, and Davao',
  ],
  [names.map((name) => line(name, 1_00)), '₱5.00 to Manila, Cebu, Davao, and 2 more'],
])('a button names the sum and up to three payees', (lines, text) => {
  expect(sumText(lines, 'PHP')).toBe(text)
})

test.each<[number[], 'PHP' | 'USD', string]>([
  [[], 'PHP', 'Prepare payment run'],
  [[1], 'PHP', 'Prepare ₱0.01 to 1 payee'],
  [[100_000_00, 45_202_00], 'PHP', 'Prepare ₱145,202.00 to 2 payees'],
  [[10, 20], 'USD', 'Prepare $0.30 to 2 payees'],
  [Array.from({ length: 1_204 }, () => 1_00), 'PHP', 'Prepare ₱1,204.00 to 1,204 payees'],
])('a run of %j in %s is prepared by the button: %s', (amounts, currency, text) => {
  expect(
    prepareText(
      amounts.map((amount) => ({ amount })),
      currency,
    ),
  ).toBe(text)
})

test.each([
  [null, 'All balances'],
  ['2026-11-A', 'Payees of 2026-11-A'],
])('a run of the period %s pays: %s', (period, text) => {
  expect(paysWhom(period)).toBe(text)
})

test.each([
  ['deleted', 'Deleted'],
  ['on hold', 'On hold'],
  ['new account', 'New account'],
  ['below minimum', 'Below the minimum'],
  ['negative', 'Negative'],
  ['nothing owed', 'Nothing owed'],
  ['no confirmed account', 'No confirmed account'],
  ['in another run', 'In another run'],
  ['not in the file', 'Doesn’t fit into the file'],
] as const)('a payee who is left out for the cause %s reads: %s', (cause, text) => {
  expect(causeWords[cause]).toBe(text)
})

test.each([
  ['prepared', 'Waiting for approval'],
  ['approved', 'Approved'],
  ['sent', 'Waiting for results'],
  ['finished', 'Finished'],
  ['cancelled', 'Cancelled'],
] as const)('a run that is %s reads: %s', (state, text) => {
  expect(runStates[state].label).toBe(text)
})

test.each([
  ['prepared', 'Waiting for approval'],
  ['approved', 'Approved'],
  ['sent', 'Sent'],
  ['paid', 'Paid'],
  ['failed', 'Failed'],
  ['returned', 'Came back'],
  ['removed', 'Taken out'],
  ['cancelled', 'Cancelled'],
] as const)('a line that is %s reads: %s', (state, text) => {
  expect(lineStates[state].label).toBe(text)
})

test.each([
  [0, '0 transfers'],
  [1, '1 transfer'],
  [1_204, '1,204 transfers'],
])('%d are counted: %s', (count, text) => {
  expect(countOf(count, 'transfer')).toBe(text)
})

const news = (key: string, payee: string | null, lineId: number | null): News => ({
  key,
  kind: 'account',
  lineId,
  payee,
  title: '',
  text: '',
})

test('what is new is listed by payee, and two payees of one name are two', () => {
  const groups = newsByPayee([
    news('a', null, null),
    news('b', 'Manila', 1),
    news('c', 'maria', 2),
    news('d', 'Manila', 1),
    news('e', 'maria', 3),
    news('f', null, null),
  ])
  expect(groups.map(({ heading, items }) => [heading, ...items.map(({ key }) => key)])).toEqual([
    ['The whole run', 'a', 'f'],
    ['Manila', 'b', 'd'],
    ['maria', 'c'],
    ['maria', 'e'],
  ])
})

const SHOW = 'Show the files’ lines, and look at the account numbers.'
const SEEN = 'You have seen what is new and what leaves.'

test.each<[string[], string[], boolean, number, string]>([
  [['a', 'b'], [], false, 2, 'Tick what is new: 2 of 2 left.'],
  [['a', 'b'], ['b'], true, 1, 'Tick what is new: 1 of 2 left.'],
  // What was ticked has changed since, and is another item.
  [['a', 'b'], ['b', 'old'], true, 1, 'Tick what is new: 1 of 2 left.'],
  [['a', 'b'], ['a', 'b'], false, 0, SHOW],
  [['a', 'b'], ['a', 'b'], true, 0, SEEN],
  [[], [], false, 0, SHOW],
  [[], [], true, 0, SEEN],
])('of the news %j with %j ticked, files seen: %s', (keys, ticked, seen, unticked, text) => {
  expect(
    nextToApprove(
      keys.map((key) => ({ key })),
      new Set(ticked),
      seen,
    ),
  ).toEqual({ unticked, text })
})

type Approver = PaymentRun['approvers'][number]

const barred = (name: string, from: string | null = null): Approver => ({
  name,
  whyNot: 'prepared it',
  from,
})
const NOBODY = 'Nobody can now: everyone who may pay had a hand in it.'
const INSTEAD =
  'A line can be taken out and paid later. Or let a superadmin give PAY to somebody else: they can approve seven days after they were granted PAY and set a password of their own.'

test.each<[string, Approver[], string]>([
  [
    'two of three',
    [
      barred('ann'),
      { name: 'bob', whyNot: null, from: null },
      { name: 'cyd', whyNot: null, from: null },
    ],
    'These people can: bob, cyd.',
  ],
  ['nobody', [barred('ann'), barred('bob')], `${NOBODY} ${INSTEAD}`],
  ['no others', [], `${NOBODY} ${INSTEAD}`],
  [
    'the one who can first, on a day in New York',
    [
      barred('ann', '2026-12-09T15:00:00.000Z'),
      barred('bob'),
      barred('cyd', '2026-12-02T03:00:00.000Z'),
    ],
    `${NOBODY} cyd can from 1 Dec 2026 on. ${INSTEAD}`,
  ],
])('who can approve instead: %s', (_, approvers, text) => {
  expect(whoElseCan(approvers)).toBe(text)
})

const refused = {
  on: '2026-11-13',
  by: 'ann',
  reason: 'A wrong date',
  waits: true,
  byMessage: false,
}

test.each<[string, RunLine['state'][], Partial<RunFile>, boolean]>([
  ['nothing has a result', ['sent', 'sent'], {}, true],
  ['one has failed', ['failed', 'sent'], {}, true],
  ['one was paid', ['paid', 'sent'], {}, false],
  ['one was paid and came back', ['returned', 'sent'], {}, false],
  ['all have failed', ['failed', 'failed'], {}, false],
  ['it was entered before', ['sent', 'sent'], { refused }, false],
  ['nobody has downloaded it', ['sent', 'sent'], { downloads: [] }, false],
])('that the bank refused a file can be entered: %s', (_, states, own, can) => {
  const lines = states.map((state) => ({ state, file: 'pesonet.csv' }) as RunLine)
  const other = { state: 'paid', file: 'another.csv' } as RunLine
  expect(canBeRefused({ lines: [...lines, other] }, { ...file(true), ...own })).toBe(can)
})

test('each payee of whom a transfer of a file failed is paid again once', () => {
  const of = (name: string, file: string, state: RunLine['state'] = 'failed') =>
    ({ ...line(name, 1), file, state }) as RunLine
  const lines = [
    of('Manila', 'a'),
    of('Manila', 'a'),
    of('Cebu', 'b'),
    of('Davao', 'a'),
    of('Baguio', 'a', 'paid'),
  ]
  expect(payeesOfFile({ lines }, 'a').map(({ name }) => name)).toEqual(['Manila', 'Davao'])
})

type Result = Pick<RunLine, 'state' | 'failureWaits'>

const result = (state: RunLine['state'], waits = false): Result => ({
  state,
  failureWaits: waits ? { by: 'ann', reason: 'Account closed' } : null,
})
const READ = 'Read the bank’s result file, mark single lines below, or mark all of them as paid.'

test.each<[string, Result[], number, string]>([
  ['one has none', [result('sent'), result('paid')], 1, `1 transfer has no result yet. ${READ}`],
  [
    'a failure that waits is not asked for',
    [result('sent'), result('sent'), result('sent', true), result('removed')],
    2,
    `2 transfers have no result yet. ${READ}`,
  ],
  [
    'a large run',
    Array.from({ length: 1_204 }, () => result('sent')),
    1_204,
    `1,204 transfers have no result yet. ${READ}`,
  ],
  [
    'only a failure waits',
    [result('sent', true), result('paid')],
    0,
    '1 failure waits for a second person. The bank’s result file decides before that.',
  ],
  [
    'failures wait',
    [result('sent', true), result('sent', true)],
    0,
    '2 failures wait for a second person. The bank’s result file decides before that.',
  ],
  [
    'all are known',
    [result('paid'), result('failed'), result('removed'), result('cancelled')],
    0,
    'Every transfer has a result. Reading a file again changes nothing. If money comes back, read the bank’s file, or mark the line below.',
  ],
])('the results of a run: %s', (_, lines, open, text) => {
  expect(lines.filter(isWithoutResult)).toHaveLength(open)
  expect(resultsText(lines)).toBe(text)
})

const file = (isTaken: boolean): RunFile => ({
  name: 'pesonet.csv',
  channel: 'PESONet',
  lines: 1,
  amount: 1,
  sha256: null,
  downloads: isTaken ? [{ id: 1, at: '2026-11-21T03:00:00.000Z', by: 'ann' }] : [],
  stopped: null,
  executionDay: null,
  needsDay: false,
  redated: null,
  refused: null,
})

test.each([
  [[], ''],
  [[true, true], ''],
  [[false], 'The file has not been downloaded yet'],
  [[true, false, true], '1 of 3 files has not been downloaded yet'],
  [[false, false, true], '2 of 3 files have not been downloaded yet'],
])('of files of which are downloaded: %j', (taken, text) => {
  expect(notDownloaded(taken.map(file))).toBe(text)
})

test.each([
  [{ paid: 0, failed: 0, returned: 0 }, ''],
  [{ paid: 2, failed: 0, returned: 0 }, '2 paid, 0 failed'],
  [{ paid: 0, failed: 0, returned: 1 }, '0 paid, 0 failed, 1 came back'],
  [{ paid: 1_204, failed: 3, returned: 2 }, '1,204 paid, 3 failed, 2 came back'],
])('the results %j read: %s', (counts, text) => {
  expect(resultCounts(counts)).toBe(text)
})

test('what was reported paid and is refused is named by both statements while that is open', () => {
  const refusedOn = (on: string, isOpen = true) => ({
    paidOn: '2026-11-25',
    on,
    reason: 'DU01: the message is a duplicate',
    by: 'ann',
    at,
    message: { name: 'pain.002.001.10', id: null, sha256: '' },
    isOpen,
  })
  const lines = [
    { ...line('Manila', 1_00), state: 'paid', refused: refusedOn('2026-11-27') },
    { ...line('Cebu', 2_00), state: 'paid', refused: refusedOn('2026-11-27') },
    { ...line('Davao', 3_00), state: 'paid', refused: refusedOn('2026-11-30') },
    { ...line('Makati', 4_00), state: 'paid', refused: null },
    { ...line('Baguio', 5_00), state: 'returned', refused: refusedOn('2026-11-27', false) },
    { ...line('Iloilo', 6_00), state: 'paid', refused: refusedOn('2026-11-27', false) },
  ] as RunLine[]
  expect(contradictionTexts({ lines, currency: 'PHP' })).toEqual([
    '₱3.00 to Manila and Cebu: paid on Wed, 25 Nov 2026, and refused on Fri, 27 Nov 2026: “DU01: the message is a duplicate”',
    '₱3.00 to Davao: paid on Wed, 25 Nov 2026, and refused on Mon, 30 Nov 2026: “DU01: the message is a duplicate”',
  ])
})

test('a refusal of a file is said by the bank’s message, or by who entered it', () => {
  const said = { on: '2026-11-27', by: 'ann', reason: 'DU01', waits: false }
  expect(refusedText({ ...said, byMessage: true })).toBe(
    'The bank’s message refused this file on Fri, 27 Nov 2026: “DU01”. ann read it.',
  )
  expect(refusedText({ ...said, byMessage: false })).toBe(
    'ann entered that the bank refused this file on Fri, 27 Nov 2026: “DU01”.',
  )
})

test('only what is open can be settled, and nothing that somebody entered as come back', () => {
  const open = { isOpen: true } as RunLine['refused']
  const waits = { on: '2026-11-27', by: 'bob', reason: 'x' }
  const of = (own: Partial<RunLine>) =>
    canBeSettled({ ...line('Cebu', 1_00), refused: null, returnWaits: null, ...own } as RunLine)
  expect(of({ refused: open })).toBe(true)
  expect(of({ refused: open, returnWaits: waits })).toBe(false)
  expect(of({ refused: { isOpen: false } as RunLine['refused'] })).toBe(false)
  expect(of({})).toBe(false)
})

const at = '2026-11-21T03:00:00.000Z'
const step = (of: PaymentRun['steps'][number]['step'], reason: string | null = null) => ({
  step: of,
  at,
  by: 'bob',
  reason,
})

test.each<[PaymentRun['state'], PaymentRun['steps'], string[]]>([
  ['prepared', [], ['Prepared by ann: done', 'Approval: waiting']],
  [
    'approved',
    [step('approved')],
    ['Prepared by ann: done', 'Approved by bob: done', 'Files: waiting'],
  ],
  [
    'sent',
    [step('approved'), step('files taken')],
    [
      'Prepared by ann: done',
      'Approved by bob: done',
      'First file downloaded by bob: done',
      'Results: waiting',
    ],
  ],
  [
    'finished',
    [step('approved'), step('files taken'), step('finished')],
    [
      'Prepared by ann: done',
      'Approved by bob: done',
      'First file downloaded by bob: done',
      'Finished by bob: done',
    ],
  ],
  [
    'cancelled',
    [step('approved'), step('cancelled', 'Wrong rate')],
    ['Prepared by ann: done', 'Approved by bob: done', 'Cancelled by bob: Wrong rate: ignored'],
  ],
])('the steps of a run that is %s', (state, steps, texts) => {
  const items = stepsOf({ preparedAt: at, preparedBy: 'ann', steps, state })
  expect(
    items.map(({ title, tone, ...item }) =>
      'body' in item ? `${title} ${item.body}: ${tone}` : `${title}: ${tone}`,
    ),
  ).toEqual(texts)
})

const bank = { timeZone: 'Asia/Manila', today: '2026-11-25' }
const withDate = (executionDay: string | null) => [{ ...file(false), executionDay }]

test.each([
  ['2026-11-25', '2026-11-25', 'The bank carries them out on Wed, 25 Nov 2026.'],
  [
    '2026-11-24',
    '2026-11-24',
    'Their date, Tue, 24 Nov 2026, has passed in Asia/Manila: whoever downloads a file chooses a new one, and nothing else in it changes.',
  ],
  ['2026-11-25', null, 'The files have no date; you carry them out on Wed, 25 Nov 2026.'],
  [
    '2026-11-24',
    null,
    'The files have no date. The chosen day, Tue, 24 Nov 2026, has passed in Asia/Manila: payees read the day on which a file is downloaded.',
  ],
])(
  'what the approver reads about the date %s, of which the files have %s',
  (executionDay, carried, text) => {
    expect(executionText({ executionDay, bank, files: withDate(carried) })).toBe(text)
  },
)

test('a weekend is no banking day', () => {
  const days = ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30']
  expect(days.map(isWeekend)).toEqual([false, true, true, false])
  expect(dayText('2026-11-29')).toBe('Sun, 29 Nov 2026')
})

const payee = { kind: 'office' as const, id: 7, name: 'Makati' }
const parts = [50_000_00, 50_000_00, 806_00].map((amount, index) => ({
  payee,
  amount,
  part: index + 1,
}))

test('a payee of several transfers is named once', () => {
  expect(sumText(parts, 'PHP')).toBe('₱100,806.00 to Makati')
  expect(partText(parts[1]!, parts, 'PHP')).toBe('Transfer 2 of 3, of ₱100,806.00')
  expect(partText({ payee, part: null }, parts, 'PHP')).toBe('')
  expect(partsText({ parts: parts.map(({ amount }) => amount) }, 'PHP')).toBe(
    'In 3 transfers: ₱50,000.00, ₱50,000.00, ₱806.00',
  )
  expect(partsText({ parts: [1] }, 'PHP')).toBe('')
})
