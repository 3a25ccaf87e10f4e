import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { InjectOptions } from 'fastify'
import type { Sent } from '../access-matrix.ts'
import { formOf } from '../send.ts'
import { goodFields, goodValue, shapeOf, type Source } from './good-values.ts'

/** A request in the parts that can be spoiled. */
export type FuzzRequest = {
  method: NonNullable<InjectOptions['method']>
  /** Before its parameters are inserted. */
  path: string
  /** As they appear in the path. */
  params: Record<string, string>
  query: [name: string, value: string][]
  /** Sent as JSON, unless there are `bytes`. */
  body: unknown
  bytes: Buffer | FormData | undefined
  headers: Record<string, string>
}

/**
 * A request that an endpoint accepts: the matrix's request, with some parts generated from the
 * endpoint's schemas.
 */
export function goodRequest(endpoint: Endpoint, sent: Sent, source: Source): FuzzRequest {
  const { random } = source
  const query = {
    ...(endpoint.query && goodFields(shapeOf(endpoint.query), source)),
    ...sent.query,
  }
  return {
    method: endpoint.method,
    path: endpoint.path,
    params: Object.fromEntries(
      Object.entries(sent.params ?? {}).map(([name, value]) => [
        name,
        encodeURIComponent(random.chance(0.1) ? random.pick([...source.ids, 1, 2]) : value),
      ]),
    ),
    query: Object.entries(query).map(([name, value]) => [name, String(value)]),
    body: goodBody(endpoint, sent, source),
    bytes: sent.file && formOf(sent.file),
    headers: {},
  }
}

function goodBody({ body }: Endpoint, sent: Sent, source: Source): unknown {
  if (!body) return sent.body
  const made = goodValue(shapeOf(body), 'body', source)
  if (sent.body === undefined || source.random.chance(0.4)) return made
  const known = structuredClone(sent.body)
  if (Array.isArray(known) || Array.isArray(made) || source.random.chance(0.4)) return known
  // Half of the time, generated values only fill in what the matrix omits; otherwise they also
  // replace its values, except for ids.
  return source.random.chance(0.5)
    ? Object.assign({}, made, known)
    : Object.assign({}, known, made, idsOf(known))
}

const idsOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /Ids?$/.test(name)))

/** As sent over the network. */
export function injectionOf(request: FuzzRequest, token: string | undefined): InjectOptions {
  const path = request.path.replaceAll(/:(\w+)/g, (_, name: string) => request.params[name] ?? '')
  const query = request.query.map((pair) => pair.map(encoded).join('=')).join('&')
  const payload = request.bytes ?? (request.body === undefined ? undefined : jsonOf(request.body))
  return {
    method: request.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(typeof payload === 'string' && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(payload !== undefined && { payload }),
  }
}

/** Marks a raw text; see {@link raw}. */
const encoded = (text: string): string =>
  text.startsWith(RAW) ? text.slice(RAW.length) : encodeURIComponent(text.toWellFormed())

const RAW = 'raw:'

/** A text that is sent unchanged: in JSON without quotes, in a query unencoded. */
export const raw = (text: string): string => RAW + text

const jsonOf = (body: unknown): string => JSON.stringify(body).replaceAll(/"raw:([^"\\]*)"/g, '$1')
