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

test('a search survives the round trip through the URL', () => {
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

test('invalid values count as missing', () => {
  expect(
    schema.parse(
      parseSearch(
        '?page=0&sortAsc=maybe&groupBy=moon&start=2026-02-30&username=elevenchars&unknown=1',
      ),
    ),
  ).toEqual({})
})

test('missing values are left out of the URL', () => {
  expect(stringifySearch({ page: undefined, username: undefined })).toBe('')
})

test('ids are separated by commas, and duplicates dropped', () => {
  const ids = z.object({ siteIds: searchIds(100) })
  expect(ids.parse(parseSearch('?siteIds=7'))).toEqual({ siteIds: [7] })
  expect(ids.parse({ siteIds: [7, 9, 7] })).toEqual({ siteIds: [7, 9] })
  expect(ids.parse(parseSearch(stringifySearch({ siteIds: [7, 9] })))).toEqual({ siteIds: [7, 9] })
  const unread = ['', '0', '101', '1,,2', 'all'].map((siteIds) => ids.parse({ siteIds }))
  expect(unread).toEqual([{}, {}, {}, {}, {}])
})

test.each([
  ['1', 1],
  ['100', 100],
  ['101', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1.0', 1],
  ['1.5', undefined],
  ['1e1', 10],
  [' 7 ', 7],
  ['seven', undefined],
  ['Infinity', undefined],
  ['NaN', undefined],
  [7, 7],
])('a number in the URL: %o', (page, read) => {
  expect(schema.parse({ page })).toEqual(read === undefined ? {} : { page: read })
})

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-1-1', undefined],
  ['2026-01-01T00:00:00Z', undefined],
  ['today', undefined],
])('a day in the URL: %s', (start, read) => {
  expect(schema.parse({ start })).toEqual(read === undefined ? {} : { start: read })
})

test.each([
  ['true', true],
  ['false', false],
  [true, true],
  [false, false],
  ['1', undefined],
  ['TRUE', undefined],
  ['', undefined],
])('a flag in the URL: %o', (sortAsc, read) => {
  expect(schema.parse({ sortAsc })).toEqual(read === undefined ? {} : { sortAsc: read })
})

test.each(['a&b=c', '100 %', '#?/', 'ñandú', '+', '😀', '"\'<', 'a b'])(
  'text survives the round trip through the URL: %s',
  (username) => {
    expect(schema.parse(parseSearch(stringifySearch({ username })))).toEqual({ username })
  },
)

test('the last of repeated parameters counts, and none reaches the prototype', () => {
  expect(schema.parse(parseSearch('?page=2&page=3'))).toEqual({ page: 3 })
  expect(schema.parse(parseSearch('?__proto__=1&constructor=2&page=2'))).toEqual({ page: 2 })
  expect({}).not.toHaveProperty('page')
})
