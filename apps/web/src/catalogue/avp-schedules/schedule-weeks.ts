import type { AvpSchedule } from '@tallyroom/contract/catalogue/avp-schedules'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { periodOf, type PeriodHint } from '@tallyroom/domain/periods'

/** Which weeks the schedule will apply to, as a sentence. */
export function effectText(validFrom: Day, others: readonly AvpSchedule[]): string {
  const next = others
    .map((other) => other.validFrom)
    .filter((day) => day > validFrom)
    .toSorted()[0]
  const until = next ? `to Sunday, ${addDays(next, -1)}` : 'until further notice'
  return `Sales from Monday, ${validFrom}, ${until}, are paid by these tiers. Earlier weeks don’t change.`
}

/** The weeks offered as the first week of a schedule. */
export const comingWeeks = (earliest: Day): PeriodHint[] =>
  Array.from({ length: 12 }, (_, ahead) => {
    const week = periodOf(addDays(earliest, 7 * ahead), 'week')
    return { ...week, label: `From ${week.start}` }
  })

/** The first Monday on which no schedule begins. */
export function firstFree(earliest: Day, schedules: readonly AvpSchedule[]): Day {
  const isTaken = schedules.some(({ validFrom }) => validFrom === earliest)
  return isTaken ? firstFree(addDays(earliest, 7), schedules) : earliest
}
