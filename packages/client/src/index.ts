import type { AnswerOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { errorBodySchema, type ErrorCode, type FieldMessages } from '@tallyroom/contract/errors'

type Table = typeof endpoints

/** The calls that a token can make. */
type Name = {
  [N in EndpointName]: [NonNullable<Table[N]['byToken']>] extends [never] ? never : N
}[EndpointName]

type Answer<N extends Name> = Table[N]['action'] extends 'EXPORT' ? Blob : AnswerOf<Table[N]>

/** All calls, by the names that they have in the API document. Files come as a Blob. */
export type Client = {
  [N in Name]: keyof InputOf<Table[N]> extends never
    ? () => Promise<Answer<N>>
    : (input: InputOf<Table[N]>) => Promise<Answer<N>>
}

/** What a call rejects with. */
export class TallyroomError extends Error {
  override readonly name = 'TallyroomError'
  /** `NETWORK`: no answer, or one that is not from Tallyroom. */
  readonly code: ErrorCode | 'NETWORK'
  /** Undefined without an answer. */
  readonly status: number | undefined
  /** The messages of each field, for VALIDATION_ERROR. */
  readonly data: FieldMessages | undefined
  /** Seconds to wait before a retry, for TOO_MANY_REQUESTS and UNAVAILABLE. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode | 'NETWORK',
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
export function createClient({ url, token }: { url: string; token: string }): Client {
  const calls = Object.entries<Endpoint>(endpoints)
    .filter(([, { byToken }]) => byToken !== undefined)
    .map(([name, endpoint]) => [name, (input: Parts = {}) => call(endpoint, input)])

  async function call(
    endpoint: Endpoint,
    { params = {}, query = {}, body }: Parts,
  ): Promise<unknown> {
    const target = new URL(
      endpoint.path.replaceAll(/:(\w+)/g, (_, one: string) =>
        encodeURIComponent(String(params[one])),
      ),
      url,
    )
    for (const [name, value] of Object.entries(query))
      if (value != null) target.searchParams.set(name, String(value))
    let response: Response
    try {
      response = await fetch(target, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw await refusalOf(response)
      if (endpoint.action === 'EXPORT') return await response.blob()
      return endpoint.response.parse(await response.json())
    } catch (error) {
      if (error instanceof TallyroomError) throw error
      throw new TallyroomError('NETWORK', `${target.origin} did not answer as expected.`, {
        cause: error,
      })
    }
  }

  return Object.fromEntries(calls) as Client // made of the same table as the type
}

type Value = string | number | boolean | null | undefined
type Parts = { params?: Record<string, Value>; query?: Record<string, Value>; body?: unknown }

async function refusalOf(response: Response): Promise<TallyroomError> {
  const { status } = response
  const body = errorBodySchema.safeParse(await response.json().catch(() => undefined))
  if (!body.success)
    return new TallyroomError('NETWORK', `The answer ${status} is not from Tallyroom.`, { status })
  const { code, message, data } = body.data
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new TallyroomError(code, message, {
    status,
    ...(data && { data }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  })
}
