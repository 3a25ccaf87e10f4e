import { expect, test } from 'vitest'
import { axisLabelOf, pointName } from '../../ui/chart/chart-style.ts'
import { chartSummary, curveOf, extentsOf, pointsOf } from './chart-points.ts'
import { axesWithOneZero } from './office-chart-option.ts'

const item = (date: string, value: number, before = 0, progress = 0) => ({
  date,
  value,
  before,
  progress,
})
const chart = (...items: ReturnType<typeof item>[]) => ({
  companyId: 1,
  officeName: 'Manila',
  items,
})

test('future days are empty positions until the period’s end', () => {
  const points = pointsOf(
    chart(item('2026-03-30', 4), item('2026-03-31', 0, 4, -100)),
    { start: '2026-03-30', end: '2026-04-02' },
    'day',
    '2026-03-31',
  )
  expect(points.map(({ date, value }) => [date, value])).toEqual([
    ['2026-03-30', 4],
    ['2026-03-31', 0],
    ['2026-04-01', null],
    ['2026-04-02', null],
  ])
})

test('so are future months', () => {
  const points = pointsOf(
    chart(item('2026-10-01', 4)),
    { start: '2026-10-01', end: '2026-12-31' },
    'month',
    '2026-10-08',
  )
  expect(points.map(({ date }) => date)).toEqual(['2026-10-01', '2026-11-01', '2026-12-01'])
})

test.each([
  ['sales', item('2026-03-01', 3, 2, 50), 50],
  ['a fall to nothing', item('2026-03-01', 0, 3, -100), -100],
  ['nothing after nothing', item('2026-03-01', 0), undefined],
  ['the first sales', item('2026-03-01', 3, 0, 100), 'new'],
  ['a reversal that changes something', item('2026-03-01', -1, 1, -200), -200],
  ['a day under way', item('2026-03-09', 3, 9, -66.7), 'under way'],
])('%s: progress %s', (_what, day, growth) => {
  const range = { start: '2026-03-01', end: '2026-03-09' }
  const [point] = pointsOf(chart(day), range, 'day', '2026-03-09')
  expect(point?.growth).toBe(growth)
  if (point) expect(curveOf(point)).toBe(typeof growth === 'number' ? growth : null)
})

test('a month is under way until its last day is over', () => {
  const months = chart(item('2026-02-01', 8, 4, 100), item('2026-03-01', 6, 8, -25))
  const range = { start: '2026-02-01', end: '2026-03-31' }
  const growth = (today: string) =>
    pointsOf(months, range, 'month', today).map((point) => point.growth)
  expect(growth('2026-03-31')).toEqual([100, 'under way'])
  expect(growth('2026-04-01')).toEqual([100, -25])
})

test.each([
  // The lowest and the highest value of sales and progress, then the number of steps below and
  // above zero.
  [[0, 9], [0, 40], 0, 4],
  [[0, 9], [-100, 100], 2, 2],
  [[0, 1200], [-10, 900], 1, 3],
  [[-3, 9], [0, 0], 1, 3],
  [[0, 9], [-100, 0], 3, 1],
  [[0, 0], [0, 0], 0, 4],
] as const)('sales %j and progress %j have the same zero line', (sales, progress, below, above) => {
  const extent = ([low, high]: readonly [number, number]) => ({ low, high })
  const axes = axesWithOneZero({ sales: extent(sales), progress: extent(progress) })
  for (const [axis, [low, high]] of [
    [axes.sales, sales],
    [axes.progress, progress],
  ] as const) {
    expect([-axis.min / axis.interval + 0, axis.max / axis.interval]).toEqual([below, above])
    expect(axis.min <= low && axis.max >= high).toBe(true)
    expect(Number.isInteger(axis.interval)).toBe(true)
  }
})

test('a chart’s range covers its columns and the points of its curve', () => {
  const range = { start: '2026-03-01', end: '2026-03-03' }
  const days = chart(
    item('2026-03-01', 5, 0, 100),
    item('2026-03-02', 4, 5, -20),
    item('2026-03-03', 90, 4, 2150),
  )
  expect(extentsOf(pointsOf(days, range, 'day', '2026-03-03'))).toEqual({
    sales: { low: 0, high: 90 },
    progress: { low: -20, high: 0 },
  })
})

test('a day has the same name in any time zone', () => {
  expect(axisLabelOf('2026-03-09', 'day')).toBe('Mar 9')
  expect(axisLabelOf('2026-03-01', 'month')).toBe('Mar')
  expect(pointName('2026-03-09', 'day')).toBe('2026-03-09')
  expect(pointName('2026-03-01', 'month')).toBe('March 2026')
})

test('the chart as a sentence', () => {
  expect(chartSummary(chart(item('2026-02-01', 1000), item('2026-03-01', 2000)), 'month')).toBe(
    'Manila: 3,000 sales in 2 months, most of them, 2,000, in March 2026.',
  )
  expect(chartSummary(chart(item('2026-02-01', -1)), 'day')).toBe('Manila: -1 sales in 1 days.')
})
