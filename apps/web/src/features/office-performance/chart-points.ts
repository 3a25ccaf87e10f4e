import type { OfficeChart } from '@tallyroom/contract/office-performance'
import { addDays, addMonths, type Day, monthOf } from '@tallyroom/domain/new-york'
import { formatCount } from '@tallyroom/domain/money'
import type { ChartGroupBy, DateRange } from '@tallyroom/domain/periods'

/** A place on the axis; what is still to come has no figures. */
export interface ChartPoint {
  date: Day
  value: number | null
  progress: number
}

/** The points of an office, and the empty places until the period's end: every chart has the same axis. */
export function pointsOf(
  { items }: OfficeChart,
  { end }: DateRange,
  groupBy: ChartGroupBy,
): ChartPoint[] {
  const points: ChartPoint[] = [...items]
  const last = items.at(-1)?.date
  if (last === undefined) return points
  const after = (day: Day) => (groupBy === 'day' ? addDays(day, 1) : addMonths(day, 1))
  const lastPlace = groupBy === 'day' ? end : monthOf(end)
  for (let date = after(last); date <= lastPlace; date = after(date))
    points.push({ date, value: null, progress: 0 })
  return points
}

/** The curve has a point only where there were sales or some change (specification 2, Office Performance Charts). */
export const hasProgress = ({ value, progress }: ChartPoint): boolean =>
  value !== null && (value > 0 || progress !== 0)

/** `Mar 9`, or `Mar` of a month. */
export const axisLabelOf = (date: Day, groupBy: ChartGroupBy): string =>
  (groupBy === 'day' ? shortDay : shortMonth).format(new Date(date))

/** `2026-03-09`, or `March 2026`. */
export const pointName = (date: Day, groupBy: ChartGroupBy): string =>
  groupBy === 'day' ? date : longMonth.format(new Date(date))

/** The chart in a sentence, for whoever does not see it. */
export function chartSummary({ officeName, items }: OfficeChart, groupBy: ChartGroupBy): string {
  const best = items.reduce((a, b) => (b.value > a.value ? b : a), { date: '', value: 0 })
  const units = groupBy === 'day' ? 'days' : 'months'
  const total = `${officeName}: ${formatCount(salesOf(items))} sales in ${items.length} ${units}`
  return best.value > 0
    ? `${total}, most of them, ${formatCount(best.value)}, in ${pointName(best.date, groupBy)}.`
    : `${total}.`
}

export const salesOf = (items: OfficeChart['items']): number =>
  items.reduce((sum, { value }) => sum + value, 0)

// A day has no zone: its midnight is read in the zone that it was written in.
const zone = { timeZone: 'UTC' } as const
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...zone })
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', ...zone })
const longMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', ...zone })
