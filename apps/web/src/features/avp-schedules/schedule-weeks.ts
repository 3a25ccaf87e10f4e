import type { AvpSchedule } from '@tallyroom/contract/avp-schedules'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { periodOf, type PeriodHint } from '@tallyroom/domain/periods'

/** What saving does, and from when to when: the question before it. */
export function effectText(validFrom: Day, others: readonly AvpSchedule[]): string {
  const next = others
    .map((other) => other.validFrom)
    .filter((day) => day > validFrom)
    .toSorted()[0]
  const until = next ? `to Sunday, ${addDays(next, -1)}` : 'until further notice'
  return `Sales from Monday, ${validFrom}, ${until}, are paid by these tiers. Weeks before keep theirs.`
}

/** The weeks that a schedule may begin with, by name. */
export const comingWeeks = (earliest: Day): PeriodHint[] =>
  Array.from({ length: 12 }, (_, ahead) => {
    const week = periodOf(addDays(earliest, 7 * ahead), 'week')
    return { ...week, label: `From ${week.start}` }
  })

/** The first Monday that no schedule begins on. */
export function firstFree(earliest: Day, schedules: readonly AvpSchedule[]): Day {
  const isTaken = schedules.some(({ validFrom }) => validFrom === earliest)
  return isTaken ? firstFree(addDays(earliest, 7), schedules) : earliest
}
