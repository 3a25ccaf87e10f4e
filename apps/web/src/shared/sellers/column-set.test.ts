import { sortFields } from '@tallyroom/contract/list-choices'
import { expect, test } from 'vitest'
import { setOf } from './column-set.ts'

test.each([
  [{}, undefined],
  [{ show: 'accounts' }, 'accounts'],
  [{ show: 'accounts', sortField: 'sales' }, 'accounts'],
  [{ sortField: 'sales' }, 'sellers'],
  [{ sortField: 'lastSale' }, 'sellers'],
  [{ sortField: 'lastLoginTime' }, 'accounts'],
  [{ sortField: 'status' }, undefined],
] as const)('a URL with %j shows %s', (asked, set) => {
  expect(setOf(asked)).toBe(set)
})

test('what both sets can be sorted by is said by none', () => {
  const shared = [...sortFields.agents, ...sortFields.offices].filter(
    (sortField) => setOf({ sortField }) === undefined,
  )
  expect([...new Set(shared)]).toEqual(['match', 'username', 'officeName', 'status', 'agentsCount'])
})
