import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { formatCount } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { ChartOption } from '../../ui/chart/chart-engine.ts'
import { tooltipOf, placesAxis, numbersAxis } from '../../ui/chart/chart-style.ts'

export type Hour = AnswerOf<typeof alarmsEndpoints.alarmChart>['hours'][number]
export type Measure = 'clicks' | 'sales'

export const cameIn = (hour: Hour, measure: Measure): number => hour[measure]
export const usualIn = ({ usualClicks, usualSales }: Hour, measure: Measure): number =>
  measure === 'clicks' ? usualClicks : usualSales

/** Bars for what came by the hour, and a line for what is usual. */
export function hoursOption(hours: readonly Hour[], measure: Measure): ChartOption {
  const times = hours.map(({ from }) => formatDateTime(new Date(from)))
  return {
    grid: { top: 10, right: 6, bottom: 22, left: 46 },
    tooltip: tooltipOf((place) => {
      const hour = hours[place]
      if (!hour) return ''
      return `<strong>${times[place]}</strong>: ${formatCount(cameIn(hour, measure))}<br>Expected: ${usualText(usualIn(hour, measure))}`
    }),
    // The hour within the day; at midnight, the day.
    xAxis: placesAxis(
      times.map((time) => (time.includes('(00:') ? time.slice(5, 10) : time.slice(12, 17))),
    ),
    yAxis: { ...numbersAxis, minInterval: 1, splitNumber: 3 },
    series: [
      {
        name: 'Actual',
        type: 'bar',
        barWidth: '70%',
        itemStyle: { color: 'var(--chart-columns)', borderRadius: [2, 2, 0, 0] },
        emphasis: { disabled: true },
        data: hours.map((hour) => cameIn(hour, measure)),
      },
      {
        name: 'Expected',
        type: 'line',
        step: 'middle',
        symbol: 'none',
        lineStyle: { color: 'var(--chart-curve)', width: 1.5 },
        emphasis: { disabled: true },
        data: hours.map((hour) => usualIn(hour, measure)),
      },
    ],
  }
}

export const usualText = (usual: number): string =>
  usual < 10 ? String(usual) : formatCount(Math.round(usual))

/** The chart as a sentence, for those who cannot see it: its last twelve hours. */
export function hoursSummary(hours: readonly Hour[], measure: Measure): string {
  const last = hours.slice(-12)
  const came = last.reduce((sum, hour) => sum + cameIn(hour, measure), 0)
  const usual = last.reduce((sum, hour) => sum + usualIn(hour, measure), 0)
  return `${measure} by the hour: in the last twelve hours ${formatCount(came)} came, about ${usualText(usual)} are usual.`
}
