import { parseId } from '@tallyroom/domain/tracked-link'
import type { DbOrTx } from '../../db/database.ts'
import { tooManyRequests } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { Stores } from '../stores.ts'
import { type ClickIds, makeClickIds } from '../clicks/click-id-signer.ts'
import {
  type Answer,
  answerOf,
  malformed,
  NO_KEY,
  type SingleAnswer,
  type UnreadableStatus,
  unauthenticated,
} from './answers.ts'
import { isAuthentic, signedMessage } from '../site-keys/authenticate.ts'
import { isNamed } from '../reading/field-names.ts'
import { keptFields } from '../reading/kept-fields.ts'
import type { Field } from '../reading/field.ts'
import { type PostbackBody, readBody, readForm } from '../reading/postback-fields.ts'
import { unpack } from '../reading/unpack.ts'
import { makePostbackSites, type PostbackSite, type PostbackSites } from './postback-sites.ts'
import { type Arrival, keepRefused, receivePostback } from './receive-postback.ts'
import {
  makeRefusalLimit,
  makeSiteLimit,
  type RefusalLimit,
  type SiteLimit,
} from '../site-keys/refusal-limit.ts'
import { makeVocabularies, type Vocabularies } from '../words/vocabulary.ts'
import { answerOnce } from './signed-postbacks.ts'
import { makeSiteKeys, type SiteKeys } from '../site-keys/site-keys.ts'

/** The dependencies of incoming postbacks. One per process: it caches sites and their keys. */
export type Inbound = Pick<Services & Stores, 'db' | 'ledger' | 'clock'> & {
  clickIds: ClickIds
  keys: SiteKeys
  sites: PostbackSites
  limit: RefusalLimit
  unparsedLimit: SiteLimit
  vocabularies: Vocabularies
}

export function makeInbound(
  services: Pick<Services & Stores, 'db' | 'ledger' | 'clock' | 'secret' | 'formerSecrets'>,
): Inbound {
  const { db, ledger, clock, secret, formerSecrets } = services
  const keys = makeSiteKeys(services)
  return {
    db,
    ledger,
    clock,
    keys,
    clickIds: makeClickIds(secret, formerSecrets),
    sites: makePostbackSites(services, keys),
    limit: makeRefusalLimit(clock),
    unparsedLimit: makeSiteLimit(clock),
    vocabularies: makeVocabularies(),
  }
}

/** A raw request, before authentication. */
export type PostbackRequest = {
  siteId: string
  method: 'GET' | 'POST'
  /** Without the question mark, and with a character for each byte. */
  query: string
  contentType: string
  /** The header `content-encoding`; may be empty. */
  contentEncoding: string
  body: Buffer
  /** The headers `x-postback-key` and `x-signature`. */
  key: string | undefined
  signature: string | undefined
  ip: string
}

/** Processes one request. Throws TOO_MANY_REQUESTS, and if the database is unavailable; nothing is stored then. */
export async function takePostback(inbound: Inbound, request: PostbackRequest): Promise<Answer> {
  const arrival: Arrival = {
    method: request.method,
    ip: request.ip,
    receivedAt: inbound.clock.now(),
  }
  const { query, body } = await readMessage(request)
  const siteId = parseId(request.siteId)
  const site = siteId && (await inbound.sites.find(siteId, accepts(request, query, body, arrival)))
  if (!site) {
    // The key may be in the body, so nobody can say that it is missing.
    const unreadable =
      body.kind === 'unreadable' && keyOf(request, query) === undefined && !request.signature
        ? body
        : undefined
    const fields = [...query, ...fieldsOf(body)]
    return refuseStranger(inbound, arrival, { siteId, fields, unreadable })
  }
  const asAsked = (answer: Answer): Answer =>
    site.alwaysOkText === null ? answer : { status: 200, body: site.alwaysOkText }

  const { signature } = request
  if (signature === undefined) return asAsked(await takeBody(inbound, site, arrival, query, body))
  const signed = signedPart(request)
  const reason =
    request.method === 'POST' && request.query !== ''
      ? UNSIGNED_QUERY
      : signed.length === 0
        ? NOTHING_SIGNED
        : undefined
  if (reason !== undefined)
    return asAsked(await refuseUnsigned(inbound, arrival, site, query, reason))
  return answerOnce(inbound.db, signedMessage(site.id, signature, signed), async (tx) =>
    asAsked(await takeBody({ ...inbound, db: tx }, site, arrival, [], body)),
  )
}

const UNSIGNED_QUERY =
  'The query is not signed: put every field into the body, or use the key instead of a signature.'
const NOTHING_SIGNED = 'Nothing is signed: the body, or for GET the query, is empty.'

/** The signed part of a request, byte for byte. */
const signedPart = ({ method, query, body }: PostbackRequest): Buffer =>
  method === 'GET' ? Buffer.from(query, 'latin1') : body

