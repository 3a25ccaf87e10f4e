import type { ResultColumns } from '@tallyroom/contract/pay/files'
import { expect, test } from 'vitest'
import {
  choicesOf,
  countsText,
  isWhole,
  linesText,
  NO_COLUMNS,
  problemTexts,
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

test('the first lines are shown as they are, empty fields included', () => {
  const rows = [
    ['Ref', 'Amount', 'Status'],
    ['R-1-1', '₱0.01', ''],
  ]
  expect(linesText(rows)).toBe('Ref  |  Amount  |  Status\nR-1-1  |  ₱0.01  |  ')
})

test.each([
  [{ paid: 3, failed: 1, known: 0 }, '3 paid, 1 failed.'],
  [{ paid: 0, failed: 0, known: 0 }, '0 paid, 0 failed.'],
  [{ paid: 9_000, failed: 0, known: 1_000 }, '9,000 paid, 0 failed, 1,000 already known.'],
  [{ paid: 3, failed: 1, known: 4 }, '3 paid, 1 failed, 4 already known.'],
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
