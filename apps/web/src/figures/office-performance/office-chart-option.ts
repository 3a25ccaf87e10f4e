import { formatCount, formatSignedPercent } from '@tallyroom/domain/money'
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
import { type ChartPoint, type Extent, type Extents, curveOf } from './chart-points.ts'

/** The maximum width of a column (specification 2, section 9). */
const MAX_COLUMN_PX = 39

/** An office's sales as columns, and their progress as a curve on an axis of its own that shares the zero line. */
export function officeChartOption(
  points: readonly ChartPoint[],
  groupBy: ChartGroupBy,
  extents: Extents,
): ChartOption {
  const axes = axesWithOneZero(extents)
  return {
    grid: { top: 30, right: 58, bottom: 44, left: 48 },
    tooltip: tooltipOf((place) => {
      const point = points[place]
      return point ? officeTooltip(point, groupBy) : ''
    }),
    xAxis: {
      ...placesAxis(
        points.map(({ date }) => axisLabelOf(date, groupBy)),
        'bottom',
      ),
      name: groupBy === 'day' ? 'Daily' : 'Monthly',
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: axisWords,
    },
    yAxis: [
      {
        ...numbersAxis,
        name: 'Sales',
        nameTextStyle: { ...axisWords, align: 'right' },
        ...axes.sales,
      },
      {
        type: 'value',
        name: 'Progress',
        nameTextStyle: { ...axisWords, align: 'left' },
        ...axes.progress,
        axisLabel: { ...axisWords, formatter: '{value}%' },
        splitLine: { show: false },
      },
    ],
    series: [
      {
        name: 'Sales',
        type: 'bar',
        barMaxWidth: MAX_COLUMN_PX,
        barCategoryGap: '30%',
        itemStyle: { color: 'var(--chart-columns)', borderRadius: [2, 2, 0, 0] },
        emphasis: { disabled: true },
        data: points.map(({ value }) => value),
      },
      {
        name: 'Progress',
        type: 'line',
        yAxisIndex: 1,
        smooth: 0.4,
        smoothMonotone: 'x',
        symbol: 'circle',
        symbolSize: 6,
        showAllSymbol: true,
        lineStyle: { color: 'var(--chart-curve)', width: 1.8 },
        itemStyle: { color: 'var(--tr-page)', borderColor: 'var(--chart-curve)', borderWidth: 1.8 },
        emphasis: { disabled: true },
        data: points.map((point) => curveOf(point)),
      },
    ],
  }
}

/**
 * Both axes have zero at the same height: equally many steps above and below it, each of a round
 * size.
 */
export function axesWithOneZero({ sales, progress }: Extents) {
  const share = ({ low, high }: Extent) => (low < 0 ? -low / (high - low) : 0)
  const most = Math.max(share(sales), share(progress))
  const below = most === 0 ? 0 : Math.min(STEPS - 1, Math.max(1, Math.round(STEPS * most)))
  const above = STEPS - below
  const axisOf = ({ low, high }: Extent, least: number) => {
    const interval = Math.max(least, roundUp(Math.max(high / above, below && -low / below)))
    // Without the zero of below, -0 would be drawn.
    return { min: below === 0 ? 0 : -below * interval, max: above * interval, interval }
  }
  return { sales: axisOf(sales, 1), progress: axisOf(progress, 25) }
}

const STEPS = 4

/** The next of 1, 2, 2.5, 5, 10, 20, 25, 50 … */
function roundUp(size: number): number {
  if (size <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(size))
  const factor = (power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]).find(
    (candidate) => candidate * power >= size,
  )
  return (factor ?? 10) * power
}

function officeTooltip(point: ChartPoint, groupBy: ChartGroupBy): string {
  const lines = [
    `<strong>${pointName(point.date, groupBy)}</strong>`,
    point.value === null ? 'Still to come' : `Sales: ${formatCount(point.value)}`,
  ]
  if (point.growth === 'new') lines.push('Progress: new, there were no sales before')
  else if (point.growth === 'under way') lines.push('Progress: when it is over')
  else if (point.growth !== undefined) lines.push(`Progress: ${formatSignedPercent(point.growth)}`)
  return lines.join('<br>')
}
