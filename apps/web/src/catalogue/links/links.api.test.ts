import type { SiteStats } from '@tallyroom/contract/figures/statistics'
import { describe, expect, test } from 'vitest'
import {
  carriedText,
  type LinkItem,
  type Links,
  linkFiguresQuery,
  pageProblem,
  withCarried,
  withFigures,
} from './links.api.ts'

const link = (typeId: number): LinkItem => ({
  typeId,
  siteId: 1,
  sitename: 'Lantern Live',
  typename: 'Free Sign-up',
  link: 'https://go.example/api/links/go/1/1/1',
  hosts: ['lantern.example'],
  avp: false,
  agentId: 5,
  carries: {},
})

test('a link has the figures of its row, and none where nothing came', () => {
  const row = { typeId: 2, raws: 9, uniques: 7, sales: 1 }
  const stats = { payoutVisible: false, page: { items: [row], total: 1 } } as SiteStats
  expect(withFigures([link(1), link(2)], stats).map(({ figures }) => figures)).toEqual([
    { raws: 0, uniques: 0, sales: 0, earned: undefined },
    { raws: 9, uniques: 7, sales: 1, earned: undefined },
  ])
  const paid = { ...row, payout: 500, bonusPayout: 40.5 }
  const shown = { payoutVisible: true, page: { items: [paid], total: 1 } } as SiteStats
  expect(withFigures([link(1), link(2)], shown).map(({ figures }) => figures?.earned)).toEqual([
    0, 540.5,
  ])
})

describe('a page that was pasted', () => {
  const links: Links = {
    items: [link(1), { ...link(2), hosts: ['harbor.example', 'lantern.example'] }],
    agentId: 5,
    domain: 'https://go.example',
    host: 'preferred',
  }
  const linksTo = (to?: string) =>
    withCarried(links, { sub1: 'x', to }).map(({ link: text }) => text)

  test('is what the links lead to, of the link types that can', () => {
    const [first, second] = [1, 2].map((id) => `https://go.example/api/links/go/1/${id}/5?sub1=x`)
    expect(linksTo()).toEqual([first, second])
    expect(linksTo('/p?a=b')).toEqual([`${first}&to=%2Fp%3Fa%3Db`, `${second}&to=%2Fp%3Fa%3Db`])
    expect(linksTo('https://Lantern.example/p')).toEqual([
      `${first}&to=%2Fp`,
      `${second}&to=https%3A%2F%2Flantern.example%2Fp`,
    ])
    expect(linksTo('https://harbor.example/p')).toEqual([`${second}&to=%2Fp`])
    expect(linksTo('https://evil.example/p')).toEqual([])
  })

  test('is refused with the hosts that it may be on', () => {
    expect(pageProblem(links, { to: 'https://evil.example/' })).toBe(
      'is no page of lantern.example or harbor.example',
    )
    for (const to of [undefined, '/p', 'https://harbor.example/'])
      expect(pageProblem(links, { to })).toBeUndefined()
    expect(pageProblem({ ...links, items: [] }, { to: 'x' })).toBeUndefined()
  })
})

test('beyond the rows of one answer, nothing is said', () => {
  const stats = { page: { items: [{ typeId: 2, uniques: 7, sales: 1 }], total: 2 } } as SiteStats
  expect(withFigures([link(1)], stats)[0]?.figures).toBeUndefined()
})

test('what a link carries is told in words, with the page as a short link keeps it', () => {
  const links: Links = {
    items: [link(1)],
    agentId: 5,
    domain: 'https://go.example',
    host: 'server',
  }
  const [item] = withCarried(links, { sub2: 'b', sub1: 'a', to: 'https://lantern.example/p' })
  expect(item?.carries).toEqual({ sub1: 'a', sub2: 'b', to: '/p' })
  expect(carriedText(item?.carries ?? {})).toBe('with sub1 a, sub2 b, leading to /p')
  expect(carriedText({})).toBe('')
})

test('until they are known, there are no figures', () => {
  expect(withFigures([link(1)], undefined)).toEqual([link(1)])
})

test('thirty days are asked for, with today', () => {
  const { queryKey } = linkFiguresQuery({ siteId: undefined, agentId: 5 }, '2026-11-28')
  expect(JSON.stringify(queryKey)).toContain('"start":"2026-10-30","end":"2026-11-28"')
})
