import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import { expect, test } from 'vitest'
import {
  choicesOf,
  countsText,
  formatText,
  guessText,
  isWhole,
  linesText,
  NO_COLUMNS,
  othersText,
  pendingTexts,
  problemTexts,
  returnedTexts,
  wordsIn,
} from './result-file-words.ts'

const mapped: ResultColumns = {
  ...NO_COLUMNS,
  reference: 'Ref',
  status: 'Status',
  paid: ['OK'],
  failed: ['Returned'],
}

test.each<[string, Partial<ResultColumns>, boolean]>([
  ['what is needed', {}, true],
  ['all columns', { amount: 'Amount', reason: 'Why', bankReference: 'Trace' }, true],
  ['no reference', { reference: '' }, false],
  ['no status', { status: '' }, false],
  ['nothing means paid', { paid: [] }, false],
  ['nothing means failed', { failed: [] }, false],
])('a file can be read with: %s', (_, own, is) => {
  expect(isWhole({ ...mapped, ...own })).toBe(is)
})

test('nothing is mapped before the first file', () => {
  expect(isWhole(NO_COLUMNS)).toBe(false)
})

test.each([
  [
    ['Ref', 'Status'],
    ['Ref', 'Status'],
  ],
  [
    ['Ref', '', 'Status', ''],
    ['Ref', 'Status'],
  ],
  [
    ['Ref', 'Date', 'Date'],
    ['Ref', 'Date'],
  ],
  [[], []],
])('of the headings %j these can be chosen: %j', (headings, choices) => {
  expect(choicesOf(headings)).toEqual(choices)
})

test.each([
  ['', []],
  [' , ,', []],
  ['OK', ['OK']],
  [' OK,Credited , Paid in full', ['OK', 'Credited', 'Paid in full']],
])('%j typed are the words %j', (typed, words) => {
  expect(wordsIn(typed)).toEqual(words)
})

const cameBack = { reference: 'P1R2N2', payee: 'Cebu', amount: 51_685_00, on: null }

test('what came back and what is under way is named', () => {
  expect(returnedTexts([cameBack, { ...cameBack, on: '2026-11-25' }], 'PHP')).toEqual([
    'P1R2N2 to Cebu, ₱51,685.00',
    'P1R2N2 to Cebu, ₱51,685.00, on Wed, 25 Nov 2026',
  ])
  expect(
    pendingTexts([{ line: 3, reference: 'P1R2N4', payee: 'Makati', status: 'Unclaimed' }]),
  ).toEqual(['P1R2N4 to Makati is still under way: Unclaimed'])
})

test.each([
  [{ lines: 0, amount: 0, ofRuns: [] }, undefined],
  [
    { lines: 1, amount: 0, ofRuns: [] },
    '1 line without a reference of this run: totals, or other transactions. It is left out.',
  ],
  [
    { lines: 1_204, amount: 250_238_15, ofRuns: [{ number: 'R-2026-0001', lines: 1 }] },
    '1,204 lines without a reference of this run, ₱250,238.15: totals, or other transactions. They are left out. 1 line is of R-2026-0001: read the file there as well.',
  ],
])('what is not of the run in %j is said: %s', (others, said) => {
  expect(othersText(others, 'PHP')).toBe(said)
})

test.each([
  [
    { kind: 'text', encoding: 'Windows-1252', separator: 'semicolon' } as const,
    4,
    'Windows-1252 text separated by semicolons, headings on line 4.',
  ],
  [
    { kind: 'xlsx', sheet: 'Results' } as const,
    1,
    'Excel workbook, sheet “Results”, headings on line 1.',
  ],
])('a file that was recognised as %j', (format, headingsLine, said) => {
  expect(formatText({ format, headingsLine })).toBe(said)
})

test('the first lines are shown as they are, empty fields included', () => {
  const rows = [
    ['Ref', 'Amount', 'Status'],
    ['R-1-1', '₱0.01', ''],
  ]
  expect(linesText(rows)).toBe('Ref  |  Amount  |  Status\nR-1-1  |  ₱0.01  |  ')
})

test.each([
  [{ paid: 3, failed: 1, returned: [], contradicted: 0, known: 0 }, '3 paid, 1 failed.'],
  [{ paid: 0, failed: 0, returned: [], contradicted: 0, known: 0 }, '0 paid, 0 failed.'],
  [
    { paid: 9_000, failed: 0, returned: [], contradicted: 0, known: 1_000 },
    '9,000 paid, 0 failed, 1,000 already known.',
  ],
  [
    { paid: 3, failed: 1, returned: [cameBack], contradicted: 2, known: 4 },
    '3 paid, 1 failed, 1 came back, 2 paid and refused, 4 already known.',
  ],
])('importing %j would do: %s', (counts, text) => {
  expect(countsText(counts)).toBe(text)
})

const problemsOn = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ line: at + 2, problem: '“x” is not an amount' }))

test('the first 20 problems are listed, and the others counted', () => {
  expect(problemTexts(problemsOn(2))).toEqual([
    'Line 2: “x” is not an amount',
    'Line 3: “x” is not an amount',
  ])
  expect(problemTexts(problemsOn(20)).at(-1)).toBe('Line 21: “x” is not an amount')
  expect(problemTexts(problemsOn(21)).slice(-2)).toEqual([
    'Line 21: “x” is not an amount',
    'and 1 more',
  ])
})

test.each([
  [1, 'the file is empty', 'Line 1: the file is empty'],
  [3, 'is not UTF-8 text', 'Line 3: is not UTF-8 text'],
])('a problem with line %d: %s', (line, problem, text) => {
  expect(problemTexts([{ line, problem }])).toEqual([text])
})

test.each([
  [
    { kind: 'message', name: 'pain.002.001.10', account: null } as const,
    'Answer of the bank to a file, pain.002.001.10.',
  ],
  [
    { kind: 'message', name: 'camt.053.001.02', account: '••0815' } as const,
    'Statement of ••0815, camt.053.001.02.',
  ],
])('a message is named: %j', (format, text) => {
  expect(formatText({ format, headingsLine: 1 })).toBe(text)
})

test('a message has entries, and lines of others in it are entries', () => {
  expect(problemTexts([{ line: 3, problem: 'it is a credit' }], 'entry')).toEqual([
    'Entry 3: it is a credit',
  ])
  expect(othersText({ lines: 2, amount: 0, ofRuns: [] }, 'PHP', 'entry')).toBe(
    '2 entries without a reference of this run: totals, or other transactions. They are left out.',
  )
  expect(othersText({ lines: 1, amount: 0, ofRuns: [] }, 'PHP', 'entry')).toContain('1 entry ')
})

test('what is guessed says by what, and of whom', () => {
  const transfers = ['P1R2N1', 'P1R2N2', 'P1R2N3', 'P1R2N4'].map((reference) => ({
    reference,
    payee: 'Cebu',
  }))
  const guess = { entry: 7, amount: 300_00, paid: true, on: '2026-11-25' }
  expect(guessText({ ...guess, by: 'account', transfers: transfers.slice(0, 1) }, 'PHP')).toBe(
    'Entry 7: ₱300.00 paid on Wed, 25 Nov 2026, without a reference. Amount and account are those of P1R2N1 to Cebu.',
  )
  expect(guessText({ ...guess, paid: false, on: null, by: 'sum', transfers }, 'PHP')).toBe(
    'Entry 7: ₱300.00 came back in one sum, without references. It is as much as P1R2N1 to Cebu, P1R2N2 to Cebu, P1R2N3 to Cebu and 1 more.',
  )
})
