import { beforeEach, expect, test, vi } from 'vitest'
import { formBeingSent, openForm, sendingAs } from './open-form.ts'

const put = { method: 'PUT' } as const
const URL = '/api/pay/adjustments'

/** A tab of one browser, which hears of other tabs at once. */
async function openTab() {
  vi.resetModules()
  const { keyFor } = await import('./form-key.ts')
  return () => {
    const form = openForm()
    return { form, send: () => keyFor(form, put, URL) }
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
  expect(first.key).toBe(form.form.key)
  expect(form.send().key).toBe(form.form.key)
  first.answered(200)
  later()
  const next = open()
  expect(next.send().key).toBe(next.form.key)
})

test.each([0, 503])(
  'if it was answered %i, the form has the same key when it is opened again, also after a reload',
  async (status) => {
    const open = await openTab()
    const lost = open()
    lost.send().answered(status)
    later()
    expect(open().send().key).toBe(lost.form.key)
    later()
    const again = (await openTab())()
    expect(again.send().key).toBe(lost.form.key)
  },
)

test('a page that was reloaded before the answer came has the same key', async () => {
  const sent = (await openTab())()
  sent.send()
  later()
  expect((await openTab())().send().key).toBe(sent.form.key)
})

test('forms of one tab that make the same call have their own keys', async () => {
  const open = await openTab()
  const [one, other] = [open(), open()]
  later()
  one.send().answered(200)
  expect(other.send().key).toBe(other.form.key)
  expect(one.send().key).toBe(one.form.key)
})

test('a form that was open while another tab sent it has the other’s key', async () => {
  const [one, other] = [(await openTab())(), (await openTab())()]
  later()
  one.send().answered(200)
  expect(other.send().key).toBe(one.form.key)
})

test('after a refusal, a new form has a new key', async () => {
  const open = await openTab()
  const form = open()
  form.send().answered(409)
  later()
  const next = open()
  expect(next.send().key).toBe(next.form.key)
})

test('forms of other pages have their own keys', async () => {
  const open = await openTab()
  open().send()
  vi.stubGlobal('location', { pathname: '/app/pay/balances/office/3' })
  const form = open()
  expect(form.send().key).toBe(form.form.key)
})

test('a call is that of a form only if its form makes it', () => {
  const form = openForm()
  expect(sendingAs(form, formBeingSent)).toBe(form)
  expect(formBeingSent()).toBe(undefined)
})
