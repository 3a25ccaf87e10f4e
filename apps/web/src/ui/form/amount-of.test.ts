import { expect, test } from 'vitest'
import { amountOf } from './amount-of.ts'

test.each([
  ['25', 25],
  [' $1,250.5 ', 1250.5],
  ['₱ 1,000,000', 1_000_000],
  ['-0.07', -0.07],
])('%j is %d', (typed, amount) => {
  expect(amountOf(typed)).toBe(amount)
})

test.each(['', 'five', '1e3', '12,50', '1,25,000', ',250', '1.2.3', '0x10', 'Infinity'])(
  '%j is not an amount',
  (typed) => {
    expect(amountOf(typed)).toBeNaN()
  },
)
