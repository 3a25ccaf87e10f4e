import { expect, test } from 'vitest'
import { savedRange, saveRange } from './stats-search.ts'

const week = { start: '2026-11-02', end: '2026-11-08' }
const openAvp = () => saveRange({ pathname: '/app/stats/sites-avp', search: week })

test('the AVP reports save their week for each other', () => {
  openAvp()
  expect(savedRange()).toEqual(week)
  saveRange({ pathname: '/app/stats/sites-payout-avp', search: {} })
  expect(savedRange()).toEqual(week)
})

test('every other page forgets it', () => {
  for (const pathname of ['/app/home', '/app/stats/sites', '/login']) {
    openAvp()
    saveRange({ pathname, search: { start: '2026-11-01', end: '2026-11-02' } })
    expect(savedRange()).toBeUndefined()
  }
})

test('a query with dateRange keeps it', () => {
  openAvp()
  saveRange({ pathname: '/app/stats/sites', search: { dateRange: '1' } })
  expect(savedRange()).toEqual(week)
})
