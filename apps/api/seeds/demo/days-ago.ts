import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'

/** A working hour of a day in the past. */
export const daysAgo = (today: Day, days: number): Date => atNewYork(addDays(today, -days), '10:30')
