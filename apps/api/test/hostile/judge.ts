import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { ERROR_CODE_HEADER, errorStatus } from '@tallyroom/contract/errors'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import type { LightMyRequestResponse } from 'fastify'
import type { Caller } from '../access-matrix-world.ts'
import { PASSWORD } from './good-values.ts'

/** What an answer must never contain, whoever asks. */
export type Forbidden = readonly (readonly [what: string, text: string | RegExp])[]

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

/** The keys for postbacks, which staff may give to merchants. */
export type Keys = readonly string[]

/**
 * What is wrong with an answer; nothing if it is a result, or a refusal with a code of the
 * catalogue.
 */
export function flawOf(
  endpoint: Endpoint,
  response: LightMyRequestResponse,
  { caller, forbidden, keys }: { caller: Caller; forbidden: Forbidden; keys: Keys },
): string | undefined {
  const { statusCode, headers, body } = response
  if (statusCode >= 500) return `answered ${statusCode}: ${body.slice(0, 300)}`
  const shown = maySeePasswords(endpoint, caller) ? withoutShownPasswords(body) : body
  const told = `${JSON.stringify(headers)}\n${shown}`
  for (const [what, text] of forbidden) {
    const isThere = typeof text === 'string' ? told.includes(text) : text.test(told)
    if (isThere) return `the answer holds ${what}`
  }
  const mayTellKeys = keyEndpoints.has(endpoint) && caller.startsWith('superadmin')
  if (!mayTellKeys && keys.some((key) => told.includes(key))) return 'the answer holds a key'
  if (statusCode < 400 || (isFollowed(response) && isPage(response))) return undefined
  if (headers['cache-control'] !== 'no-store') return `the refusal ${statusCode} may be cached`
  const code = headers[ERROR_CODE_HEADER]
  if (typeof code !== 'string' || !(code in errorStatus)) return `${statusCode} without a code`
  const isBodyless = response.raw.req.method === 'HEAD'
  if (isBodyless || isPostback(endpoint)) return undefined
  const given: unknown = response.json<{ code?: unknown }>().code
  return given === code ? undefined : `the header says ${code}, the body ${String(given)}`
}

/** People who follow a link, however it was damaged, get a page. The page of a mail's link has a button. */
const isFollowed = ({ raw: { req } }: LightMyRequestResponse) =>
  req.url?.startsWith('/api/unsubscribe/') === true ||
  ((req.method === 'GET' || req.method === 'HEAD') && req.url?.startsWith('/api/links/') === true)
const isPage = ({ headers }: LightMyRequestResponse) =>
  headers['content-type']?.toString().startsWith('text/html') === true

/** Merchants get answers in a format of their own; see docs/postbacks.md. */
const isPostback = ({ path }: Endpoint) => path.startsWith('/api/postback/')

const keyEndpoints: ReadonlySet<Endpoint> = new Set([
  postbacksEndpoints.sitePostback,
  postbacksEndpoints.rotatePostbackKey,
  postbacksEndpoints.testPostback,
])

/**
 * Passwords are shown in lists, or revealed one by one, to those who may see them (specification 1,
 * section 2).
 */
const passwordLists = new Map<Endpoint, readonly string[]>([
  [agentsEndpoints.searchAgents, ['superadmin', 'admin', 'office']],
  [agentsEndpoints.agentPassword, ['superadmin', 'admin', 'office']],
  [officesEndpoints.searchOffices, ['superadmin', 'admin']],
  [officesEndpoints.officePassword, ['superadmin', 'admin']],
  [adminsEndpoints.admins, ['superadmin']],
  [adminsEndpoints.adminPassword, ['superadmin']],
])

const maySeePasswords = (endpoint: Endpoint, caller: Caller): boolean =>
  passwordLists.get(endpoint)?.some((kind) => caller.startsWith(kind)) === true

const withoutShownPasswords = (body: string): string =>
  body.replaceAll(/"plainPassword":"[^"]*"/g, '')
