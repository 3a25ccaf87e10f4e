import type { Day } from '@tallyroom/domain/new-york'

/** How many rows of a list are of a day. */
export type DayCount = { day: Day; clicks: number }

/** Where a page is: the days that it has rows of, in the list's order, and how many rows of them come before it. */
export type PagePlace = { days: Day[]; offset: number }

/**
 * The days of a page, found by adding up the days before it.
 *
 * @param counts in the order of the list; days without rows may be missing.
 * @returns undefined when the list ends before the page.
 */
export function placeOfPage(
  counts: readonly DayCount[],
  { offset, limit }: { offset: number; limit: number },
): PagePlace | undefined {
  let before = 0
  let place: PagePlace | undefined
  for (const { day, clicks } of counts) {
    if (before + clicks > offset) {
      place ??= { days: [], offset: offset - before }
      place.days.push(day)
    }
    before += clicks
    if (before >= offset + limit) break
  }
  return place
}

/** The earliest and the latest of some days that are in order, one way or the other. */
export function endsOf(days: readonly Day[]): [Day, Day] {
  const [first, last] = [days.at(0), days.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('no days have no ends')
  return first <= last ? [first, last] : [last, first]
}
