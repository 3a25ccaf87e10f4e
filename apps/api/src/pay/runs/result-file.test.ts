import type { PayFileLayout } from '@tallyroom/contract/pay/files'
import { expect, test } from 'vitest'
import { readResults, readTable } from './result-file.ts'

const columns = {
  reference: 'Ref',
  status: 'Status',
  amount: 'Amount',
  reason: null,
  bankReference: null,
  paid: ['paid'],
  failed: ['failed'],
}

const layoutOf = (decimals: PayFileLayout['decimals']) =>
  ({ separator: 'semicolon', encoding: 'utf-8', decimals }) as PayFileLayout

function read(row: string, decimals: PayFileLayout['decimals']) {
  const layout = layoutOf(decimals)
  return readResults(readTable(Buffer.from(`Ref;Amount;Status\n${row}\n`), layout), columns, layout)
}

test.each([
  ['point', '1,234.50', 1_234_50],
  ['point', '1234.5', 1_234_50],
  ['point', '12,345,678', 12_345_678_00],
  ['comma', '1.234,50', 1_234_50],
  ['comma', '150', 150_00],
  ['none', '15000', 15_000],
] as const)('with %s, %s is %d centavos', (decimals, amount, centavos) => {
  expect(read(`R-1;${amount};paid`, decimals).results).toMatchObject([{ amount: centavos }])
})

test.each([
  ['point', '1,50'],
  ['point', '1.234,50'],
  ['point', '1,2345'],
  ['point', '12,34,567'],
  ['comma', '1.50'],
  ['comma', '1,234.50'],
  ['none', '150.00'],
] as const)('with %s, %s is not an amount', (decimals, amount) => {
  expect(read(`R-1;${amount};paid`, decimals)).toEqual({
    results: [],
    problems: [{ line: 2, problem: `“${amount}” is not an amount` }],
  })
})

test('a line with more fields than the headings is refused, unless they are empty', () => {
  expect(read('R-1;150.00;paid;failed', 'point').problems).toEqual([
    { line: 2, problem: 'has more fields than the headings' },
  ])
  expect(read('R-1;150.00;paid;;', 'point').problems).toEqual([])
})
