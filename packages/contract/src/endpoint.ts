import { type Ability, decidesMoney } from '@tallyroom/domain/abilities'
import type { ZodType } from 'zod'
import type { DecidingForm } from './effects.ts'
import type { Unmarked } from './secrets.ts'
import type { TokenGroup } from './token-groups.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The action types of the common logs. Endpoints with `none` (polled or public calls) are not logged. */
export const actionTypes = [
  'LOGIN',
  'LOGOUT',
  'VIEW',
  'SEARCH',
  'CREATE',
  'UPDATE',
  'STATUS',
  'DELETE',
  'EXPORT',
] as const
export type ActionType = (typeof actionTypes)[number]

/** API documentation for an endpoint that parses its request itself. Documentation only: nothing is validated by it. */
export type Description = {
  query?: ZodType
  headers?: ZodType
  /** By media type. */
  body?: Record<string, ZodType>
  /** By status. Without a body, the standard error response applies. */
  answers: Record<number, DescribedAnswer>
}

export type DescribedAnswer = {
  means: string
  /** By media type. */
  body?: Record<string, ZodType>
  /** Response headers and their meaning. */
  headers?: Record<string, string>
}

/**
 * One API call. The server's route, the browser's client and the API document all derive from it.
 *
 * - `path` begins with `/api/` and marks parameters with a colon.
 * - `ability` is what the caller needs; `public` needs no session.
 * - `params`, `query` and `body` parse the request. `response` parses the answer, so undeclared fields
 *   never leave the server.
 */
export interface Endpoint<
  Params extends ZodType | undefined = ZodType | undefined,
  Query extends ZodType | undefined = ZodType | undefined,
  Body extends ZodType | undefined = ZodType | undefined,
  Response extends ZodType = ZodType,
> {
  method: Method
  path: `/api/${string}`
  summary: string
  ability: Ability | 'public'
  action: ActionType | 'none'
  /**
   * What a token for programs must be allowed for this call; `any`: nothing in particular. Without it, no token can make
   * the call: passwords, tokens, sessions, accounts of payees, and all that two people decide.
   */
  byToken?: TokenGroup | 'any'
  /** Allowed even while the account holder is required to change the password. */
  beforeNewPassword?: true
  /** Allowed even while the account holder is required to add a second factor: what adds one, and what leads there. */
  beforeFactor?: true
  /**
   * The holder must have entered their password within the last ten minutes; otherwise the answer is PROOF_NEEDED.
   * `for-credentials`: only if the call changes a password or an email address, which its rule checks. `own-session`: in this
   * session, at whatever time. That is for what decides what its holder is told, so that neither a partner's sign-in nor
   * *Sign in as* keeps something from them. Calls whose ability decides money need not say so: see {@link needsProof}.
   */
  proof?: 'recent' | 'for-credentials' | 'own-session'
  /** The form whose deciding fields the call can change: see `effects`. Tokens can't change these, and they need a proof. */
  decides?: DecidingForm
  /**
   * Does its act once for each {@link FORM_KEY_HEADER}, however often it is sent, and answers again what it answered then.
   * Its handler has one transaction, which returns JSON. It takes no query: what it does follows from path and body.
   */
  once?: true
  /** For polled calls: the answer carries an ETag, and a matching `If-None-Match` gets an empty 304. */
  revalidated?: true
  params?: Params
  query?: Query
  body?: Body
  /** Takes one file instead of JSON: the only field of a multipart form. */
  upload?: { field: string; maxBytes: number }
  response: Response
  /** Refusals that do not follow from the rest: see `refusalsOf`. */
  refuses?: readonly (403 | 404 | 409 | 422 | 429)[]
  /** Replaces `query`, `body` and `response` in the API document. */
  described?: Description
}

/** The action types of calls that change something. */
export const changingActions = [
  'CREATE',
  'UPDATE',
  'STATUS',
  'DELETE',
] as const satisfies ActionType[]

const changes = new Set<Endpoint['action']>(changingActions)

/** Whether every use of the call needs a recent proof: it says so, or changes what its ability decides about money. */
export const needsProof = ({
  ability,
  action,
  proof,
}: Pick<Endpoint, 'ability' | 'action' | 'proof'>): boolean =>
  proof === 'recent' || (changes.has(action) && ability !== 'public' && decidesMoney(ability))

/**
 * Whether a call of a signed-in user only reads, so that it can be refused at any time and retried. Exports are
 * excluded: nobody would close their streams.
 */
export const isRead = ({ ability, action }: Pick<Endpoint, 'ability' | 'action'>): boolean =>
  ability !== 'public' && readingActions.has(action)

const readingActions = new Set<Endpoint['action']>(['none', 'VIEW', 'SEARCH'])

/** Declares an endpoint, keeping the exact types of its schemas, its ability, its action and its group of tokens. */
export const endpoint = <
  Response extends ZodType,
  const Needed extends Ability | 'public',
  const Action extends ActionType | 'none',
  const Group extends TokenGroup | 'any' = never,
  Params extends ZodType | undefined = undefined,
  Query extends ZodType | undefined = undefined,
  Body extends ZodType | undefined = undefined,
>(
  declaration: Endpoint<Params, Query, Body, Response> & {
    ability: Needed
    action: Action
    byToken?: Group
  } & Answered<Response>,
): Endpoint<Params, Query, Body, Response> & {
  ability: Needed
  action: Action
  byToken?: Group
} => declaration

/** An answer with a field that sounds like a secret says of it what it is. */
type Answered<Response> = [Unmarked<Response>] extends [never]
  ? unknown
  : { response: `Mark “${Unmarked<Response>}” with secret() or notSecret()` }

type Parsed<S> = S extends ZodType ? S['_zod']['output'] : undefined
type Sent<S> = S extends ZodType ? S['_zod']['input'] : undefined
type WithoutAbsent<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** What the server's handler receives: the parsed request. */
export type RequestOf<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }
    : never

/** What a caller sends: only the parts that the endpoint declares. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? WithoutAbsent<{ params: Sent<P>; query: Sent<Q>; body: Sent<B> }>
    : never

/** The body that a caller sends. */
export type BodyOf<E> = InputOf<E> extends { body: infer Body } ? Body : never

/** What the server's handler returns, before the response schema has parsed it. */
export type ResultOf<E> = E extends { response: infer R extends ZodType } ? Sent<R> : never

/** What a caller gets. */
export type AnswerOf<E> = E extends { response: infer R extends ZodType } ? Parsed<R> : never

/**
 * Marks a request that the page sent on its own while the user was idle. Such a request does not keep the session alive. It
 * is believed only of calls that read: see {@link isRead}.
 */
export const UNATTENDED_HEADER = 'x-unattended'

/**
 * A key that a form makes when it opens. The server keeps it for a week, by account, and refuses the same key with other
 * values.
 */
export const FORM_KEY_HEADER = 'idempotency-key'
