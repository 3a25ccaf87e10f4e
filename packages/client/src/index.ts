import type { AnswerOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { errorBodySchema, type ErrorCode, type FieldMessages } from '@tallyroom/contract/errors'
import { z } from 'zod'

type Table = typeof endpoints

/** The calls that a token can make. */
type Name = {
  [N in EndpointName]: [NonNullable<Table[N]['byToken']>] extends [never] ? never : N
}[EndpointName]

type Answer<N extends Name> = Table[N]['action'] extends 'EXPORT' ? Blob : AnswerOf<Table[N]>

/**
 * All calls, by the names that they have in the API document. Files come as a Blob. A server that is newer than this package may
 * send words that the types do not have, such as another role: they are passed on as they came.
 */
export type Client = {
  [N in Name]: keyof InputOf<Table[N]> extends never
    ? (options?: CallOptions) => Promise<Answer<N>>
    : (input: InputOf<Table[N]>, options?: CallOptions) => Promise<Answer<N>>
}

/** Of one call, or as the standard of all. */
export interface CallOptions {
  /** Milliseconds until the whole answer must be there, from 1 to 2,147,483,647; 30,000 unless set. */
  timeoutMs?: number
  /** Ends the call when it is aborted. One of the client ends all of its calls. */
  signal?: AbortSignal
}

/**
 * What went wrong when no refusal of Tallyroom came. `NETWORK`: there was no answer. `TIMEOUT`: it was not there in time.
 * `ABORTED`: the caller's signal ended it. `UNREADABLE`: what answered, with this status, may not be Tallyroom.
 */
export type ClientErrorCode = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'UNREADABLE'

/** What a call rejects with. */
export class TallyroomError extends Error {
  override readonly name = 'TallyroomError'
  /** Of a server that is newer than this package, perhaps a code that the type does not have. */
  readonly code: ErrorCode | ClientErrorCode
  /** Undefined without an answer. */
  readonly status: number | undefined
  /** The messages of each field, for VALIDATION_ERROR. */
  readonly data: FieldMessages | undefined
  /** Seconds to wait before a retry, for TOO_MANY_REQUESTS and UNAVAILABLE. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode | ClientErrorCode,
    message: string,
    more: { status?: number; data?: FieldMessages; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status
    this.data = more.data
    this.retryAfter = more.retryAfter
  }
}

/**
 * A client of the API.
 *
 * @param url - the address of the installation: `https://office.example.com`.
 * @param token - from *Profile → API tokens*.
 * @throws {TallyroomError} from each call.
 */
export function createClient({
  url,
  token,
  timeoutMs: standardMs = 30_000,
  signal: ofAll,
}: { url: string; token: string } & CallOptions): Client {
  const calls = Object.entries<Endpoint>(endpoints)
    .filter(([, { byToken }]) => byToken !== undefined)
    .map(([name, endpoint]) => [
      name,
      endpoint.params || endpoint.query || endpoint.body
        ? (input: Parts = {}, options?: CallOptions) => call(endpoint, input, options)
        : (options?: CallOptions) => call(endpoint, {}, options),
    ])

  async function call(
    endpoint: Endpoint,
    { params = {}, query = {}, body }: Parts,
    { timeoutMs = standardMs, signal }: CallOptions = {},
  ): Promise<unknown> {
    const target = new URL(
      endpoint.path.replaceAll(/:(\w+)/g, (_, one: string) =>
        encodeURIComponent(String(params[one])),
      ),
      url,
    )
    for (const [name, value] of Object.entries(query))
      if (value != null) target.searchParams.set(name, String(value))
    const timeout = AbortSignal.timeout(timeoutMs)
    const givenUp = AbortSignal.any([ofAll, signal].filter((one) => one !== undefined))
    try {
      const response = await fetch(target, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([timeout, givenUp]),
      })
      if (!response.ok) throw refusalOf(response, await response.text())
      if (endpoint.action === 'EXPORT') return await response.blob()
      return readAnswer(endpoint, response, await response.text())
    } catch (error) {
      if (error instanceof TallyroomError) throw error
      const { origin } = target
      const [code, message]: [ClientErrorCode, string] = givenUp.aborted
        ? ['ABORTED', 'The call was aborted.']
        : timeout.aborted
          ? ['TIMEOUT', `${origin} gave no whole answer within ${timeoutMs} ms.`]
          : ['NETWORK', `${origin} did not answer.`]
      throw new TallyroomError(code, message, { cause: error })
    }
  }

  return Object.fromEntries(calls) as Client // made of the same table as the type
}

type Value = string | number | boolean | null | undefined
type Parts = { params?: Record<string, Value>; query?: Record<string, Value>; body?: unknown }

/** @throws TallyroomError if it is not what the endpoint answers. */
function readAnswer(endpoint: Endpoint, response: Response, text: string): unknown {
  const answer = jsonOf(text)
  const parsed = endpoint.response.safeParse(answer)
  if (parsed.success) return parsed.data
  // No schema of an answer changes what it parses, so it can be passed on as it came.
  if (parsed.error.issues.every((issue) => isNewWord(issue, answer))) return answer
  throw unreadable(response, text, parsed.error)
}

/** Whether all that is wrong with an answer is a word or number which this version does not know. */
function isNewWord(issue: z.core.$ZodIssue, answer: unknown): boolean {
  if (issue.code !== 'invalid_value') return false
  const value = issue.path.reduce<unknown>((within, key) => Object(within)[key], answer)
  return ['string', 'number'].some(
    (type) => typeof value === type && issue.values.some((known) => typeof known === type),
  )
}

function refusalOf(response: Response, text: string): TallyroomError {
  const { status } = response
  const body = errorBodySchema.extend({ code: z.string() }).safeParse(jsonOf(text))
  if (!body.success) return unreadable(response, text, body.error)
  const { code, message, data } = body.data
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new TallyroomError(code as ErrorCode, message, {
    status,
    ...(data && { data }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  })
}

/** The message has the beginning of the answer: a proxy says there what is wrong. */
function unreadable(response: Response, text: string, cause: z.ZodError): TallyroomError {
  const { status, url } = response
  const type = response.headers.get('content-type') ?? 'no content type'
  const beginning = text.slice(0, 200).replaceAll(/\s+/g, ' ').trim()
  const message = `The answer of ${new URL(url).origin} can’t be read. It has status ${status} and ${type}, and begins with: ${beginning || 'nothing'}`
  return new TallyroomError('UNREADABLE', message, { status, cause })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
