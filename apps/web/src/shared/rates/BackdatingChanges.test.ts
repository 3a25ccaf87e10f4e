import { expect, test } from 'vitest'
import { sumsText } from './BackdatingChanges.tsx'

test.each([
  [{ sales: 3, payout: 15 }, '3 sales · payout +₱15.00'],
  [{ sales: 1, payout: -0.01 }, '1 sale · payout -₱0.01'],
  [{ sales: 0, payout: 0 }, '0 sales · payout unchanged'],
  [{ sales: 1_204, payout: 0, earning: -12.5 }, '1,204 sales · payout unchanged · earning -$12.50'],
  [{ sales: 2, payout: 1, earning: 0 }, '2 sales · payout +₱1.00'],
  [{ sales: 2, payout: -1_000, earning: 0.01 }, '2 sales · payout -₱1,000.00 · earning +$0.01'],
])('what backdating would change, %j, reads: %s', (sums, text) => {
  expect(sumsText(sums)).toBe(text)
})
