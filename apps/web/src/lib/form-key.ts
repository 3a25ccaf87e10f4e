import type { Endpoint } from '@tallyroom/contract/endpoint'
import { randomUuid } from './random-uuid.ts'
import { storedValue } from './stored.ts'

/** A form, from when it opens until it has done its act. */
export interface OpenForm {
  key: string
  openedAt: number
}

export const openForm = (): OpenForm => ({ key: randomUuid(), openedAt: Date.now() })

/** What was sent from a page, newest last, so that another tab, or a page that was reloaded, knows of it. */
type Sent = { call: string; key: string; at: number; isAnswered: boolean }[]

const MOST_KEPT = 30

const sent = storedValue('sent-forms', (text): Sent => {
  const kept: unknown = JSON.parse(text)
  return Array.isArray(kept) ? kept.filter(isSent) : []
})

let sending: OpenForm | undefined

/** Calls that `send` makes at once have the key of this form. */
export function sendingAs<Result>(form: OpenForm, send: () => Result): Result {
  sending = form
  try {
    return send()
  } finally {
    sending = undefined
  }
}

/**
 * The key with which a call is sent that does its act once, and what to say of its answer. It is the key of a call that was
 * sent from this page before if nobody knows what became of that one, or if another tab sent it while this form was open.
 */
export function keyFor(
  { method }: Pick<Endpoint, 'method'>,
  url: string,
): { key: string; answered: (status: number) => void } {
  const { key: own, openedAt } = sending ?? openForm()
  const call = `${method} ${url} ${location.pathname}`
  const before = sent.get()?.find((one) => one.call === call)
  const key = before && (!before.isAnswered || before.at > openedAt) ? before.key : own
  const keep = (one: Sent[number] | undefined) =>
    sent.set(
      [...(sent.get() ?? []).filter((other) => other.call !== call), ...(one ? [one] : [])].slice(
        -MOST_KEPT,
      ),
    )
  keep({ call, key, at: Date.now(), isAnswered: false })
  return {
    key,
    answered: (status) => {
      if (status < 300) keep({ call, key, at: Date.now(), isAnswered: true })
      // It did nothing, or nothing any more. Above 500, nobody knows.
      else if (status < 500) keep(undefined)
    },
  }
}

/** Hoisted: what is stored is read at once. */
function isSent(one: unknown): one is Sent[number] {
  return (
    typeof one === 'object' &&
    one !== null &&
    'call' in one &&
    'key' in one &&
    typeof one.key === 'string' &&
    'at' in one &&
    typeof one.at === 'number' &&
    'isAnswered' in one
  )
}
