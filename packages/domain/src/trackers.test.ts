import { expect, test } from 'vitest'
import { isStanding, knownStanding, knownStatusWords, statusKey } from './standings.ts'
import { TRACKER_IDS } from './tracker-ids.ts'
import { TRACKERS } from './trackers.ts'

test('every tracker is known by its id, in the order of their names', () => {
  expect(TRACKERS.map(({ id }) => id)).toEqual(TRACKER_IDS)
  const names = TRACKERS.map(({ name }) => name.toLowerCase())
  expect(names).toEqual(names.toSorted())
})

test('every tracker says where its click is, and its words are in lower case and each once', () => {
  for (const { names, eventWords, statusWords } of TRACKERS) {
    expect(names.click_id?.length).toBeGreaterThan(0)
    for (const words of [eventWords.map(({ word }) => word), statusWords.map(({ word }) => word)]) {
      expect(words).toEqual([...new Set(words.map((word) => word.toLowerCase()))])
    }
  }
})

test('a status word means one thing, however its parts are joined', () => {
  const words = knownStatusWords()
  expect(new Set(words).size).toBe(words.length)
  expect(words.every((word) => word === statusKey(word))).toBe(true)
  expect(['On Hold', 'on_hold', 'ON-HOLD'].map(knownStanding)).toEqual([
    'pending',
    'pending',
    'pending',
  ])
  expect(knownStanding('whatever')).toBeUndefined()
  expect([isStanding('counts'), isStanding('count')]).toEqual([true, false])
})
