import { expect, test } from 'vitest'
import { loginOpenUntil } from './set-agent-status.ts'

test.each([
  ['in the afternoon: tonight', '2026-03-01T20:00:00Z', '2026-03-02T06:00:00Z'],
  ['after midnight: in a moment', '2026-03-02T05:59:59.999Z', '2026-03-02T06:00:00Z'],
  ['at 01:00: tomorrow', '2026-03-02T06:00:00Z', '2026-03-03T06:00:00Z'],
  ['before the clocks go forward', '2026-03-07T20:00:00Z', '2026-03-08T06:00:00Z'],
  ['on the day they go forward', '2026-03-08T12:00:00Z', '2026-03-09T05:00:00Z'],
  ['on the day they go back, at the first 01:00', '2026-11-01T05:00:00Z', '2026-11-02T06:00:00Z'],
  ['before the first 01:00 of that day', '2026-11-01T04:30:00Z', '2026-11-01T05:00:00Z'],
])('%s', (_, now, until) => {
  expect(loginOpenUntil(new Date(now))).toEqual(new Date(until))
})
