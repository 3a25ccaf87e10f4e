import { expect, test } from 'vitest'
import { tooLargeText } from './base64.ts'

test.each([
  [650_000, undefined],
  [650_001, 'The file has 0.7 MB, and may have 650 kB, some 10,000 lines. Cut it.'],
  [104_857_600, 'The file has 105 MB, and may have 650 kB, some 10,000 lines. Cut it.'],
])('a file of %d bytes: %s', (size, said) => {
  expect(tooLargeText({ size }, 'Cut it.')).toBe(said)
})
