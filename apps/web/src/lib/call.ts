import {
  type AnswerOf,
  type Endpoint,
  type InputOf,
  UNATTENDED_HEADER,
} from '@tallyroom/contract/endpoint'
import {
  ERROR_CODE_HEADER,
  errorBodySchema,
  type ErrorCode,
  errorStatus,
} from '@tallyroom/contract/errors'
import { ApiError } from './api-error.ts'
import { takeFirstAnswer } from './first-data.ts'
import { formBeingSent } from './forms/open-form.ts'
import { withProof } from './proof.ts'
import { readSession } from './session.ts'

type Parts = { params?: object; query?: object; body?: unknown }

interface CallOptions {
  signal?: AbortSignal
  token?: string
}

/**
 * Calls an endpoint of the contract and returns its parsed response.
 * @throws ApiError if the server refuses, can't be reached, or sends an unexpected response.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  return answerOf(endpoint, await responseTo(endpoint, input, options))
}

/** An answer with its ETag. */
export interface Marked<Answer> {
  answer: Answer
  mark: string | null
}

/** Calls a `revalidated` endpoint again. Returns `last` itself if the server answers 304. */
export async function callAgain<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  last: Marked<AnswerOf<E>> | undefined,
  options: CallOptions = {},
): Promise<Marked<AnswerOf<E>>> {
  const headers = last?.mark ? { 'If-None-Match': last.mark } : {}
  const response = await responseTo(endpoint, input, options, headers)
  if (response.status === 304 && last) return last
  return { answer: await answerOf(endpoint, response), mark: response.headers.get('ETag') }
}

/** The raw response to a call. It may be a refusal: see {@link refusalOf}. */
export async function responseTo<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, token = readSession()?.token }: CallOptions,
  headers: Record<string, string> = {},
): Promise<Response> {
  // Asked before anything is awaited. Queries are of no form.
  const form = endpoint.once && formBeingSent()
  const plain = (more: Record<string, string> = {}) =>
    sendOnce(endpoint, input, { ...(signal && { signal }), token }, { ...headers, ...more })
  const request = form
    ? (await import('./forms/form-key.ts')).withKey(
        form,
        endpoint,
        urlOf(endpoint, input as Parts),
        plain,
      ) // as InputOf says
    : plain
  // The server says what needs one: a call, its ability, or a field of it.
  return withProof(request)
}

function sendOnce<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, token }: { signal?: AbortSignal; token: string | undefined },
  headers: Record<string, string>,
): Promise<Response> {
  const { body } = input as Parts // what InputOf says of any endpoint, which a generic one can't
  const url = urlOf(endpoint, input as Parts) // likewise
  const request = {
    method: endpoint.method,
    headers: {
      'Cache-Control': 'no-cache',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(isAttended() ? {} : { [UNATTENDED_HEADER]: '1' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }
  const isAskedAhead = endpoint.method === 'GET' || request.body !== undefined
  const first =
    isAskedAhead && !headers['If-None-Match']
      ? takeFirstAnswer(url, token, request.body)
      : undefined
  return send(url, request, first)
}

/** The parsed body of a response. @throws ApiError as `call` does. */
export async function answerOf<E extends Endpoint>(
  endpoint: E,
  response: Response,
): Promise<AnswerOf<E>> {
  if (!response.ok) throw await refusalOf(response)
  const answer = endpoint.response.safeParse(await bodyOf(response))
  if (!answer.success)
    throw new ApiError('NETWORK', 'The server sent an unexpected response. Reload the page.')
  return answer.data as AnswerOf<E> // the schema's output type, which `safeParse` of a generic schema can't name
}

/** The error for a request without a response. */
export const unreachable = () =>
  new ApiError('NETWORK', 'The server can’t be reached. Check your connection and try again.')

/** '/api/sites/:id?a=1' with its parameters filled in. */
const urlOf = ({ path }: Endpoint, { params = {}, query = {} }: Parts) => {
  const values = new Map(Object.entries(params))
  return (
    path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name)))) +
    queryText(query)
  )
}

/** '?a=1&b=2', or an empty text. Leaves out missing values. */
const queryText = (query: object) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const send = async (url: string, request: RequestInit, first?: Promise<Response>) => {
  try {
    return await (first ?? fetch(url, request))
  } catch (error) {
    if (request.signal?.aborted) throw error // the query was cancelled: nobody waits for it
    throw unreachable()
  }
}

const bodyOf = (response: Response): Promise<unknown> =>
  response.headers.get('Content-Type')?.startsWith('text/plain')
    ? response.text()
    : jsonOf(response)

const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

/** The error in a response that is not ok. */
export const refusalOf = async (response: Response) => {
  const body = errorBodySchema.safeParse(await jsonOf(response))
  if (body.success) return new ApiError(body.data.code, body.data.message, body.data.data)
  const code = response.headers.get(ERROR_CODE_HEADER)
  return new ApiError(
    code !== null && isErrorCode(code) ? code : 'NETWORK',
    `The server answered with an error (${response.status}). Try again in a moment.`,
  )
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code)

/** Without input for longer than this, a user is considered away. */
const READING_MS = 60_000

let lastTouchMs = Date.now()

for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove']) {
  window.addEventListener(event, () => (lastTouchMs = Date.now()), { capture: true, passive: true })
}

/** Whether somebody is using this page, judged by keyboard, pointer and touch events. */
const isAttended = (): boolean => Date.now() - lastTouchMs < READING_MS
