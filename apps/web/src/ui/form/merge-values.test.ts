import { expect, test } from 'vitest'
import { mergeValues } from './merge-values.ts'

const base = { name: 'Manila', note: '', active: true, siteIds: [1, 2, 3] }

test('a field that only they changed takes their value', () => {
  const theirs = { ...base, name: 'Manila Bay', active: false }
  expect(mergeValues({ base, mine: { ...base, note: 'mine' }, theirs })).toEqual({
    values: { ...base, name: 'Manila Bay', active: false, note: 'mine' },
    clashes: [],
  })
})

test('a field that both changed keeps my value and is reported', () => {
  const mine = { ...base, name: 'Manila North', note: 'same' }
  const theirs = { ...base, name: 'Manila South', note: 'same' }
  expect(mergeValues({ base, mine, theirs })).toEqual({ values: mine, clashes: ['name'] })
})

test('list entries added and removed on both sides are merged', () => {
  const mine = { ...base, siteIds: [2, 3, 4] }
  const theirs = { ...base, siteIds: [1, 2, 5] }
  expect(mergeValues({ base, mine, theirs })).toEqual({
    values: { ...base, siteIds: [2, 5, 4] },
    clashes: [],
  })
})

test('the order of list entries does not matter', () => {
  const theirs = { ...base, siteIds: [3, 1, 2] }
  expect(mergeValues({ base, mine: base, theirs })).toEqual({ values: base, clashes: [] })
})

test('list entries that are objects are compared by value', () => {
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
  ['both changed it to the same value', 'a', 'b', 'b', 'b', false],
  ['both changed it to different values', 'a', 'b', 'c', 'b', true],
  ['I emptied it', 'a', '', 'a', '', false],
  ['they emptied it', 'a', 'a', '', '', false],
  ['I emptied what they changed', 'a', '', 'c', '', true],
  ['they emptied what I changed', 'a', 'b', '', 'b', true],
  ['they removed it', 'a', 'a', null, null, false],
  ['they set it for the first time', null, null, 'c', 'c', false],
  ['both turned the same switch', true, false, false, false, false],
  ['both changed an amount', 1, 2, 3, 2, true],
  ['null and zero differ', null, null, 0, 0, false],
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
  ['both added the same entry', [1], [1, 2], [1, 2], [1, 2]],
  ['both removed the same entry', [1, 2], [1], [1], [1]],
  ['I removed an entry that they kept', [1, 2], [1], [1, 2, 3], [1, 3]],
  ['they removed an entry that I kept', [1, 2], [1, 2, 4], [2], [2, 4]],
  ['I emptied it, they added', [1, 2], [], [1, 2, 3], [3]],
  ['they emptied it, I added', [1, 2], [1, 2, 3], [], [3]],
  ['it was empty, both added', [], [1], [2], [2, 1]],
])('a list: %s', (_, before, mine, theirs, kept) => {
  expect(
    mergeValues({ base: { ids: before }, mine: { ids: mine }, theirs: { ids: theirs } }),
  ).toEqual({ values: { ids: kept }, clashes: [] })
})
