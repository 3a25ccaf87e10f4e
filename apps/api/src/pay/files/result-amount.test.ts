import { expect, test } from 'vitest'
import { amountsIn } from './result-amount.ts'

const pesos = { currency: 'PHP', isMinor: false } as const

test.each([
  '87017.15',
  '87,017.15',
  '₱87,017.15',
  '₱ 87,017.15',
  'PHP 87,017.15',
  'PHP87,017.15',
  'Php 87,017.15',
  '87,017.15 PHP',
  'P87,017.15',
  '87.017,15',
  '87 017.15',
  '87\u00a0017.15',
  '87\u202f017,15',
  '87\u2009017.15',
  "87'017.15",
  '87’017.15',
  '+87,017.15',
  '87,017.1500',
  '87017,150',
  '87,017.15 CR',
  ' 87,017.15 ',
  '87,017.15 '.normalize('NFKD'),
  '８７０１７.１５',
])('%j is ₱87,017.15', (written) => {
  expect(amountsIn(written, pesos)).toEqual([87_017_15])
})

test.each([
  '(87,017.15)',
  '-87,017.15',
  '87,017.15-',
  '−₱87,017.15',
  '₱(87,017.15)',
  '87,017.15 DR',
])('%j is −₱87,017.15', (written) => {
  expect(amountsIn(written, pesos)).toEqual([-87_017_15])
})

test.each<[string, number[]]>([
  ['51685', [51_685_00]],
  ['12,345,678', [12_345_678_00]],
  ['1.234.567,5', [1_234_567_50]],
  ['150', [150_00]],
  ['0.05', [5]],
  ['.5', [50]],
  ['0', [0]],
  // A point or comma before three digits may be either; the line decides.
  ['2.000', [2_000_00, 2_00]],
  ['2,000', [2_000_00, 2_00]],
  ['87.017', [87_017_00]],
  ['1.500', [1_500_00, 1_50]],
  ['1,50', [1_50]],
])('%j can be %j centavos', (written, centavos) => {
  expect(amountsIn(written, pesos)).toEqual(centavos)
})

test.each([
  '',
  'two',
  '12,34,567',
  '1,2345',
  '1.234.56',
  '1,234.567',
  '87,017.15.',
  '87 01715',
  '1e3',
  '0x10',
  '$87,017.15',
  'USD 87,017.15',
  '87,017.15 / 2',
  '=87017.15',
  '9999999999999999.00',
  '12-50',
  '12:50',
])('%j is no amount in pesos', (written) => {
  expect(amountsIn(written, pesos)).toEqual([])
})

test.each([
  ['$1,234.50', [1_234_50]],
  ['US$ 1,234.50', [1_234_50]],
  ['1,234.50 USD', [1_234_50]],
  ['₱1,234.50', []],
  ['PHP 1,234.50', []],
])('%j in a run in dollars', (written, cents) => {
  expect(amountsIn(written, { currency: 'USD', isMinor: false })).toEqual(cents)
})

test('where amounts are centavos, only digits are', () => {
  expect(amountsIn('8701715', { ...pesos, isMinor: true })).toEqual([87_017_15])
  expect(amountsIn('000008701715', { ...pesos, isMinor: true })).toEqual([87_017_15])
  expect(amountsIn('87,017.15', { ...pesos, isMinor: true })).toEqual([87_017_15])
})
