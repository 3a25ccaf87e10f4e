import { expect, test } from 'vitest'
import { lossCents } from './margin.ts'

test.each([
  ['₱480.00 is $8.24, and earns $8.00', 8_00, 480_00, 24],
  ['to the cent, it loses nothing', 8_24, 480_00, undefined],
  ['a cent below', 8_23, 480_00, 1],
  ['it earns more', 20_00, 480_00, undefined],
  ['it earns nothing and pays', 0, 1_00, 2],
  ['neither earns nor pays', 0, 0, undefined],
])('at ₱58.25 for a dollar: %s', (_, earningCents, payoutCentavos, expected) => {
  expect(lossCents({ earningCents, payoutCentavos }, 58_2500)).toBe(expected)
})

test('without an exchange rate, there is no answer', () => {
  expect(lossCents({ earningCents: 0, payoutCentavos: 480_00 }, undefined)).toBeUndefined()
})
