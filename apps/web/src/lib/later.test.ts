import { expect, test, vi } from 'vitest'
import { fetchAhead, later, loadLater } from './later.ts'

test('a part is fetched once, however often it is asked for', async () => {
  const fetchPart = vi.fn<() => Promise<{ name: string }>>(() => Promise.resolve({ name: 'menu' }))
  const part = later(fetchPart)
  expect(part.now()).toBeUndefined()
  await Promise.all([part.load(), part.load()])
  await part.load()
  expect(part.now()).toEqual({ name: 'menu' })
  expect(fetchPart).toHaveBeenCalledTimes(1)
})

test('what can’t be fetched is fetched anew when it is asked for again', async () => {
  let isOnline = false
  const part = later(() =>
    isOnline ? Promise.resolve({ name: 'menu' }) : Promise.reject(new Error('offline')),
  )
  await expect(part.load()).rejects.toThrow('offline')
  fetchAhead(part)
  await expect(part.load()).rejects.toThrow('offline')
  isOnline = true
  await part.load()
  expect(part.now()).toEqual({ name: 'menu' })
})

test('nothing is fetched ahead before the first page is painted, then all, and what later pages bring too', async () => {
  const early = later(() => Promise.resolve({ name: 'dialog' }))
  await Promise.resolve()
  expect(early.now()).toBeUndefined()
  loadLater()
  await vi.waitFor(() => expect(early.now()).toEqual({ name: 'dialog' }))
  const late = later(() => Promise.resolve({ name: 'calendar' }))
  await vi.waitFor(() => expect(late.now()).toEqual({ name: 'calendar' }))
})
