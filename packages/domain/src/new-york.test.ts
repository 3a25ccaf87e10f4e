import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  atNewYork,
  dayOf,
  daysBetween,
  endOfDayExclusive,
  formatClock,
  formatDateTime,
  isDay,
  lastDayOfMonth,
  monthOf,
  NEW_YORK,
  startOfDay,
  todayNewYork,
  weekdayOf,
  zoneAbbreviation,
} from './new-york.ts'

const HOUR_MS = 3_600_000

const anyInstant = fc.integer({
  min: Date.parse('1950-01-01T12:00:00Z'),
  max: Date.parse('2099-12-31T12:00:00Z'),
})
const anyDay = anyInstant.map((ms) => new Date(ms).toISOString().slice(0, 10))

describe('the day of an instant', () => {
  test.each([
    ['last moment of a winter day', '2025-01-16T04:59:59.999Z', '2025-01-15'],
    ['first moment of a winter day', '2025-01-16T05:00:00.000Z', '2025-01-16'],
    ['last moment of a summer day', '2025-07-16T03:59:59.999Z', '2025-07-15'],
    ['first moment of a summer day', '2025-07-16T04:00:00.000Z', '2025-07-16'],
    ['first moment of the day the clocks go forward', '2025-03-09T05:00:00Z', '2025-03-09'],
    ['last moment of that day', '2025-03-10T03:59:59.999Z', '2025-03-09'],
    ['first moment of the day the clocks go back', '2025-11-02T04:00:00Z', '2025-11-02'],
    ['last moment of that day', '2025-11-03T04:59:59.999Z', '2025-11-02'],
    ['new year', '2026-01-01T04:59:59.999Z', '2025-12-31'],
    ['leap day', '2024-03-01T04:59:59.999Z', '2024-02-29'],
    ['before 1970', '1969-07-21T02:56:00Z', '1969-07-20'],
  ])('%s', (_, instant, day) => {
    expect(dayOf(new Date(instant))).toBe(day)
    expect(dayOf(Date.parse(instant))).toBe(day)
    expect(todayNewYork(new Date(instant))).toBe(day)
  })

  test('agrees with the zone database at any instant, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyInstant), (instants) => {
        expect(instants.map(dayOf)).toEqual(
          instants.map((ms) =>
            Temporal.Instant.fromEpochMilliseconds(ms)
              .toZonedDateTimeISO(NEW_YORK)
              .toPlainDate()
              .toString(),
          ),
        )
      }),
    )
  })

  test('knows each clock change to the millisecond', () => {
    let change = Temporal.Instant.from('1950-01-01T00:00Z').toZonedDateTimeISO(NEW_YORK)
    for (let count = 0; count < 300; count++) {
      change = change.getTimeZoneTransition('next') ?? change
      const before = change.subtract({ milliseconds: 1 })
      expect([before, change].map((at) => zoneAbbreviation(at.epochMilliseconds))).toEqual(
        [before, change].map((at) => (at.offset === '-04:00' ? 'EDT' : 'EST')),
      )
    }
  })

  test('of something that is not an instant is an error', () => {
    expect(() => dayOf(Number.NaN)).toThrow(RangeError)
    expect(() => dayOf(new Date('nonsense'))).toThrow(RangeError)
    expect(() => dayOf(8.64e15)).toThrow(RangeError)
    expect(dayOf(Date.parse('2025-01-16T05:00:00Z'))).toBe('2025-01-16')
  })
})

describe('the bounds of a day', () => {
  test.each([
    ['2025-01-15', '2025-01-15T05:00:00.000Z', 24],
    ['2025-03-08', '2025-03-08T05:00:00.000Z', 24],
    ['2025-03-09', '2025-03-09T05:00:00.000Z', 23],
    ['2025-03-10', '2025-03-10T04:00:00.000Z', 24],
    ['2025-07-15', '2025-07-15T04:00:00.000Z', 24],
    ['2025-11-01', '2025-11-01T04:00:00.000Z', 24],
    ['2025-11-02', '2025-11-02T04:00:00.000Z', 25],
    ['2025-11-03', '2025-11-03T05:00:00.000Z', 24],
  ])('%s starts at %s and lasts %i hours', (day, start, hours) => {
    expect(startOfDay(day).toISOString()).toBe(start)
    expect(Number(endOfDayExclusive(day)) - Number(startOfDay(day))).toBe(hours * HOUR_MS)
  })

  test('contain exactly the instants of the day', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(dayOf(startOfDay(day))).toBe(day)
        expect(dayOf(Number(startOfDay(day)) - 1)).toBe(addDays(day, -1))
        expect(dayOf(Number(endOfDayExclusive(day)) - 1)).toBe(day)
      }),
    )
  })
})

