import { expect, test } from 'vitest'
import { z } from 'zod'
import { randomUuid } from './random-uuid.ts'

test('each UUID is different', () => {
  const made = Array.from({ length: 200 }, randomUuid)
  expect(new Set(made).size).toBe(200)
  for (const one of made) expect(z.uuidv4().safeParse(one).success).toBe(true)
})
