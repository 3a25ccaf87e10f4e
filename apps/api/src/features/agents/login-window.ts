import { addDays, atNewYork, dayOf } from '@tallyroom/domain/new-york'

/** When the login window of a blocked agent ends if opened at `now`: at the next 01:00 in New York. */
export function loginOpenUntil(now: Date): Date {
  const today = dayOf(now)
  const end = atNewYork(today, '01:00')
  return end > now ? end : atNewYork(addDays(today, 1), '01:00')
}
