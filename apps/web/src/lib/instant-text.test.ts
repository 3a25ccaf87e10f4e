import { expect, test } from 'vitest'
import { agoText, ownTimeText, recentText } from './instant-text.ts'

const at = Date.parse('2026-11-22T01:10:07Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [0, 'just now'],
  [MINUTE - 1, 'just now'],
  [MINUTE, '1 min ago'],
  [59 * MINUTE, '59 min ago'],
  [HOUR, '1 h ago'],
  [DAY - 1, '23 h ago'],
  [DAY, '1 day ago'],
  [29 * DAY, '29 days ago'],
  [60 * DAY, '2 months ago'],
  [365 * DAY, '1 year ago'],
  [-3 * MINUTE, 'in 3 min'],
])('%d ms later, it was %s', (later, text) => {
  expect(agoText(at, at + later)).toBe(text)
})

test('what is a week old has its New York day instead', () => {
  expect(recentText(at, at + 7 * DAY - 1)).toBe('6 days ago')
  expect(recentText(at, at + 7 * DAY)).toBe('2026-11-21')
})

test("a reader's own time says whose zone it is in, across midnight and clock changes", () => {
  const now = at + 3 * MINUTE
  expect(ownTimeText(at, now, 'Asia/Manila')).toBe(
    'Your time (Asia/Manila): 2026-11-22 09:10:07 · 3 min ago',
  )
  expect(ownTimeText(at, now, 'America/New_York')).toBe(
    'New York time: 2026-11-21 20:10:07 · 3 min ago',
  )
  const afterChange = Date.parse('2026-11-01T06:30:00Z')
  expect(ownTimeText(afterChange, afterChange, 'America/New_York')).toBe(
    'New York time: 2026-11-01 01:30:00 · just now',
  )
})
