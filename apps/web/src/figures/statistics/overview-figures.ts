import type { StatsPoint, SiteStats } from '@tallyroom/contract/figures/statistics'
import { overallTotals } from '@tallyroom/contract/figures/stats-figures'
import { addDays, type Day, lastDayOfMonth } from '@tallyroom/domain/new-york'
import {
  type Comparison,
  type DateRange,
  type PointUnit,
  rangeInWords,
} from '@tallyroom/domain/periods'
import type { TrendPoint } from '../../ui/chart/trend-option.ts'
import type { FigureColumn } from './stats-columns.tsx'
import type { StatsReport } from './stats-search.ts'

/** The figures that have a tile: money first, at most six, if the viewer has these columns. */
export const tileFigures = (figures: readonly FigureColumn[]): FigureColumn[] =>
  TILES.flatMap((id) => figures.find((figure) => figure.id === id) ?? []).slice(0, 6)

const TILES = [
  'payoutPhp',
  'payoutDollars',
  'payout',
  'bonusPayout',
  'earn',
  'sales',
  'avpSales',
  'bonusSales',
  'uniques',
]

/** The points of one measure. */
export const trendOf = (
  points: readonly StatsPoint[],
  { value }: Pick<FigureColumn, 'value'>,
): TrendPoint[] =>
  points.map(({ date, now, beforeDate, before }) => ({
    day: date,
    value: now ? (value(overallTotals(now)) ?? 0) : null,
    ...(before && { before: value(overallTotals(before)) ?? 0, beforeDay: beforeDate }),
  }))

/** The days of a bar: its day, its week, or the part of its month within the range. */
export function daysOfBar(day: Day, unit: PointUnit, range: DateRange): DateRange {
  if (unit === 'day') return { start: day, end: day }
  if (unit === 'week') return { start: day, end: addDays(day, 6) }
  const last = lastDayOfMonth(day)
  return {
    start: day < range.start ? range.start : day,
    end: last > range.end ? range.end : last,
  }
}

/** The comparisons to choose from. AVP reports compare only whole periods. */
export const comparisonsOf = ({ isWeekly }: Pick<StatsReport, 'isWeekly'>) =>
  COMPARISON_LABELS.filter(({ value }) => !(isWeekly && value === 'previous-whole'))

const COMPARISON_LABELS: { value: Comparison; label: string }[] = [
  { value: 'previous', label: 'Period before' },
  { value: 'previous-whole', label: 'Whole period before' },
  { value: 'last-year', label: 'Last year' },
  { value: 'none', label: 'Off' },
]

/**
 * What the bars and their ghosts are, and whether an unfinished period is compared with a whole
 * one.
 */
export function comparisonWords(
  range: DateRange,
  compared: SiteStats['compared'],
  today: Day,
  isWhole: boolean,
) {
  const isUnfinished = range.end >= today
  const now = rangeInWords(range)
  if (!compared) return { now, before: undefined, isUneven: false }
  const before = rangeInWords(compared)
  if (!isUnfinished || range.start === range.end) return { now, before, isUneven: false }
  return isWhole
    ? { now, before: `${before}, whole`, isUneven: true }
    : { now, before: `${before}, same days`, isUneven: false }
}
