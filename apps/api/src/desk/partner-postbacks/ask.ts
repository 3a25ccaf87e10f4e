import { brandOf, headerNameOf } from '@tallyroom/domain/brands/index'
import { fillPostbackUrl, type MacroValues } from '@tallyroom/domain/partner-postback'
import {
  type Chooser,
  type Outgoing,
  type SafeAnswer,
  SafeFetchError,
  type SafeRequest,
} from '../../lib/net/safe-fetch.ts'
import type { Services } from '../../services.ts'

/** What a target is asked, and what its log shows of that: nothing with which somebody could forge it. */
export type Ask = {
  url: string
  /** Who chose the URL. Of what a partner's URL answers, only text is kept. */
  chosenBy: Chooser
  /** @throws SafeFetchError if it can't be made. */
  request: () => Pick<SafeRequest, 'method' | 'headers' | 'body'>
  shown: { url: string; body: string | null }
}

/** A URL with its macros filled. */
export const postbackAsk = (
  { config }: Pick<Services, 'config'>,
  { url, ofNetwork }: { url: string; ofNetwork: boolean },
  values: MacroValues,
): Ask => ({
  url: fillPostbackUrl(url, values),
  chosenBy: ofNetwork ? 'network' : 'partners',
  request: () => ({ headers: { 'user-agent': `${headerNameOf(brandOf(config.brand))} postback` } }),
  shown: { url: fillPostbackUrl(url, { ...values, token: '…' }), body: null },
})

export type Answered = {
  kept: { status: number | null; answer: string | null; error: string | null }
  /** Milliseconds that the target wants us to wait. */
  retryAfterMs?: number | undefined
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** However long a server asks us to wait: its target gets nothing meanwhile. */
export const LONGEST_RETRY_AFTER_MS = 60 * MINUTE
/** How much of an answer is kept, in characters. */
const KEPT_ANSWER = 2_048

/** Asks a target once. */
export async function ask(
  outgoing: Outgoing,
  { url, chosenBy, request }: Ask,
  signal?: AbortSignal,
): Promise<Answered> {
  try {
    const answer = await outgoing[chosenBy](url, { ...request(), ...(signal && { signal }) })
    const text = chosenBy === 'network' || isText(answer) ? textOf(answer) : null
    const kept = { status: answer.status, answer: text, error: null }
    return { kept, retryAfterMs: retryAfterOf(answer) }
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    return { kept: { status: null, answer: null, error: error.message } }
  }
}

const textOf = ({ body }: SafeAnswer): string =>
  body.toString('utf8').replaceAll('\0', '').slice(0, KEPT_ANSWER).toWellFormed()

const isText = ({ headers }: SafeAnswer): boolean =>
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i.test(headers['content-type'] ?? '')

/** `Retry-After` in seconds or as a date; for 429 without one, a minute. */
function retryAfterOf({ status, headers }: SafeAnswer): number | undefined {
  const said = headers['retry-after']
  if (status !== 429 && !(status === 503 && said !== undefined)) return undefined
  const seconds = Number(said)
  const ms = Number.isFinite(seconds) ? seconds * SECOND : Date.parse(said ?? '') - Date.now()
  return Math.min(Math.max(Number.isFinite(ms) ? ms : MINUTE, SECOND), LONGEST_RETRY_AFTER_MS)
}

export const isSuccess = ({ kept: { status } }: Answered): boolean =>
  status !== null && status >= 200 && status < 300

export const isGone = ({ kept: { status } }: Answered): boolean => status === 410
