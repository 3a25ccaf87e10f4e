import type { Ability } from '@tallyroom/domain/abilities'
import type { ZodType } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a call does to the data, as the common logs name it. An endpoint's `none`: not written there (polled or public calls). */
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

/** What the API document says of a call that reads its request itself. Nothing is parsed or checked by it. */
export type Description = {
  query?: ZodType
  headers?: ZodType
  /** By media type. */
  body?: Record<string, ZodType>
  /** By status. Without a body: the error answer that any call may give. */
  answers: Record<number, DescribedAnswer>
}

export type DescribedAnswer = {
  means: string
  /** By media type. */
  body?: Record<string, ZodType>
  /** Headers that come with it, and what they say. */
  headers?: Record<string, string>
}

/**
 * One call of the wire. The server registers it, the browser calls it and the API document
 * describes it from this one value.
 *
 * - `path` begins with `/api/` and names its parameters with a colon.
 * - `ability` is what the caller must hold; `public` needs no session.
 * - Requests are parsed by `params`, `query` and `body`; answers by `response`, so that a field
 *   that is not declared can't leave.
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
  /** Also for an account whose holder must set a new password before anything else. */
  beforeNewPassword?: true
  /** The answer carries an ETag, and whoever has it already gets an empty 304: for polled calls. */
  revalidated?: true
  params?: Params
  query?: Query
  body?: Body
  /** It takes one file instead of JSON: a form's only field (multipart), of at most so many bytes. */
  upload?: { field: string; maxBytes: number }
  response: Response
  /** Instead of `query`, `body` and `response` in the API document. */
  described?: Description
}

/** Declares a call, keeping the exact types of its schemas and its ability. */
export const endpoint = <
  Response extends ZodType,
  const Needed extends Ability | 'public',
  Params extends ZodType | undefined = undefined,
  Query extends ZodType | undefined = undefined,
  Body extends ZodType | undefined = undefined,
>(
  declaration: Endpoint<Params, Query, Body, Response> & { ability: Needed },
): Endpoint<Params, Query, Body, Response> & { ability: Needed } => declaration

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

/** What the server's handler returns, before the response schema has parsed it. */
export type ResultOf<E> = E extends { response: infer R extends ZodType } ? Sent<R> : never

/** What a caller gets. */
export type AnswerOf<E> = E extends { response: infer R extends ZodType } ? Parsed<R> : never
