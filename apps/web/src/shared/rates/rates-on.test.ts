import { expect, test } from 'vitest'
import { ratesOn } from './rates-on.ts'

const rates = [
  { state: 'prepared', validFrom: '2026-03-20T04:00:00.000Z' },
  { state: 'withdrawn', validFrom: '2026-03-15T04:00:00.000Z' },
  { state: 'prepared', validFrom: '2026-03-10T04:00:00.000Z' },
  { state: 'in force', validFrom: '2026-03-04T17:00:00.000Z' },
  { state: 'over', validFrom: null },
] as const

test.each([
  ['2026-03-04', 4], // the change at noon has not begun at midnight
  ['2026-03-05', 3],
  ['2026-03-10', 2],
  ['2026-03-16', 2],
  ['2026-03-20', 0],
])('on %s, what is left empty stays as row %i has it', (day, row) => {
  expect(ratesOn(rates, day)).toBe(rates[row])
})

test('before its first rates, an office has none', () => {
  expect(ratesOn(rates.slice(0, 4), '2026-03-04')).toBeUndefined()
  expect(ratesOn(undefined, '2026-03-04')).toBeUndefined()
})
