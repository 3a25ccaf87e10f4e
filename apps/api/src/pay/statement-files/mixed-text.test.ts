import { expect, test } from 'vitest'
import { linesOf, runsOf } from './mixed-text.ts'

const fontOf = (character: string) =>
  /\p{sc=Hebrew}/u.test(character)
    ? 'Hebrew'
    : /\p{sc=Arabic}/u.test(character)
      ? 'Arabic'
      : 'Inter'

const shown = (line: string) => runsOf(line, fontOf).map(({ text }) => text)

test.each([
  ['one direction is one run', 'Gold (new) 12', ['Gold (new) 12']],
  // The font lays out each Hebrew run from the right.
  ['words from the right stand in their order from the right', 'אב גד', ['גד', ' ', 'אב']],
  ['a number within them is read from the left', 'אב 12 גד', ['גד', ' ', '12', ' ', 'אב']],
  ['brackets turn to the other side', 'אב (גד)', ['(', 'גד', ') ', 'אב']],
  ['a foreign name within a sentence', 'for אב גד now', ['for ', 'גד', ' ', 'אב', ' now']],
])('%s', (_, line, runs) => expect(shown(line)).toEqual(runs))

const measure = (text: string) => Array.from(text).length

test.each([
  ['at blanks', 'one two three', 7, ['one two', 'three']],
  ['between Chinese characters', '怡朗辦事處', 2, ['怡朗', '辦事', '處']],
  ['within a word that is longer than a line', 'abcdefg hi', 3, ['abc', 'def', 'g', 'hi']],
  ['where the text breaks itself', 'a\nb', 9, ['a', 'b']],
  ['nothing is one empty line', '', 9, ['']],
])('lines break %s', (_, text, width, lines) =>
  expect(linesOf(text, width, measure)).toEqual(lines),
)
