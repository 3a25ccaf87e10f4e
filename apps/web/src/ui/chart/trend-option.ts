import type { Day } from '@tallyroom/domain/new-york'
import type { PointUnit } from '@tallyroom/domain/periods'
import type { ChartOption } from './chart-engine.ts'
import { axisLabelOf, pointName, tooltipOf, placesAxis, numbersAxis } from './chart-style.ts'

/** A day, or a month by its first day. */
export interface TrendPoint {
  /** Undefined beyond the end of the period, where only the compared one continues. */
  day: Day | undefined
  /** Null for future days. */
  value: number | null
  /** The value at this position in the compared period; left out if there is nothing to compare. */
  before?: number | undefined
  beforeDay?: Day | undefined
}

type Format = (value: number) => string

/** Bars, and wider ones behind them for the compared period. */
export function trendOption(
  points: readonly TrendPoint[],
  format: Format,
  unit: PointUnit,
): ChartOption {
  const places = points.map(({ day }) => (day === undefined ? '' : axisLabelOf(day, unit)))
  return {
    grid: { top: 10, right: 6, bottom: 22, left: 46 },
    tooltip: tooltipOf((place) => {
      const point = points[place]
      return point ? trendTooltip(point, format, unit) : ''
    }),
    // On its own axis, each series is centred in its position, so that bars stand in front of
    // ghosts, not beside them.
    xAxis: [
      placesAxis(places),
      { type: 'category', data: places, show: false, axisPointer: { show: false } },
    ],
    yAxis: { ...numbersAxis, minInterval: 1, splitNumber: 3 },
    series: [
      {
        name: 'Before',
        type: 'bar',
        xAxisIndex: 1,
        z: 1,
        silent: true,
        barWidth: '82%',
        barMaxWidth: 46,
        itemStyle: { color: 'var(--chart-ghost)', borderRadius: [2, 2, 0, 0] },
        data: points.map(({ before }) => before ?? null),
      },
      {
        name: 'Now',
        type: 'bar',
        z: 2,
        barWidth: '52%',
        barMaxWidth: 30,
        itemStyle: { color: 'var(--chart-columns)', borderRadius: [2, 2, 0, 0] },
        emphasis: { disabled: true },
        data: points.map(({ value }) => value),
      },
    ],
  }
}

function trendTooltip(
  { day, value, before, beforeDay }: TrendPoint,
  format: Format,
  unit: PointUnit,
): string {
  const lines: string[] = []
  if (day !== undefined) {
    const now = value === null ? 'still to come' : format(value)
    lines.push(`<strong>${pointName(day, unit)}</strong>: ${now}`)
  }
  if (before !== undefined)
    lines.push(`${beforeDay ? pointName(beforeDay, unit) : 'Before'}: ${format(before)}`)
  return lines.join('<br>')
}

/** The chart as a sentence, for those who cannot see it. */
export function trendSummary(points: readonly TrendPoint[], format: Format, label: string): string {
  const begun = points.filter(({ value }) => value !== null)
  const best = begun.reduce<TrendPoint | undefined>(
    (most, point) => ((point.value ?? 0) > (most?.value ?? 0) ? point : most),
    undefined,
  )
  const places = `${label}: ${begun.length} bars`
  return best?.value ? `${places}, the highest ${format(best.value)} (${best.day}).` : `${places}.`
}
