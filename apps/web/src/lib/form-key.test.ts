import { beforeEach, expect, test, vi } from 'vitest'

const put = { method: 'PUT' } as const
const URL = '/api/pay/adjustments'

/** A tab of one browser, which hears of other tabs at once. */
async function openTab() {
  vi.resetModules()
  const { keyFor, openForm, sendingAs } = await import('./form-key.ts')
  return () => {
    const form = openForm()
    return { key: form.key, send: () => sendingAs(form, () => keyFor(put, URL)) }
  }
}

const later = () => vi.advanceTimersByTime(1000)

beforeEach(() => {
  vi.useFakeTimers()
  const kept = new Map<string, string>()
  const listeners = new Set<(event: { key: string }) => void>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      kept.set(key, text)
      listeners.forEach((hear) => hear({ key }))
    },
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('window', {
    addEventListener: (_: string, hear: (event: { key: string }) => void) => listeners.add(hear),
  })
  vi.stubGlobal('location', { pathname: '/app/pay/balances/office/2' })
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('a form has one key until it has done its act', async () => {
  const open = await openTab()
  const form = open()
  const first = form.send()
  expect(first.key).toBe(form.key)
  expect(form.send().key).toBe(form.key)
  first.answered(200)
  later()
  const next = open()
  expect(next.send().key).toBe(next.key)
})

test('if its answer was lost, the form has the same key when it is opened again', async () => {
  const lost = (await openTab())()
  lost.send()
  later()
  const again = (await openTab())()
  const sent = again.send()
  expect(sent.key).toBe(lost.key)
  sent.answered(503)
  expect(again.send().key).toBe(lost.key)
})

test('a form that was open while another tab sent it has the other’s key', async () => {
  const [one, other] = [(await openTab())(), (await openTab())()]
  later()
  one.send().answered(200)
  expect(other.send().key).toBe(one.key)
})

test('after a refusal, a new form has a new key', async () => {
  const open = await openTab()
  const form = open()
  form.send().answered(409)
  later()
  const next = open()
  expect(next.send().key).toBe(next.key)
})

test('forms of other pages have their own keys', async () => {
  const open = await openTab()
  open().send()
  vi.stubGlobal('location', { pathname: '/app/pay/balances/office/3' })
  const form = open()
  expect(form.send().key).toBe(form.key)
})
