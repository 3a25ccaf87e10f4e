import { expect, test } from 'vitest'
import { differsMuch, isAboveLimit } from './pay-limits.ts'

const nothing = { limit: 10_000_00, added: 0, subtracted: 0 }

test('an adjustment waits only above the limit, in both directions', () => {
  expect(isAboveLimit(10_000_00, nothing)).toBe(false)
  expect(isAboveLimit(10_000_01, nothing)).toBe(true)
  expect(isAboveLimit(-10_000_00, nothing)).toBe(false)
  expect(isAboveLimit(-10_000_01, nothing)).toBe(true)
})

test('adjustments of one sign add up, and those of the other make no room for them', () => {
  const before = { limit: 10_000_00, added: 9_000_00, subtracted: 4_000_00 }
  expect(isAboveLimit(1_000_00, before)).toBe(false)
  expect(isAboveLimit(1_000_01, before)).toBe(true)
  expect(isAboveLimit(-6_000_00, before)).toBe(false)
  expect(isAboveLimit(-6_000_01, before)).toBe(true)
})

test('with a limit of nothing, every adjustment waits', () => {
  expect(isAboveLimit(1, { ...nothing, limit: 0 })).toBe(true)
  expect(isAboveLimit(-1, { ...nothing, limit: 0 })).toBe(true)
})

test('a rate waits if it differs by more than five percent, up or down', () => {
  // 58.00: five percent are 2.90.
  expect(differsMuch(609_000, 580_000)).toBe(false)
  expect(differsMuch(609_001, 580_000)).toBe(true)
  expect(differsMuch(551_000, 580_000)).toBe(false)
  expect(differsMuch(550_999, 580_000)).toBe(true)
})
