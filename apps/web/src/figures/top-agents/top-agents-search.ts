import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchDay, searchFlag, searchIds } from '../../lib/pages/search.ts'

/** What the page keeps in the URL. */
export const topAgentsSearchSchema = z.object({
  start: searchDay,
  end: searchDay,
  /** None means all. */
  siteIds: searchIds(MAX_ID),
  /** The print version. */
  print: searchFlag,
})

/** The days of a visit without any in the URL: the current week. */
export function defaultTopDays(today: Day) {
  const { start, end } = periodOf(today, 'week')
  return { start, end }
}
