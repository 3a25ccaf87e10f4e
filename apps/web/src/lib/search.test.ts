import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  parseSearch,
  searchChoice,
  searchDay,
  searchFlag,
  searchIds,
  searchInt,
  searchText,
  stringifySearch,
} from './search.ts'

const schema = z.object({
  page: searchInt(1, 100),
  sortAsc: searchFlag,
  groupBy: searchChoice(['date', 'agent']),
  start: searchDay,
  username: searchText(10),
})

test('what is written into the URL is read back the same', () => {
  const search = {
    page: 2,
    sortAsc: false,
    groupBy: 'agent',
    start: '2026-11-01',
    username: '007',
  } as const
  const text = stringifySearch(search)
  expect(text).toBe('?page=2&sortAsc=false&groupBy=agent&start=2026-11-01&username=007')
  expect(schema.parse(parseSearch(text))).toEqual(search)
})

test('what can’t be read counts as absent', () => {
  expect(
    schema.parse(
      parseSearch(
        '?page=0&sortAsc=maybe&groupBy=moon&start=2026-02-30&username=elevenchars&unknown=1',
      ),
    ),
  ).toEqual({})
})

test('absent values are left out of the URL', () => {
  expect(stringifySearch({ page: undefined, username: undefined })).toBe('')
})

test('several ids are written one after another; each counts once', () => {
  const ids = z.object({ siteIds: searchIds(100) })
  expect(ids.parse(parseSearch('?siteIds=7'))).toEqual({ siteIds: [7] })
  expect(ids.parse({ siteIds: [7, 9, 7] })).toEqual({ siteIds: [7, 9] })
  expect(ids.parse(parseSearch(stringifySearch({ siteIds: [7, 9] })))).toEqual({ siteIds: [7, 9] })
  const unread = ['', '0', '101', '1,,2', 'all'].map((siteIds) => ids.parse({ siteIds }))
  expect(unread).toEqual([{}, {}, {}, {}, {}])
})
