const pick = (items) => items[Math.floor(Math.random() * items.length)]

const utc = (year, month, day) => new Date(Date.UTC(year, month - 1, day))

const sunday = (year, month, nth) => {
  const firstDay = utc(year, month, 1).getUTCDay()
  return utc(year, month, 1 + ((7 - firstDay) % 7) + 7 * (nth - 1))
}

/** Days on which something begins, ends or has an unusual length. */
const kinds = {
  'the first of a month': (year, month) => utc(year, month, 1),
  'the end of a first half-month': (year, month) => utc(year, month, 15),
  'the start of a second half-month': (year, month) => utc(year, month, 16),
  'the last day of a month': (year, month) => utc(year, month + 1, 0),
  'clocks go forward': (year) => sunday(year, 3, 2),
  'clocks go back': (year) => sunday(year, 11, 1),
  'a leap day': () => utc(2028, 2, 29),
  'New Year': (year) => utc(year, 1, 1),
  'a day like any other': (year, month) => utc(year, month, 1 + Math.floor(Math.random() * 28)),
}

/** An instant on such a day in New York, early enough that no test runs into the next day. */
export function drawDay() {
  const kind = pick(Object.keys(kinds))
  const day = kinds[kind](2026 + Math.floor(Math.random() * 6), 1 + Math.floor(Math.random() * 12))
  // From seven or eight in the morning, when the demo network has sales, to nine or ten at night.
  const minutes = 12 * 60 + Math.floor(Math.random() * 14 * 60)
  return { kind, now: new Date(day.getTime() + minutes * 60_000).toISOString() }
}
