import { type Endpoint, FORM_KEY_HEADER } from '@tallyroom/contract/endpoint'
import type { OpenForm } from './open-form.ts'
import { randomUuid } from '../random-uuid.ts'
import { storedValue } from '../stored.ts'

/** A call that a form made. */
interface Sent {
  call: string
  key: string
  at: number
  /** Which tab sent it, from when it was loaded. */
  tab: string
  /** `lost`: nobody knows whether it was done. */
  state: 'under way' | 'lost' | 'done'
}

const MOST_KEPT = 30

/** Newest last, so that another tab, or a page that was reloaded, knows of it. */
const sent = storedValue('sent-forms', (text): Sent[] => {
  const kept: unknown = JSON.parse(text)
  return Array.isArray(kept) ? kept.filter(isSent) : []
})

const tab = randomUuid()

/**
 * The key with which a form's call is sent, and what to say of its answer. It is the key of a call that was sent from the
 * same page before if its answer was lost, or if another tab sent it while this form was open.
 */
export function keyFor(
  form: OpenForm,
  { method }: Pick<Endpoint, 'method'>,
  url: string,
): { key: string; answered: (status: number) => void } {
  const own = (form.key ??= randomUuid())
  const call = `${method} ${url} ${location.pathname}`
  const before = sent.get()?.find((one) => one.call === call)
  const isSame =
    before &&
    (before.state === 'lost' ||
      (before.tab !== tab && (before.state === 'under way' || before.at > form.openedAt)))
  const key = isSame ? before.key : own
  const keep = (state?: Sent['state']) => {
    const others = (sent.get() ?? []).filter((other) => other.call !== call)
    const one = state && { call, key, at: Date.now(), tab, state }
    sent.set([...others, ...(one ? [one] : [])].slice(-MOST_KEPT))
  }
  keep('under way')
  return {
    key,
    /** @param status 0 if there was no answer. */
    answered: (status) => {
      if (status === 0 || status >= 500) keep('lost')
      // A refused call did nothing, or nothing any more.
      else keep(status < 300 ? 'done' : undefined)
    },
  }
}

/** Sends a form's call, again with the same key if it is sent again. */
export function withKey(
  form: OpenForm,
  endpoint: Endpoint,
  url: string,
  send: (headers: Record<string, string>) => Promise<Response>,
): (more?: Record<string, string>) => Promise<Response> {
  const { key, answered } = keyFor(form, endpoint, url)
  return async (more = {}) => {
    try {
      const response = await send({ ...more, [FORM_KEY_HEADER]: key })
      answered(response.status)
      return response
    } catch (error) {
      answered(0)
      throw error
    }
  }
}

/** Hoisted: what is stored is read at once. */
function isSent(one: unknown): one is Sent {
  return (
    typeof one === 'object' &&
    one !== null &&
    ['call', 'key', 'tab', 'state'].every(
      (name) => typeof (one as Record<string, unknown>)[name] === 'string', // an object of whatever kind
    ) &&
    'at' in one &&
    typeof one.at === 'number'
  )
}
