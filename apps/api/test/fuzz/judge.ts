import type { Endpoint } from '@tallyroom/contract/endpoint'
import { ERROR_CODE_HEADER, errorStatus } from '@tallyroom/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import { PASSWORD } from './good-values.ts'

/** What an answer must never hold, whoever asks. */
export type Forbidden = readonly [what: string, text: string | RegExp][]

export const alwaysForbidden: Forbidden = [
  ['a password', PASSWORD],
  ['a hash of a password', /\$argon2|\$2[aby]\$\d/],
  ['a stack', /\n\s+at .+:\d+:\d+|node_modules/],
  ['a path of the server', import.meta.dirname.split('/apps/')[0] ?? ''],
  [
    'words of the database',
    /syntax error at or near|violates \w+[- ]\w* ?constraint|invalid byte sequence/,
  ],
]

/** What is wrong with an answer; nothing when it is a result, or a refusal with a code of the catalogue. */
export function flawOf(
  endpoint: Endpoint,
  response: LightMyRequestResponse,
  forbidden: Forbidden,
): string | undefined {
  const { statusCode, headers, body } = response
  if (statusCode >= 500) return `answered ${statusCode}: ${body.slice(0, 300)}`
  const told = `${JSON.stringify(headers)}\n${withoutShownPasswords(body)}`
  for (const [what, text] of forbidden) {
    const isThere = typeof text === 'string' ? told.includes(text) : text.test(told)
    if (isThere) return `the answer holds ${what}`
  }
  if (statusCode < 400 || isPage(response)) return undefined
  if (headers['cache-control'] !== 'no-store') return `the refusal ${statusCode} may be cached`
  const code = headers[ERROR_CODE_HEADER]
  if (typeof code !== 'string' || !(code in errorStatus)) return `${statusCode} without a code`
  const isBodyless = response.raw.req.method === 'HEAD'
  if (isBodyless || isPostback(endpoint)) return undefined
  const given: unknown = response.json<{ code?: unknown }>().code
  return given === code ? undefined : `the header says ${code}, the body ${String(given)}`
}

/** Visitors who follow a link are told by a page. */
const isPage = ({ headers }: LightMyRequestResponse) =>
  headers['content-type']?.toString().startsWith('text/html') === true

/** Merchants are answered in words of their own; docs/postbacks.md. */
const isPostback = ({ path }: Endpoint) => path.startsWith('/api/postback/')

/** The lists of accounts show passwords to whoever may see them (specification 1, section 2). */
const withoutShownPasswords = (body: string): string =>
  body.includes('plainPassword') ? body.replaceAll(/"plainPassword":"[^"]*"/g, '') : body
