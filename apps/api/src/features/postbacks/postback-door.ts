import { tooManyRequests } from '../../http/errors.ts'
import type { Services } from '../../http/services.ts'
import { type ClickIds, makeClickIds } from '../clicks/index.ts'
import { parseId } from '@tallyroom/domain/tracked-link'
import {
  type Answer,
  answerOf,
  malformed,
  NO_KEY,
  type SingleAnswer,
  unauthenticated,
} from './answers.ts'
import { isAuthentic } from './authenticate.ts'
import { isNamed } from './field-names.ts'
import { keptParams } from './kept-params.ts'
import { type Field, type PostbackBody, readBody, readForm } from './postback-fields.ts'
import { makePostbackSites, type PostbackSite, type PostbackSites } from './postback-sites.ts'
import { type Arrival, keepRefused, receivePostback } from './receive-postback.ts'
import { makeRefusalLimit, type RefusalLimit } from './refusal-limit.ts'
import { makeSiteKeys, type SiteKeys } from './site-keys.ts'

/** What postbacks are taken in with. One for a process: it holds the sites and their keys in memory. */
export type PostbackDoor = Pick<Services, 'db' | 'layout' | 'clock'> & {
  clickIds: ClickIds
  keys: SiteKeys
  sites: PostbackSites
  limit: RefusalLimit
}

export function makePostbackDoor(
  services: Pick<Services, 'db' | 'layout' | 'clock' | 'secret' | 'formerSecrets'>,
): PostbackDoor {
  const { db, layout, clock, secret, formerSecrets } = services
  const keys = makeSiteKeys(services)
  return {
    db,
    layout,
    clock,
    keys,
    clickIds: makeClickIds(secret, formerSecrets),
    sites: makePostbackSites(services, keys),
    limit: makeRefusalLimit(clock),
  }
}

/** A request as it came, before anything in it was believed. */
export type PostbackRequest = {
  siteId: string
  method: 'GET' | 'POST'
  /** Without its question mark. */
  query: string
  contentType: string
  body: Buffer
  /** The headers `x-postback-key` and `x-signature`. */
  key: string | undefined
  signature: string | undefined
  ip: string
}

/** Takes one request in. Throws TOO_MANY_REQUESTS, and when the database is out of reach: nothing was kept then. */
export async function takePostback(door: PostbackDoor, request: PostbackRequest): Promise<Answer> {
  const arrival: Arrival = {
    method: request.method,
    ip: request.ip,
    receivedAt: door.clock.now(),
  }
  const query = readForm(request.query)
  const body: PostbackBody =
    request.method === 'GET'
      ? { kind: 'one', fields: [] }
      : readBody(request.contentType.toLowerCase(), request.body.toString('utf8'))

  const siteId = parseId(request.siteId)
  const site = siteId && (await door.sites.find(siteId, accepts(request, query, body, arrival)))
  if (!site) return refuseStranger(door, arrival, siteId, [...query, ...fieldsOf(body)])

  const answer = await takeBody(door, site, arrival, query, body)
  return site.alwaysOkText === null ? answer : { status: 200, body: site.alwaysOkText }
}

async function takeBody(
  door: PostbackDoor,
  site: PostbackSite,
  arrival: Arrival,
  query: Field[],
  body: PostbackBody,
): Promise<Answer> {
  const takeOne = async (fields: Field[]): Promise<SingleAnswer> =>
    answerOf(await receivePostback(door, site, arrival, [...fields, ...query]))
  const takeUnreadable = async (reason: string): Promise<SingleAnswer> => {
    const params = keptParams(query, site.secrets)
    const id = await keepRefused(door.db, { siteId: site.id, arrival, params, reason })
    return malformed(id, { _form: [reason] }, 400)
  }
  switch (body.kind) {
    case 'one':
      return takeOne(body.fields)
    case 'unreadable':
      return takeUnreadable(body.reason)
    case 'many': {
      const answers: SingleAnswer[] = []
      // One after the other: a sale may come with its own reversal.
      for (const fields of body.items) {
        answers.push(await (fields ? takeOne(fields) : takeUnreadable('It is not a JSON object.')))
      }
      return { status: 200, body: answers.map((answer) => answer.body) }
    }
  }
}

/** Whether a site takes the request as its merchant's. Without a common key, each of many must bring its own. */
function accepts(request: PostbackRequest, query: Field[], body: PostbackBody, arrival: Arrival) {
  const signed = request.method === 'GET' ? Buffer.from(request.query) : request.body
  const common = request.key ?? keyIn(query)
  const items = body.kind === 'many' ? body.items : [fieldsOf(body)]
  const keys = new Set(common === undefined ? items.map((item) => keyIn(item ?? [])) : [common])
  return ({ secrets }: PostbackSite): boolean =>
    keys.size > 0
      ? [...keys].every((key) =>
          isAuthentic({ key, signature: request.signature, signed }, secrets, arrival.receivedAt),
        )
      : isAuthentic(
          { key: undefined, signature: request.signature, signed },
          secrets,
          arrival.receivedAt,
        )
}

const keyIn = (fields: readonly Field[]): string | undefined =>
  fields.find(([name]) => isNamed(name, 'key'))?.[1]

const fieldsOf = (body: PostbackBody): Field[] => (body.kind === 'one' ? body.fields : [])

async function refuseStranger(
  { db, sites, limit }: PostbackDoor,
  arrival: Arrival,
  siteId: number | undefined,
  fields: Field[],
): Promise<Answer> {
  const full = limit.take(arrival.ip)
  if (full) throw tooManyRequests('Too many postbacks without a valid key.', full.retryAfter)
  const site = siteId === undefined ? undefined : await sites.find(siteId)
  const id = await keepRefused(db, {
    siteId: site?.id,
    arrival,
    params: keptParams(fields, site?.secrets ?? []),
    reason: NO_KEY,
  })
  return unauthenticated(id)
}
