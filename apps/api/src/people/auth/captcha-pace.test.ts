import { expect, test } from 'vitest'
import { movingClock } from '../../lib/clock.ts'
import { makeCaptchaPace } from './captcha-pace.ts'

const clock = movingClock('2026-03-01T15:00:00Z')

test('thirty captchas a minute come at once, further ones more and more slowly', async () => {
  const waits: number[] = []
  const pace = makeCaptchaPace(clock, async (ms) => void waits.push(ms))
  for (let n = 0; n < 30; n++) await pace('203.0.113.7')
  expect(waits).toEqual([])
  for (let n = 0; n < 10; n++) await pace('203.0.113.7')
  expect(waits).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
  await pace('203.0.113.8')
  expect(waits).toHaveLength(10)
  for (let n = 0; n < 300; n++) await pace('203.0.113.7')
  expect(Math.max(...waits)).toBe(20_000)

  clock.advance(60_000)
  const before = waits.length
  await pace('203.0.113.7')
  expect(waits).toHaveLength(before)
})

test('a hundred calls of one subscriber wait, others still get through, and slots are freed', async () => {
  let release = () => {}
  const pace = makeCaptchaPace(clock, () => new Promise<void>((resolve) => (release = resolve)))
  const asked = Array.from({ length: 130 }, () => pace('203.0.113.7'))
  await expect(pace('203.0.113.7')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await pace('203.0.113.8')
  release()
  await asked.at(-1)
  const next = pace('203.0.113.7')
  release()
  await next
})