/**
 * Parses a request. If it is signed, only the signed bytes are parsed, in one way for every method and content
 * type, since neither is signed and may change the meaning. `query` is then the unsigned part.
 */
async function readMessage(
  request: PostbackRequest,
): Promise<{ query: Field[]; body: PostbackBody }> {
  const { method, signature, contentType, contentEncoding } = request
  const query = readForm(request.query)
  if (method === 'GET') {
    return signature === undefined
      ? { query, body: { kind: 'one', fields: [] } }
      : { query: [], body: readBody('', signedPart(request)) }
  }
  const body = await unpack(request.body, contentEncoding)
  const isRead = Buffer.isBuffer(body)
  return { query, body: isRead ? readBody(signature === undefined ? contentType : '', body) : body }
}

async function takeBody(
  inbound: Pick<Inbound, 'ledger' | 'clickIds' | 'vocabularies'> & { db: DbOrTx },
  site: PostbackSite,
  arrival: Arrival,
  query: Field[],
  body: PostbackBody,
): Promise<Answer> {
  const takeOne = async (fields: Field[]): Promise<SingleAnswer> =>
    answerOf(await receivePostback(inbound, site, arrival, [...fields, ...query]))
  const takeUnreadable = async (
    reason: string,
    status: UnreadableStatus = 400,
  ): Promise<SingleAnswer> => {
    const params = keptFields(query, site.secrets)
    const id = await keepRefused(inbound.db, { siteId: site.id, arrival, params, reason })
    return malformed(id, { _form: [reason] }, status)
  }
  switch (body.kind) {
    case 'one':
      return takeOne(body.fields)
    case 'unreadable':
      return takeUnreadable(body.reason, body.status)
    case 'many': {
      const answers: SingleAnswer[] = []
      // Sequentially, because a sale may come with its own reversal.
      for (const fields of body.items) {
        answers.push(await (fields ? takeOne(fields) : takeUnreadable('It is not a JSON object.')))
      }
      return { status: 200, body: answers.map((answer) => answer.body) }
    }
  }
}

/** Whether the site accepts the request as its merchant's. Without a common key, each item must have its own. */
function accepts(request: PostbackRequest, query: Field[], body: PostbackBody, arrival: Arrival) {
  const { signature } = request
  const proves = (secrets: readonly string[], key?: string) =>
    isAuthentic({ key, signature, signed: signedPart(request) }, secrets, arrival.receivedAt)
  const common = keyOf(request, query)
  const items = body.kind === 'many' ? body.items : [fieldsOf(body)]
  const keys = new Set(common === undefined ? items.map((item) => keyIn(item ?? [])) : [common])
  return ({ secrets }: PostbackSite): boolean =>
    signature === undefined && keys.size > 0
      ? [...keys].every((key) => proves(secrets, key))
      : proves(secrets)
}

const keyOf = (request: PostbackRequest, query: Field[]) => request.key ?? keyIn(query)

export const keyIn = (fields: readonly Field[]): string | undefined =>
  fields.find(([name]) => isNamed(name, 'key'))?.[1]

const fieldsOf = (body: PostbackBody): Field[] => (body.kind === 'one' ? body.fields : [])

type Unreadable = Extract<PostbackBody, { kind: 'unreadable' }>

async function refuseStranger(
  inbound: Inbound,
  arrival: Arrival,
  {
    siteId,
    fields,
    unreadable,
  }: { siteId: number | undefined; fields: Field[]; unreadable: Unreadable | undefined },
): Promise<Answer> {
  limitRefusals(inbound, arrival)
  const site = siteId === undefined ? undefined : await inbound.sites.find(siteId)
  const id = await keepRefused(inbound.db, {
    siteId: site?.id,
    arrival,
    params: keptFields(fields, site?.secrets ?? []),
    reason: unreadable?.reason ?? NO_KEY,
  })
  return unreadable === undefined
    ? unauthenticated(id)
    : malformed(id, { _form: [unreadable.reason] }, unreadable.status ?? 400)
}

/** Anyone who has seen a signature can send this repeatedly, so it is limited like requests by strangers. */
async function refuseUnsigned(
  inbound: Inbound,
  arrival: Arrival,
  { id: siteId, secrets }: PostbackSite,
  fields: Field[],
  reason: string,
): Promise<Answer> {
  limitRefusals(inbound, arrival)
  const params = keptFields(fields, secrets)
  const id = await keepRefused(inbound.db, { siteId, arrival, params, reason })
  return malformed(id, { _form: [reason] })
}

function limitRefusals({ limit }: Inbound, { ip }: Arrival): void {
  const full = limit.take(ip)
  if (full) {
    throw tooManyRequests(
      'Too many of your postbacks were refused. Correct them, then try again in a minute.',
      full.retryAfter,
    )
  }
}
