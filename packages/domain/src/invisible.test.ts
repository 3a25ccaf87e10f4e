import { expect, test } from 'vitest'
import { inSentence } from './invisible.ts'

test('within a sentence, no text turns what follows it', () => {
  expect(inSentence('A\u202Eb\u2066c\u2069\u202c')).toBe('A\ufffdb\ufffdc\ufffd\ufffd')
  expect(inSentence('a b-1 é שלום\u200f')).toBe('a b-1 é שלום\u200f')
})
