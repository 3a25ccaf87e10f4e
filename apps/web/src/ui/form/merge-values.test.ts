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
