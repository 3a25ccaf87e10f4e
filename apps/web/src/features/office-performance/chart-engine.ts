import { formatCount, formatSignedPercent } from '@tallyroom/domain/money'
import type { ChartGroupBy } from '@tallyroom/domain/periods'
import { BarChart, LineChart, type BarSeriesOption, type LineSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  TooltipComponent,
  type GridComponentOption,
  type TooltipComponentOption,
} from 'echarts/components'
import { init, use as register, type ComposeOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { axisLabelOf, hasProgress, pointName, type ChartPoint } from './chart-points.ts'

register([BarChart, LineChart, GridComponent, TooltipComponent, SVGRenderer])

type Option = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption
>

/** The widest that a column may be (specification 2, section 9). */
const MAX_COLUMN_PX = 39

/**
 * Draws an office's sales as columns and their progress as a curve on an axis of its own. The colours are
 * custom properties of the page, so that brand, light and dark act at once without drawing again.
 *
 * @returns takes the drawing away again
 */
export function drawOfficeChart(
  element: HTMLElement,
  { points, groupBy }: { points: readonly ChartPoint[]; groupBy: ChartGroupBy },
): () => void {
  const chart = init(element, null, { renderer: 'svg' })
  chart.setOption(optionOf(points, groupBy))
  const watched = new ResizeObserver(() => {
    chart.resize()
    scaleOnPaper(element)
  })
  watched.observe(element)
  return () => {
    watched.disconnect()
    chart.dispose()
  }
}

/** Paper is of another width than the window: with a view box the drawing can follow. */
function scaleOnPaper(element: HTMLElement) {
  const svg = element.querySelector('svg')
  svg?.setAttribute('viewBox', `0 0 ${element.clientWidth} ${element.clientHeight}`)
}

const label = { color: 'var(--chart-words)', fontSize: 11 }

const optionOf = (points: readonly ChartPoint[], groupBy: ChartGroupBy): Option => ({
  animation: false,
  textStyle: { fontFamily: 'inherit' },
  grid: { top: 30, right: 58, bottom: 44, left: 48 },
  tooltip: {
    trigger: 'axis',
    confine: true,
    transitionDuration: 0,
    backgroundColor: 'var(--tr-raised)',
    borderColor: 'var(--tr-line-strong)',
    textStyle: { color: 'var(--mantine-color-text)', fontSize: 12 },
    axisPointer: { type: 'shadow', shadowStyle: { color: 'var(--chart-pointer)' } },
    // Dates and figures only: nothing that somebody typed gets in here.
    formatter: (hovered) => {
      const [first] = Array.isArray(hovered) ? hovered : [hovered]
      const point = points[first?.dataIndex ?? -1]
      return point ? tooltipOf(point, groupBy) : ''
    },
  },
  xAxis: {
    type: 'category',
    data: points.map(({ date }) => axisLabelOf(date, groupBy)),
    name: groupBy === 'day' ? 'Daily' : 'Monthly',
    nameLocation: 'middle',
    nameGap: 26,
    nameTextStyle: label,
    axisLabel: { ...label, hideOverlap: true },
    axisLine: { lineStyle: { color: 'var(--tr-line-strong)' } },
    axisTick: { show: false },
  },
  yAxis: [
    {
      type: 'value',
      name: 'Sales',
      nameTextStyle: { ...label, align: 'right' },
      minInterval: 1,
      axisLabel: label,
      splitLine: { lineStyle: { color: 'var(--tr-line)' } },
    },
    {
      type: 'value',
      name: 'Progress',
      nameTextStyle: { ...label, align: 'left' },
      axisLabel: { ...label, formatter: '{value}%' },
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
      data: points.map((point) => (hasProgress(point) ? point.progress : null)),
    },
  ],
})

function tooltipOf(point: ChartPoint, groupBy: ChartGroupBy): string {
  const lines = [
    `<strong>${pointName(point.date, groupBy)}</strong>`,
    point.value === null ? 'Still to come' : `Sales: ${formatCount(point.value)}`,
    ...(hasProgress(point) ? [`Progress: ${formatSignedPercent(point.progress)}`] : []),
  ]
  return lines.join('<br>')
}
