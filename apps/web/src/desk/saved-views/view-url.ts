import type { Day } from '@tallyroom/domain/new-york'
import {
  DAY_PAIRS,
  periodLabel,
  type RelativePeriod,
  relativePeriodsOf,
} from '@tallyroom/domain/saved-views'

/** Parameters that belong to a visit of a page, not to its view. */
const OF_THE_VISIT = ['page', 'print', 'explain', 'explainPage', 'trail', 'dateRange', 'id']

/** A page with its criteria, in the form in which it is saved. */
export const viewUrlOf = ({ pathname, searchStr }: { pathname: string; searchStr: string }) => {
  const search = new URLSearchParams(searchStr)
  for (const name of OF_THE_VISIT) search.delete(name)
  return urlOf(pathname, search)
}

/** Days in a URL, and the names that they can have: `This week`. */
export interface DaysChoice {
  pair: (typeof DAY_PAIRS)[number]
  start: Day
  end: Day
  periods: RelativePeriod[]
}

/** The days in a URL that have a name today. Other days can only be fixed. */
export const daysChoicesOf = (url: string, today: Day): DaysChoice[] =>
  DAY_PAIRS.flatMap((pair) => {
    const search = searchOf(url)
    const [start, end] = [search.get(`start${pair}`), search.get(`end${pair}`)]
    const periods = relativePeriodsOf({ start, end }, today)
    return start && end && periods.length > 0 ? [{ pair, start, end, periods }] : []
  })

/** The same URL with a moving period instead of these days. */
export function withPeriod(url: string, pair: DaysChoice['pair'], days: string): string {
  const search = searchOf(url)
  search.delete(`start${pair}`)
  search.delete(`end${pair}`)
  search.set(`days${pair}`, days)
  return urlOf(pathOf(url), search)
}

/** The days of a view in words: `Last week`, or `2026-11-16 – 2026-11-22`. Empty if it names none. */
export const daysText = (url: string): string =>
  DAY_PAIRS.flatMap((pair) => {
    const search = searchOf(url)
    const named = periodLabel(search.get(`days${pair}`))
    if (named) return [named]
    const [start, end] = [search.get(`start${pair}`), search.get(`end${pair}`)]
    if (!start || !end) return []
    return [start === end ? start : `${start} – ${end}`]
  }).join(' and ')

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

const searchOf = (url: string) => new URLSearchParams(url.split('?')[1] ?? '')

const urlOf = (path: string, search: URLSearchParams) =>
  search.size === 0 ? path : `${path}?${search.toString()}`
