import type { OfficeChart } from '@tallyroom/contract/figures/office-performance'
import { addDays, addMonths, type Day, lastDayOfMonth, monthOf } from '@tallyroom/domain/new-york'
import { formatCount } from '@tallyroom/domain/money'
import type { ChartGroupBy, DateRange } from '@tallyroom/domain/periods'
import { pointName } from '../../ui/chart/chart-style.ts'

/** A position on the axis. Future ones have no figures. */
export interface ChartPoint {
  date: Day
  value: number | null
  growth: Growth
}

/**
 * The progress in percent; `new` if there were no sales before; `under way` while the day or month
 * is not over, because it can't be compared with a whole one. Undefined if both are zero.
 */
export type Growth = number | 'new' | 'under way' | undefined

/**
 * The points of an office, and empty positions until the period's end, so that every chart has the
 * same axis.
 */
export function pointsOf(
  { items }: OfficeChart,
  { end }: DateRange,
  groupBy: ChartGroupBy,
  today: Day,
): ChartPoint[] {
  const points = items.map((item): ChartPoint => ({
    ...item,
    growth: growthOf(item, groupBy, today),
  }))
  const last = points.at(-1)?.date
  if (last === undefined) return points
  const after = (day: Day) => (groupBy === 'day' ? addDays(day, 1) : addMonths(day, 1))
  const lastPlace = groupBy === 'day' ? end : monthOf(end)
  for (let date = after(last); date <= lastPlace; date = after(date))
    points.push({ date, value: null, growth: undefined })
  return points
}

type Item = OfficeChart['items'][number]

/** Only where there were sales or some change (specification 2, Office Performance Charts). */
function growthOf({ date, value, before, progress }: Item, groupBy: ChartGroupBy, today: Day) {
  if (value <= 0 && progress === 0) return undefined
  if ((groupBy === 'day' ? date : lastDayOfMonth(date)) >= today) return 'under way'
  return before === 0 && value > 0 ? 'new' : progress
}

/** The point's height on the curve; null where the curve has a gap. */
export const curveOf = ({ growth }: ChartPoint): number | null =>
  typeof growth === 'number' ? growth : null

/** The range of some numbers, always including zero. */
export interface Extent {
  low: number
  high: number
}
export interface Extents {
  sales: Extent
  progress: Extent
}

/** The range of a chart's axes: of one chart, or of all for a common scale. */
export const extentsOf = (points: readonly ChartPoint[]): Extents => ({
  sales: extentOf(points.map(({ value }) => value)),
  progress: extentOf(points.map(curveOf)),
})

const extentOf = (numbers: readonly (number | null)[]): Extent => {
  const all = [0, ...numbers.filter((number) => number !== null)]
  return { low: Math.min(...all), high: Math.max(...all) }
}

/** The chart as a sentence, for those who cannot see it. */
export function chartSummary({ officeName, items }: OfficeChart, groupBy: ChartGroupBy): string {
  const best = items.reduce((a, b) => (b.value > a.value ? b : a), { date: '', value: 0 })
  const units = groupBy === 'day' ? 'days' : 'months'
  const total = `${officeName}: ${formatCount(salesOf(items))} sales in ${items.length} ${units}`
  return best.value > 0
    ? `${total}, most of them, ${formatCount(best.value)}, in ${pointName(best.date, groupBy)}.`
    : `${total}.`
}

export const salesOf = (items: readonly { value: number }[]): number =>
  items.reduce((sum, { value }) => sum + value, 0)
