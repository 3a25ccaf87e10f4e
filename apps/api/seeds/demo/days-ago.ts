import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'

/** A working hour on a past day. */
export const daysAgo = (today: Day, days: number): Date => atNewYork(addDays(today, -days), '10:30')
