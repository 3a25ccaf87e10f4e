import { expect, test } from 'vitest'
import { z } from 'zod'
import { randomUuid } from './random-uuid.ts'

test('each one is a UUID of its own', () => {
  const made = Array.from({ length: 200 }, randomUuid)
  expect(new Set(made).size).toBe(200)
  for (const one of made) expect(z.uuidv4().safeParse(one).success).toBe(true)
})
