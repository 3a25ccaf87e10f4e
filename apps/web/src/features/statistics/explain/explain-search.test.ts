import { describe, expect, test } from 'vitest'
import { explainSearch, explainTitle, readExplained, rowKeyOf } from './explain-search.ts'

test.each([
  [{ column: 'payout', row: {} }, 'payout...'],
  [{ column: 'bonusPayout', row: { date: '2026-11-16' } }, 'bonusPayout.2026-11-16..'],
  [{ column: '12_payout', row: { companyId: 7 } }, '12_payout..7.'],
  [
    { column: 'payoutDollars', row: { date: '2026-11-16', companyId: 7, agentId: 40 } },
    'payoutDollars.2026-11-16.7.40',
  ],
])('an amount comes back from the URL as it went in: %o', (amount, text) => {
  expect(explainSearch(amount).explain).toBe(text)
  expect(readExplained(text)).toEqual(amount)
})

test.each([undefined, '', 'payout', 'payout.2026-02-30..', 'payout..0.', 'payout..7.x', 'a b...'])(
  'what names no amount is none: %s',
  (text) => {
    expect(readExplained(text)).toBeUndefined()
  },
)

test('a row has the key that its view has', () => {
  const figures = { raws: 1, uniques: 1, sales: 1, bonusSales: 0, bonusRatio: 0 }
  expect(rowKeyOf({ ...figures, companyId: 7, officeName: 'Manila' })).toEqual({ companyId: 7 })
  expect(rowKeyOf({ ...figures, date: '2026-11-16' })).toEqual({ date: '2026-11-16' })
})

describe('the title names whose amount it is:', () => {
  const headers = [{ id: 'payout', header: 'Payout' }]
  const unknown = () => undefined
  const names = { site: unknown, type: unknown, office: unknown, agent: unknown, tier: 'All' }
  const figures = { raws: 1, uniques: 1, sales: 1, bonusSales: 0, bonusRatio: 0 }
  const gold = { ...figures, typeId: 5, typename: 'Gold', siteId: 3, sitename: 'Lantern Live' }

  test('a link type by its site and name, although no site is chosen', () => {
    const amount = { column: 'payout', row: rowKeyOf(gold) }
    const title = explainTitle(amount, { headers, rows: [gold], names })
    expect(title).toBe('Payout · Lantern Live · Gold')
  })

  test('a row of another page by the names of the criteria, or its id', () => {
    const row = { date: '2026-11-16', agentId: 40, typeId: 5 }
    const known = { ...names, agent: () => 'maria' }
    const title = explainTitle({ column: 'payout', row }, { headers, rows: [], names: known })
    expect(title).toBe('Payout · 2026-11-16 · maria · Link type #5')
  })

  test('no row as the overall total', () => {
    const amount = { column: 'payout', row: {} }
    const title = explainTitle(amount, { headers, rows: [gold], names })
    expect(title).toBe('Payout · Overall total')
  })
})
