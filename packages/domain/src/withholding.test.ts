import { expect, test } from 'vitest'
import { quarterOf, taxRateText, withheldOf } from './withholding.ts'

test.each([
  ['2026-01-01', '2026-Q1'],
  ['2026-03-31', '2026-Q1'],
  ['2026-04-01', '2026-Q2'],
  ['2026-09-30', '2026-Q3'],
  ['2026-10-01', '2026-Q4'],
  ['2026-12-31', '2026-Q4'],
])('%s is in %s', (day, quarter) => {
  expect(quarterOf(day)).toBe(quarter)
})

test.each([
  // ₱26,180.00 × 10 %
  [26_180_00, 1000, 0, 2_618_00],
  // Half a centavo goes away from zero.
  [5, 1000, 0, 1],
  [4, 1000, 0, 0],
  [-5, 1000, 10, -1],
  [-4, 1000, 10, 0],
  // Given back is at most what was withheld before.
  [-500_00, 1000, 100_00, -50_00],
  [-500_00, 1000, 30_00, -30_00],
  [-500_00, 1000, 0, 0],
  [100, 0, 100, 0],
  // Beyond 2^53.
  [99_999_999_999_999, 5000, 0, 50_000_000_000_000],
])('of %i at %i basis points, with %i before, %i is withheld', (base, rateBp, before, withheld) => {
  expect(withheldOf(base, rateBp, before)).toBe(withheld)
})

test('a rate is read in percent', () => {
  expect([500, 1000, 1250, 1].map(taxRateText)).toEqual(['5 %', '10 %', '12.5 %', '0.01 %'])
})
