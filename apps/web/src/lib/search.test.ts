import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  parseSearch,
  searchChoice,
  searchDay,
  searchFlag,
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