describe('a wall-clock time', () => {
  test.each([
    ['2025-07-15', '14:05', '2025-07-15T18:05:00.000Z'],
    ['2025-03-09', '01:59', '2025-03-09T06:59:00.000Z'],
    ['2025-03-09', '02:30', '2025-03-09T07:30:00.000Z'],
    ['2025-03-09', '03:00', '2025-03-09T07:00:00.000Z'],
    ['2025-11-02', '01:30', '2025-11-02T05:30:00.000Z'],
    ['2025-11-02', '02:00', '2025-11-02T07:00:00.000Z'],
  ])('%s %s is %s', (day, time, instant) => {
    expect(atNewYork(day, time).toISOString()).toBe(instant)
  })

  test('that is invalid is an error', () => {
    expect(() => atNewYork('2025-02-30', '00:00')).toThrow(RangeError)
    expect(() => atNewYork('2025-02-03', 'noon').toISOString()).toThrow(RangeError)
  })

  test('agrees with the zone database', () => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 })
    fc.assert(
      fc.property(anyDay, minutes, (day, minute) => {
        const time = new Date(minute * 60_000).toISOString().slice(11, 16)
        expect(Number(atNewYork(day, time))).toBe(
          Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(NEW_YORK).epochMilliseconds,
        )
      }),
    )
  })
})

test.each([
  ['2025-01-31', true],
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2025-02-30', false],
  ['2025-04-31', false],
  ['2025-13-01', false],
  ['2025-00-10', false],
  ['2025-01-00', false],
  ['0000-01-01', false],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['2025-1-1', false],
  ['20250101', false],
  ['2025-01-01T00:00:00Z', false],
  [' 2025-01-01', false],
  ['2025-01-01\n', false],
  ['', false],
  [20250101, false],
  [undefined, false],
])('%j is a day: %s', (text, answer) => {
  expect(isDay(text)).toBe(answer)
})

describe('counting days and months', () => {
  test.each([
    ['2025-03-08', 2, '2025-03-10'],
    ['2025-03-01', -1, '2025-02-28'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-12-31', 1, '2026-01-01'],
  ])('%s and %i days is %s', (day, count, other) => {
    expect(addDays(day, count)).toBe(other)
    expect(daysBetween(day, other)).toBe(count)
  })

  test.each([
    ['2025-01-31', 1, '2025-02-01'],
    ['2025-12-15', 1, '2026-01-01'],
    ['2025-01-01', -1, '2024-12-01'],
    ['2025-03-31', -12, '2024-03-01'],
  ])('%s and %i months is %s', (day, count, month) => {
    expect(addMonths(day, count)).toBe(month)
  })

  test.each([
    ['2024-02-10', '2024-02-01', '2024-02-29'],
    ['2025-02-28', '2025-02-01', '2025-02-28'],
    ['2025-12-31', '2025-12-01', '2025-12-31'],
    ['0099-04-03', '0099-04-01', '0099-04-30'],
  ])('the month of %s is %s to %s', (day, first, last) => {
    expect(monthOf(day)).toBe(first)
    expect(lastDayOfMonth(day)).toBe(last)
  })

  test.each([
    ['2025-03-10', 1],
    ['2025-03-16', 7],
    ['1969-12-28', 7],
    ['1970-01-01', 4],
  ])('%s is day %i of its week', (day, weekday) => {
    expect(weekdayOf(day)).toBe(weekday)
  })

  test('adding days and subtracting them cancel out', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -5000, max: 5000 }), (day, count) => {
        expect(addDays(addDays(day, count), -count)).toBe(day)
        expect(daysBetween(day, addDays(day, count))).toBe(count)
      }),
    )
  })

  test('beyond the calendar is an error', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError)
    expect(() => monthOf('2025-02-31')).toThrow(RangeError)
  })
})

test.each([
  ['2025-03-09T06:59:59.999Z', 'EST', '2025-03-09 (01:59)', '2025-03-09 01:59:59 EST'],
  ['2025-03-09T07:00:00.000Z', 'EDT', '2025-03-09 (03:00)', '2025-03-09 03:00:00 EDT'],
  ['2025-11-02T05:59:59.999Z', 'EDT', '2025-11-02 (01:59)', '2025-11-02 01:59:59 EDT'],
  ['2025-11-02T06:00:00.000Z', 'EST', '2025-11-02 (01:00)', '2025-11-02 01:00:00 EST'],
  ['2026-01-01T04:59:07.000Z', 'EST', '2025-12-31 (23:59)', '2025-12-31 23:59:07 EST'],
])('%s is written in New York time (%s)', (instant, abbreviation, dateTime, clock) => {
  expect(zoneAbbreviation(new Date(instant))).toBe(abbreviation)
  expect(formatDateTime(new Date(instant))).toBe(dateTime)
  expect(formatClock(Date.parse(instant))).toBe(clock)
})
