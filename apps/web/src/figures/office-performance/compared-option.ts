import { formatCount } from '@tallyroom/domain/money'
import type { ChartGroupBy } from '@tallyroom/domain/periods'
import type { ChartOption } from '../../ui/chart/chart-engine.ts'
import {
  axisLabelOf,
  axisWords,
  pointName,
  tooltipOf,
  placesAxis,
  numbersAxis,
} from '../../ui/chart/chart-style.ts'
import type { ChartPoint } from './chart-points.ts'

/** An office of the common chart. */
export interface ComparedOffice {
  name: string
  points: readonly ChartPoint[]
  color: string
  /** Tells apart lines of the same colour. */
  isDashed: boolean
}

/** The sales of several offices as lines on one scale. */
export function comparedOption(
  offices: readonly ComparedOffice[],
  groupBy: ChartGroupBy,
): ChartOption {
  const dates = (offices[0]?.points ?? []).map(({ date }) => date)
  return {
    grid: { top: 26, right: 16, bottom: 26, left: 48 },
    tooltip: tooltipOf((place) => {
      const date = dates[place]
      const lines = offices
        .flatMap(({ name, points }) => {
          const value = points[place]?.value
          return typeof value === 'number' ? [{ name, value }] : []
        })
        .toSorted((a, b) => b.value - a.value)
        .map(({ name, value }) => `${escaped(name)}: ${formatCount(value)}`)
      return date === undefined
        ? ''
        : [`<strong>${pointName(date, groupBy)}</strong>`, ...lines].join('<br>')
    }),
    xAxis: placesAxis(
      dates.map((date) => axisLabelOf(date, groupBy)),
      'bottom',
    ),
    yAxis: {
      ...numbersAxis,
      name: 'Sales',
      nameTextStyle: { ...axisWords, align: 'right' },
      minInterval: 1,
    },
    series: offices.map(({ name, points, color, isDashed }) => ({
      name,
      type: 'line',
      symbol: 'circle',
      symbolSize: 5,
      lineStyle: { color, width: 2, type: isDashed ? 'dashed' : 'solid' },
      itemStyle: { color },
      emphasis: { disabled: true },
      data: points.map(({ value }) => value),
    })),
  }
}

/** A tooltip is HTML, and a user typed the name. */
const escaped = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
