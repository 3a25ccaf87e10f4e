import type { Day } from '@tallyroom/domain/new-york'

export type DayCount = { day: Day; clicks: number }

/** Where a page is: the days it contains, in list order, and the number of rows of these days before it. */
export type PagePlace = { days: Day[]; offset: number }

/**
 * Finds the days of a page by adding up the days before it.
 *
 * @param counts in list order; days without rows may be missing.
 * @returns undefined if the list ends before the page.
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

/** The earliest and the latest of some sorted days. */
export function endsOf(days: readonly Day[]): [Day, Day] {
  const [first, last] = [days.at(0), days.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('no days have no ends')
  return first <= last ? [first, last] : [last, first]
}
