import { expect, test } from 'vitest'
import { whatIfSearch } from './what-if-search.ts'

test.each([
  ['several', { companyIds: '4,5', siteIds: '2' }, { companyIds: [4, 5], siteIds: [2] }],
  [
    'one of each, as views saved it before',
    { companyId: '4', siteId: '2' },
    { companyIds: [4], siteIds: [2] },
  ],
  ['all offices', { siteIds: '2' }, { siteIds: [2] }],
])('the URL of What if names %s', (_, search, criteria) => {
  const rates = '7:450:'
  const read: unknown = JSON.parse(JSON.stringify(whatIfSearch.parse({ ...search, rates })))
  expect(read).toEqual({ ...criteria, rates })
})
