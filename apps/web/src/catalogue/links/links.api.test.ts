import type { SiteStats } from '@tallyroom/contract/figures/statistics'
import { expect, test } from 'vitest'
import { type LinkItem, linkFiguresQuery, withFigures } from './links.api.ts'

const link = (typeId: number): LinkItem => ({
  typeId,
  siteId: 1,
  sitename: 'Lantern Live',
  typename: 'Free Sign-up',
  link: 'https://go.example/api/links/go/1/1/1',
  avp: false,
})

test('a link has the figures of its row, and none where nothing came', () => {
  const stats = { page: { items: [{ typeId: 2, uniques: 7, sales: 1 }], total: 1 } } as SiteStats
  expect(withFigures([link(1), link(2)], stats).map(({ figures }) => figures)).toEqual([
    { uniques: 0, sales: 0 },
    { uniques: 7, sales: 1 },
  ])
})

test('beyond the rows of one answer, nothing is said', () => {
  const stats = { page: { items: [{ typeId: 2, uniques: 7, sales: 1 }], total: 2 } } as SiteStats
  expect(withFigures([link(1)], stats)[0]?.figures).toBeUndefined()
})

test('until they are known, there are no figures', () => {
  expect(withFigures([link(1)], undefined)).toEqual([link(1)])
})

test('thirty days are asked for, with today', () => {
  const { queryKey } = linkFiguresQuery({ siteId: undefined, agentId: 5 }, '2026-11-28')
  expect(JSON.stringify(queryKey)).toContain('"start":"2026-10-30","end":"2026-11-28"')
})
