import { expect, test } from 'vitest'
import { axisLabelOf, chartSummary, hasProgress, pointName, pointsOf } from './chart-points.ts'

const item = (date: string, value: number, progress = 0) => ({ date, value, progress })
const chart = (...items: ReturnType<typeof item>[]) => ({
  companyId: 1,
  officeName: 'Manila',
  items,
})

test('days to come are empty places until the period’s end', () => {
  const points = pointsOf(
    chart(item('2026-03-30', 4), item('2026-03-31', 0, -100)),
    { start: '2026-03-30', end: '2026-04-02' },
    'day',
  )
  expect(points.map(({ date, value }) => [date, value])).toEqual([
    ['2026-03-30', 4],
    ['2026-03-31', 0],
    ['2026-04-01', null],
    ['2026-04-02', null],
  ])
})

test('months to come likewise', () => {
  const points = pointsOf(
    chart(item('2026-10-01', 4)),
    { start: '2026-10-01', end: '2026-12-31' },
    'month',
  )
  expect(points.map(({ date }) => date)).toEqual(['2026-10-01', '2026-11-01', '2026-12-01'])
})

test.each([
  ['sales', 3, 0, true],
  ['a fall to nothing', 0, -100, true],
  ['nothing after nothing', 0, 0, false],
  ['a reversal that changes something', -1, -200, true],
])('the curve has a point for %s: sales %i, progress %i', (_what, value, progress, isShown) => {
  expect(hasProgress(item('2026-03-01', value, progress))).toBe(isShown)
})

test('what is still to come has none', () => {
  expect(hasProgress({ date: '2026-03-01', value: null, progress: 0 })).toBe(false)
})

test('a day is named as such in any zone', () => {
  expect(axisLabelOf('2026-03-09', 'day')).toBe('Mar 9')
  expect(axisLabelOf('2026-03-01', 'month')).toBe('Mar')
  expect(pointName('2026-03-09', 'day')).toBe('2026-03-09')
  expect(pointName('2026-03-01', 'month')).toBe('March 2026')
})

test('the chart in a sentence', () => {
  expect(chartSummary(chart(item('2026-02-01', 1000), item('2026-03-01', 2000)), 'month')).toBe(
    'Manila: 3,000 sales in 2 months, most of them, 2,000, in March 2026.',
  )
  expect(chartSummary(chart(item('2026-02-01', -1)), 'day')).toBe('Manila: -1 sales in 1 days.')
})
