import { isValidRange, type DateRange } from '@tallyroom/domain/periods'
import { payrollAvpReport, sitesAvpReport } from './reports.ts'
import { statsSearchSchema } from './stats-search.ts'

let saved: DateRange | undefined

/** The week of the AVP report that was open last, for the next one that is opened without days. */
export const savedRange = (): DateRange | undefined => saved

/**
 * What a navigation does to the saved days (specification 1, section 2): the AVP reports save theirs, a query
 * with `dateRange` keeps them, every other page forgets them.
 */
export function saveRange({ pathname, search }: { pathname: string; search: object }) {
  const { start, end, dateRange } = statsSearchSchema.parse(search)
  const days = { start, end }
  const isAvp = [sitesAvpReport, payrollAvpReport].some(({ path }) => path === pathname)
  if (!isAvp) saved = dateRange === undefined ? undefined : saved
  else if (isValidRange(days)) saved = days
}
