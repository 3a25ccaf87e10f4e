import { expect, test } from 'vitest'
import { daysChoicesOf, daysText, viewUrlOf, withPeriod } from './view-url.ts'

const today = '2026-11-22'
const week = 'start=2026-11-16&end=2026-11-22'

test('a view keeps criteria and order, but not the page or what was open', () => {
  const searchStr = `?groupBy=agent&${week}&sortField=payout&page=3&print=true&explain=payout..&trail=x`
  expect(viewUrlOf({ pathname: '/app/stats/sites', searchStr })).toBe(
    `/app/stats/sites?groupBy=agent&${week}&sortField=payout`,
  )
  expect(viewUrlOf({ pathname: '/app/agents', searchStr: '?page=2' })).toBe('/app/agents')
})

test('days that have a name today can move with the calendar', () => {
  const url = `/app/stats/sites?groupBy=agent&${week}`
  const [choice] = daysChoicesOf(url, today)
  expect(choice?.periods).toEqual([{ days: 'week', label: 'This week' }])
  expect(withPeriod(url, '', 'week')).toBe('/app/stats/sites?groupBy=agent&days=week')
  expect(daysChoicesOf('/app/stats/sites?start=2026-11-17&end=2026-11-22', today)).toEqual([])
  expect(daysChoicesOf('/app/agents', today)).toEqual([])
})

test('both periods of a comparison can move', () => {
  const url =
    '/app/stats/office-performance?start1=2026-11-16&end1=2026-11-30&start2=2026-11-01&end2=2026-11-15'
  const choices = daysChoicesOf(url, today)
  expect(choices.map(({ periods }) => periods.map(({ days }) => days))).toEqual([
    ['half-month'],
    ['half-month-1'],
  ])
})

test.each([
  ['/app/stats/sites?days=week-1', 'Last week'],
  [`/app/stats/sites?${week}`, '2026-11-16 – 2026-11-22'],
  ['/app/stats/sites?start=2026-11-16&end=2026-11-16', '2026-11-16'],
  ['/app/x?days1=half-month&days2=half-month-1', 'This half-month and Last half-month'],
  ['/app/agents', ''],
])('%s: %s', (url, text) => expect(daysText(url)).toBe(text))
