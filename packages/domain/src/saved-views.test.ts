import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { addDays } from './new-york.ts'
import {
  lastMailTime,
  MAIL_SCHEDULES,
  type MailSchedule,
  nextMailTime,
  periodLabel,
  relativeDays,
  relativePeriodsOf,
  withDays,
} from './saved-views.ts'

const MINUTE = 60_000
const clockOf = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Every due time of 2026, found by checking a New York clock every half hour. */
const naiveTimes = (schedule: MailSchedule): number[] => {
  const times: number[] = []
  for (
    let at = Date.parse('2025-12-01T00:00Z');
    at < Date.parse('2027-02-01T00:00Z');
    at += 30 * MINUTE
  ) {
    const part = Object.fromEntries(
      clockOf.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    if (part['hour'] !== '07' || part['minute'] !== '00') continue
    const isDue =
      schedule === 'daily' ||
      (schedule === 'mondays'
        ? part['weekday'] === 'Mon'
        : ['01', '16'].includes(part['day'] ?? ''))
    if (isDue) times.push(at)
  }
  return times
}

const naive = Object.fromEntries(MAIL_SCHEDULES.map((one) => [one, naiveTimes(one)]))

property.prop([
  fc.constantFrom(...MAIL_SCHEDULES),
  fc.integer({ min: Date.parse('2026-01-01T00:00Z'), max: Date.parse('2026-12-31T23:59Z') }),
])('due times match a New York clock, all year round', (schedule, at) => {
  const times = naive[schedule] ?? []
  expect(nextMailTime(schedule, at).getTime()).toBe(times.find((time) => time > at))
  expect(lastMailTime(schedule, at).getTime()).toBe(times.findLast((time) => time <= at))
})

test('mails stay at seven in the morning when the clocks change', () => {
  const daily = (after: string) => nextMailTime('daily', new Date(after)).toISOString()
  expect(daily('2026-03-07T12:00:00Z')).toBe('2026-03-08T11:00:00.000Z')
  expect(daily('2026-10-31T11:00:00Z')).toBe('2026-11-01T12:00:00.000Z')
  expect(nextMailTime('half-months', new Date('2026-10-16T11:00:00Z')).toISOString()).toBe(
    '2026-11-01T12:00:00.000Z',
  )
})

test('moving periods are relative to the day on which they are read', () => {
  expect(relativeDays('week', '2026-11-22')).toEqual({ start: '2026-11-16', end: '2026-11-22' })
  expect(relativeDays('week', '2026-11-23')).toEqual({ start: '2026-11-23', end: '2026-11-29' })
  expect(relativeDays('half-month-1', '2026-03-01')).toEqual({
    start: '2026-02-16',
    end: '2026-02-28',
  })
  expect(relativeDays('day-1', '2026-01-01')).toEqual({ start: '2025-12-31', end: '2025-12-31' })
})

test.each([undefined, '', 'weeks', 'week-0', 'week-53', 'week-', 'toString', 'constructor-1', 7])(
  '%j is not a period',
  (days) => {
    expect(relativeDays(days, '2026-11-22')).toBeUndefined()
    expect(periodLabel(days)).toBe('')
  },
)

test('only named periods in a URL become days', () => {
  const search = { days1: 'half-month', days2: 'half-month-1', days: 'nonsense', page: 2 }
  expect(withDays(search, '2026-11-22')).toEqual({
    start1: '2026-11-16',
    end1: '2026-11-30',
    start2: '2026-11-01',
    end2: '2026-11-15',
    days: 'nonsense',
    page: 2,
  })
})

property.prop([
  fc.integer({ min: 0, max: 4000 }),
  fc.constantFrom('day', 'week', 'half-month', 'month', 'year'),
  fc.integer({ min: 0, max: 52 }),
])('a named period’s days are offered under its name', (offset, name, back) => {
  const today = addDays('2020-01-01', offset)
  const days = back === 0 ? name : `${name}-${back}`
  const range = relativeDays(days, today)!
  const offered = relativePeriodsOf(range, today).map((period) => period.days)
  if (name === 'day' && back > 1) expect(offered).not.toContain(days)
  else expect(offered).toContain(days)
})

test('periods have the names that date fields show', () => {
  expect(
    ['day', 'day-1', 'week', 'week-1', 'week-3', 'half-month-1', 'month'].map(periodLabel),
  ).toEqual([
    'Today',
    'Yesterday',
    'This week',
    'Last week',
    '3 weeks back',
    'Last half-month',
    'This month',
  ])
})
