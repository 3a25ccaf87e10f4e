import { expect, test } from 'vitest'
import { unclosedText } from './unclosed-text.ts'

test('closing a month names the pay periods that are not closed, and where they will be booked', () => {
  expect(unclosedText('2027-02', [])).toBeUndefined()
  expect(unclosedText('2027-02', ['2027-02-B'])).toBe(
    '2027-02-B isn’t closed: what it pays will be booked in Mar 2027, for good. Close it first, in Pay → Periods.',
  )
  expect(unclosedText('2026-12', ['2026-12-A', '2026-12-B'])).toBe(
    '2026-12-A and 2026-12-B aren’t closed: what they pay will be booked in Jan 2027, for good. Close them first, in Pay → Periods.',
  )
  const weeks = ['2027-W05', '2027-W06', '2027-W07', '2027-W08', '2027-W09']
  expect(unclosedText('2027-03', weeks)).toMatch(/^5 pay periods up to 2027-W09 aren’t closed: /)
})
