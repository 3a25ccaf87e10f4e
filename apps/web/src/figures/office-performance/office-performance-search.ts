import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { sortFields } from '@tallyroom/contract/list-choices'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { z } from 'zod'
import {
  searchChoice,
  searchDay,
  searchFlag,
  searchIds,
  searchText,
} from '../../lib/pages/search.ts'

/** What the comparison keeps in the URL: two periods and the order. */
export const performanceSearchSchema = z.object({
  start1: searchDay,
  end1: searchDay,
  start2: searchDay,
  end2: searchDay,
  sortField: searchChoice(sortFields.officePerformance),
  sortAsc: searchFlag,
  print: searchFlag,
})
export type PerformanceSearch = z.output<typeof performanceSearchSchema>

/** The days of a visit without any in the URL: the current half-month and the previous one. */
export function defaultPeriods(today: Day) {
  const [one, two] = [periodOf(today, 'beWeek'), periodOf(today, 'beWeek', 1)]
  return { start1: one.start, end1: one.end, start2: two.start, end2: two.end }
}

/** What the charts keep in the URL. */
export const chartsSearchSchema = z.object({
  /** The label of a preset. */
  period: searchText(40),
  view: searchChoice(['charts', 'tables']),
  /** One scale for all charts. */
  common: searchFlag,
  /** The ids of the offices in the common chart. */
  offices: searchIds(MAX_ID),
})
export type ChartsSearch = z.output<typeof chartsSearchSchema>
