import { expect, test } from 'vitest'
import { countOutcomes, inLineOrder, linesLeft, linesOf } from './lines.ts'

test('lines are trimmed, and empty and repeated ones dropped, for every kind of line break', () => {
  expect(linesOf(' 192.0.2.7\r\n\n2001:db8::1 \r192.0.2.7\n\t\n')).toEqual([
    '192.0.2.7',
    '2001:db8::1',
  ])
  expect(linesOf(' \n ')).toEqual([])
})

test('refused and unprocessed lines stay, in order', () => {
  const results = [
    { line: 'b', isDone: true, outcome: 'added' },
    { line: 'a', isDone: false, outcome: 'is not an address' },
  ]
  expect(linesLeft(['a', 'b', 'c'], results)).toEqual(['a', 'c'])
})

test('results are sorted in the order of the list', () => {
  const result = (line: string) => ({ line, isDone: true, outcome: 'added' })
  expect(inLineOrder(['c', 'a', 'b'].map(result), ['a', 'b', 'c'])).toEqual(
    ['a', 'b', 'c'].map(result),
  )
})

test('outcomes are counted', () => {
  const result = (outcome: string) => ({ line: '', isDone: true, outcome })
  expect(countOutcomes([result('added'), result('already there'), result('added')])).toEqual([
    ['added', 2],
    ['already there', 1],
  ])
})
