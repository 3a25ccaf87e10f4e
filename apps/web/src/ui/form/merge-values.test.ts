import { expect, test } from 'vitest'
import { mergeValues } from './merge-values.ts'

const base = { name: 'Manila', note: '', active: true, siteIds: [1, 2, 3] }

test('what only the other has changed is taken over', () => {
  const theirs = { ...base, name: 'Manila Bay', active: false }
  expect(mergeValues({ base, mine: { ...base, note: 'mine' }, theirs })).toEqual({
    values: { ...base, name: 'Manila Bay', active: false, note: 'mine' },
    clashes: [],
  })
})

test('what both have changed stays as typed here, and is named', () => {
  const mine = { ...base, name: 'Manila North', note: 'same' }
  const theirs = { ...base, name: 'Manila South', note: 'same' }
  expect(mergeValues({ base, mine, theirs })).toEqual({ values: mine, clashes: ['name'] })
})

test('entries added and taken away on both sides count', () => {
  const mine = { ...base, siteIds: [2, 3, 4] }
  const theirs = { ...base, siteIds: [1, 2, 5] }
  expect(mergeValues({ base, mine, theirs })).toEqual({
    values: { ...base, siteIds: [2, 5, 4] },
    clashes: [],
  })
})

test('another order of the same entries is no change', () => {
  const theirs = { ...base, siteIds: [3, 1, 2] }
  expect(mergeValues({ base, mine: base, theirs })).toEqual({ values: base, clashes: [] })
})

test('entries of several fields are compared by what they say', () => {
  const of = (...words: string[]) => ({ ...base, words: words.map((word) => ({ word })) })
  expect(
    mergeValues({ base: of('a', 'b'), mine: of('a', 'b', 'c'), theirs: of('a', 'd') }),
  ).toEqual({ values: of('a', 'd', 'c'), clashes: [] })
  expect(mergeValues({ base: of('a'), mine: of('a'), theirs: of('a') }).clashes).toEqual([])
})

test.each([
  ['nobody changed anything', 'a', 'a', 'a', 'a', false],
  ['I changed it', 'a', 'b', 'a', 'b', false],
  ['they changed it', 'a', 'a', 'c', 'c', false],
  ['both changed it alike', 'a', 'b', 'b', 'b', false],
  ['both changed it otherwise', 'a', 'b', 'c', 'b', true],
  ['I emptied it', 'a', '', 'a', '', false],
  ['they emptied it', 'a', 'a', '', '', false],
  ['I emptied what they changed', 'a', '', 'c', '', true],
  ['they emptied what I changed', 'a', 'b', '', 'b', true],
  ['they took it away', 'a', 'a', null, null, false],
  ['they gave it for the first time', null, null, 'c', 'c', false],
  ['a switch that both turned', true, false, false, false, false],
  ['an amount that both changed', 1, 2, 3, 2, true],
  ['nothing and zero are not the same', null, null, 0, 0, false],
])('%s', (_, before, mine, theirs, kept, clashes) => {
  expect(
    mergeValues<{ field: unknown }>({
      base: { field: before },
      mine: { field: mine },
      theirs: { field: theirs },
    }),
  ).toEqual({ values: { field: kept }, clashes: clashes ? ['field'] : [] })
})

test.each([
  ['both added the same', [1], [1, 2], [1, 2], [1, 2]],
  ['both took away the same', [1, 2], [1], [1], [1]],
  ['I took away what they kept', [1, 2], [1], [1, 2, 3], [1, 3]],
  ['they took away what I kept', [1, 2], [1, 2, 4], [2], [2, 4]],
  ['I emptied it, they added', [1, 2], [], [1, 2, 3], [3]],
  ['they emptied it, I added', [1, 2], [1, 2, 3], [], [3]],
  ['it was empty, both added', [], [1], [2], [2, 1]],
])('of a list: %s', (_, before, mine, theirs, kept) => {
  expect(
    mergeValues({ base: { ids: before }, mine: { ids: mine }, theirs: { ids: theirs } }),
  ).toEqual({ values: { ids: kept }, clashes: [] })
})
