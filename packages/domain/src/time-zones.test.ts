import { expect, test } from 'vitest'
import { dayIn, isTimeZone } from './time-zones.ts'

const MANILA = 'Asia/Manila'

test.each([
  // In winter, New York is 13 hours behind Manila, in summer 12.
  ['2026-01-15T15:59:59Z', '2026-01-15', 'a second before midnight in Manila'],
  ['2026-01-15T16:00:00Z', '2026-01-16', 'midnight in Manila, 11:00 in New York'],
  ['2026-01-16T04:59:59Z', '2026-01-16', 'a second before midnight in New York'],
  ['2026-01-16T05:00:00Z', '2026-01-16', 'midnight in New York'],
  ['2026-07-15T15:59:59Z', '2026-07-15', 'in summer, a second before midnight in Manila'],
  ['2026-07-15T16:00:00Z', '2026-07-16', 'in summer, midnight in Manila'],
  ['2026-07-16T04:00:00Z', '2026-07-16', 'in summer, midnight in New York'],
])('at %s the day in Manila is %s: %s', (instant, day) => {
  expect(dayIn(MANILA, new Date(instant))).toBe(day)
})

test('in New York, the clocks of summer and winter decide', () => {
  const dayAt = (instant: string) => dayIn('America/New_York', new Date(instant))
  expect(dayAt('2026-07-16T03:59:59Z')).toBe('2026-07-15')
  expect(dayAt('2026-07-16T04:00:00Z')).toBe('2026-07-16')
  expect(dayAt('2026-01-16T04:00:00Z')).toBe('2026-01-15')
  expect(dayAt('2026-01-16T05:00:00Z')).toBe('2026-01-16')
})

test.each([MANILA, 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+8'])(
  '%s is a time zone',
  (text) => expect(isTimeZone(text)).toBe(true),
)

test.each([
  '',
  'Manila',
  'asia/manila',
  'Asia/MANILA',
  '+08:00',
  'EST',
  'PST8PDT',
  'Asia/Nowhere',
  'Asia/Manila ',
])('“%s” is no time zone', (text) => expect(isTimeZone(text)).toBe(false))
