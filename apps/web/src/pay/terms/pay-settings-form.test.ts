import { expect, test } from 'vitest'
import { leftOutText } from './pay-settings-form.ts'

test.each([
  [{ sales: 0, payout: 0 }, false, undefined],
  [
    { sales: 1, payout: 250 },
    false,
    '1 sale since 16 Nov, ₱250.00 by rates, was recorded before now and will not be paid here.',
  ],
  [
    { sales: 1_204, payout: -5 },
    true,
    '1,204 sales since 16 Nov, -₱5.00 by rates, were recorded before pay was switched on and are not paid here.',
  ],
])('what a first day leaves out: %j, pay on: %s', (leftOut, isOn, text) => {
  expect(leftOutText(leftOut, { firstDay: '2026-11-16', isOn })).toBe(text)
})
