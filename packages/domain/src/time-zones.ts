import type { Day, Instant } from './new-york.ts'

/** Whether the text names a zone of the IANA database, such as `Asia/Manila`, in its own letter case. */
export function isTimeZone(text: string): boolean {
  // Offsets and abbreviations know no summer time, or several.
  if (!/^[A-Z][A-Za-z]*(?:\/[A-Z][A-Za-z0-9_+-]*)+$/.test(text)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions()
    // An alias resolves to another name.
    return timeZone === text || timeZone.toLowerCase() !== text.toLowerCase()
  } catch {
    return false
  }
}

/** The calendar day of an instant in a zone. For days of New York, `dayOf` is faster. */
export function dayIn(timeZone: string, instant: Instant): Day {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return ['year', 'month', 'day'].map((type) => parts.get(type as 'day') ?? '').join('-')
}
