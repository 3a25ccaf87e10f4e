import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { PointUnit } from '@tallyroom/domain/periods'

/** The text style of an axis. */
export const axisWords = { color: 'var(--chart-words)', fontSize: 11 }

/** The positions along a chart: at zero, or at the bottom, also with columns below zero. */
export const placesAxis = (data: string[], at: 'zero' | 'bottom' = 'zero') => ({
  type: 'category' as const,
  data,
  axisLabel: { ...axisWords, hideOverlap: true },
  axisLine: { lineStyle: { color: 'var(--tr-line-strong)' }, onZero: at === 'zero' },
  axisTick: { show: false },
})

/** The numbers at the side. */
export const numbersAxis = {
  type: 'value' as const,
  axisLabel: { ...axisWords, formatter: (value: number): string => compact.format(value) },
  splitLine: { lineStyle: { color: 'var(--tr-line)' } },
}

/**
 * A tooltip for a position on the x axis. Its text is HTML, and contains only dates and figures,
 * nothing that a user typed.
 */
export const tooltipOf = (textAt: (place: number) => string) => ({
  trigger: 'axis' as const,
  confine: true,
  transitionDuration: 0,
  backgroundColor: 'var(--tr-raised)',
  borderColor: 'var(--tr-line-strong)',
  textStyle: { color: 'var(--mantine-color-text)', fontSize: 12 },
  axisPointer: { type: 'shadow' as const, shadowStyle: { color: 'var(--chart-pointer)' } },
  formatter: (hovered: { dataIndex: number } | { dataIndex: number }[]) => {
    const [first] = Array.isArray(hovered) ? hovered : [hovered]
    return first ? textAt(first.dataIndex) : ''
  },
})

/** `Mar 9`, or `Mar` for a month. */
export const axisLabelOf = (date: Day, unit: PointUnit): string =>
  (unit === 'month' ? shortMonth : shortDay).format(new Date(date))

/** `2026-03-09`, `2026-03-09 – 2026-03-15`, or `March 2026`. */
export const pointName = (date: Day, unit: PointUnit): string => {
  if (unit === 'month') return longMonth.format(new Date(date))
  return unit === 'week' ? `${date} – ${addDays(date, 6)}` : date
}

// A day has no zone: its midnight is parsed and formatted in the same zone.
const zone = { timeZone: 'UTC' } as const
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...zone })
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', ...zone })
const longMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', ...zone })
/** `12K`, because the axes have little room. */
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
