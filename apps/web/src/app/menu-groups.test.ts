import { expect, test } from 'vitest'
import { payGroups, settingsGroups, tabGroups } from './menu-groups.ts'

const pagesOf = (groups: readonly { pages: readonly string[] }[]) =>
  groups.flatMap(({ pages }) => pages.map((to) => ({ to })))
const labels = (groups: readonly { label: string | undefined }[]) =>
  groups.map(({ label }) => label)

test('many tabs are in groups, without those of which nothing is open', () => {
  const pages = pagesOf(settingsGroups)
  const names = ['Network', 'Money', 'Tracking', 'Connections', 'Health']
  expect(labels(tabGroups({ pages, groups: settingsGroups }))).toEqual(names)
  const unhealthy = pages.filter(({ to }) => !/alarms|verification/.test(to))
  expect(labels(tabGroups({ pages: unhealthy, groups: settingsGroups }))).toEqual(
    names.slice(0, -1),
  )
})

test('no tab is lost: what is in no group stands behind them', () => {
  const pages = [{ to: '/app/pay/new' }, ...pagesOf(payGroups)]
  const groups = tabGroups({ pages, groups: payGroups })
  expect(labels(groups)).toEqual(['Close and pay', 'Payees', 'Books', undefined])
  expect(groups.at(-1)?.pages).toEqual([{ to: '/app/pay/new' }])
  expect(pagesOf(groups.map((group) => ({ pages: group.pages.map(({ to }) => to) })))).toHaveLength(
    pages.length,
  )
})

test('few tabs stay in a line, in their own order', () => {
  const pages = pagesOf(payGroups).slice(0, 6)
  expect(tabGroups({ pages, groups: payGroups })).toEqual([{ label: undefined, pages }])
  expect(tabGroups({ pages: pagesOf(payGroups) })).toHaveLength(1)
})
