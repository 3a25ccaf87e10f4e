import type { Home } from '@tallyroom/contract/desk/home'
import { expect, test } from 'vitest'
import { needsCountOf } from './home-words.ts'

const need = (count: number) => ({ count, since: '2026-03-10T12:00:00Z' })

test('what waits for a person is counted once; what waits by itself is not', () => {
  const network: Pick<NonNullable<Home['network']>, 'needs' | 'silentSites'> = {
    needs: {
      held: [
        { ...need(2), kind: 'early' },
        { ...need(1), kind: 'part' },
      ],
      unmatched: need(4),
      waiting: need(50),
      pending: null,
      unapproved: need(5),
      pay: { periods: need(1), accounts: null, disowned: need(6), runs: null, proposals: need(2) },
    },
    silentSites: [{ siteId: 1, sitename: 'Lantern', lastSaleAt: null, usualSales: 9 }],
  }
  expect(needsCountOf(network)).toBe(3 + 4 + 5 + 1 + 6 + 2 + 1)
})
