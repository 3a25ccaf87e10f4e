import { expect, test } from 'vitest'
import { pageOfWhole, partsOfWhole } from './whole-list.ts'

const rows = ['a', 'b', 'c', 'd', 'e']

test.each([
  [{ page: 1, pageSize: 2 }, ['a', 'b']],
  [{ page: 3, pageSize: 2 }, ['e']],
  [{ page: 4, pageSize: 2 }, []],
  [{ page: 1, pageSize: 5 }, rows],
  [{ page: 1, pageSize: 500 }, rows],
])('a whole list is cut to the page %o, with the total of all rows', async (part, items) => {
  const query = { data: rows, error: null, isPlaceholderData: false, refetch: () => {} }
  expect(pageOfWhole(query, part).data).toEqual({ items, total: 5 })
  expect(await partsOfWhole(rows)(part)).toEqual({ items, total: 5 })
})

test('a list that has not loaded has no page', async () => {
  const query = { data: undefined, error: null, isPlaceholderData: false, refetch: () => {} }
  expect(pageOfWhole(query, { page: 1, pageSize: 25 }).data).toBeUndefined()
  expect(await partsOfWhole()({ page: 1, pageSize: 25 })).toEqual({ items: [], total: 0 })
})
