import { afterEach, expect, test, vi } from 'vitest'
import { askAhead, takeFirstAnswer } from './first-data.ts'

afterEach(() => {
  globalThis.tallyroomFirst = undefined
  vi.unstubAllGlobals()
})

test('what the first page asks ahead is handed to the same call once, and to no other', async () => {
  const answer = new Response('rows')
  vi.stubGlobal('fetch', () => Promise.resolve(answer))
  globalThis.tallyroomFirst = { token: 'mine', answers: {} }

  askAhead('/api/stats/sites', { page: 1 })

  expect(takeFirstAnswer('/api/stats/sites', 'mine', '{"page":2}')).toBeUndefined()
  expect(takeFirstAnswer('/api/stats/sites', 'mine')).toBeUndefined()
  expect(takeFirstAnswer('/api/stats/sites', 'another', '{"page":1}')).toBeUndefined()
  expect(await takeFirstAnswer('/api/stats/sites', 'mine', '{"page":1}')).toBe(answer)
  expect(takeFirstAnswer('/api/stats/sites', 'mine', '{"page":1}')).toBeUndefined()
})

test('later pages send nothing ahead', () => {
  const fetch = vi.fn<() => Promise<Response>>()
  vi.stubGlobal('fetch', fetch)

  askAhead('/api/stats/sites', { page: 1 })

  expect(fetch).not.toHaveBeenCalled()
})
