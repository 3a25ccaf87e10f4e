import { expect, test } from 'vitest'
import { headText, paidText, sumsText } from './BackdatingChanges.tsx'

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

const sums = { sales: 60, byTier: 60, payout: 300, paid: 0 }

test('where tiers pay, the preview says first that nobody’s pay changes', () => {
  expect(headText(sums)).toBe('Nobody’s pay changes: all 60 are paid by tier. By rates +₱300.00')
  expect(headText({ ...sums, sales: 1, byTier: 1, payout: -5, earning: 2 })).toBe(
    'Nobody’s pay changes: the sale is paid by tier. By rates -₱5.00 · earning +$2.00',
  )
  expect(headText({ ...sums, byTier: 36, paid: 120 })).toBe(
    '60 sales · pay +₱120.00, as 36 are paid by tier · by rates +₱300.00',
  )
  expect(headText({ ...sums, byTier: 0, paid: 300 })).toBe('60 sales · payout +₱300.00')
})

test('whose sales tiers pay has ₱0.00 in it', () => {
  expect(paidText({ sales: 9, byTier: 9, payout: 45, paid: 0 })).toBe(
    '9 sales · ₱0.00, paid by tier · by rates +₱45.00',
  )
})
