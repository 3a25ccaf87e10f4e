import { afterEach, expect, test, vi } from 'vitest'
import { storedValue } from './stored.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser whose tabs learn of each other's changes only when the test tells them. */
function browser() {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  const openTab = () => {
    let hear: (event: { key: string }) => void = () => {}
    vi.stubGlobal('window', {
      addEventListener: (_: string, listener: typeof hear) => (hear = listener),
    })
    const tab = storedValue('session', (text) => JSON.parse(text) as string)
    return { ...tab, hear: () => hear({ key: 'session' }) }
  }
  return { kept, openTab }
}

test('a change in one tab reaches another', () => {
  const { openTab } = browser()
  const [one, other] = [openTab(), openTab()]
  one.set('signed in')
  expect(other.get()).toBe(null)
  other.hear()
  expect(other.get()).toBe('signed in')
})

test('a tab that has not heard of the change does not restore what another tab has ended', () => {
  const { kept, openTab } = browser()
  const one = openTab()
  one.set('signed in')
  const other = openTab()
  one.set(null)
  other.renew('signed in, with newer rights')
  expect(kept.size).toBe(0)
  other.hear()
  expect(other.get()).toBe(null)
})

test('a value is renewed unless somebody else has changed it, also without storage', () => {
  const { openTab } = browser()
  const one = openTab()
  one.set('signed in')
  one.renew('signed in, with newer rights')
  expect(openTab().get()).toBe('signed in, with newer rights')

  vi.stubGlobal('localStorage', undefined)
  const alone = openTab()
  alone.set('signed in')
  alone.renew('signed in, with newer rights')
  expect(alone.get()).toBe('signed in, with newer rights')
})
