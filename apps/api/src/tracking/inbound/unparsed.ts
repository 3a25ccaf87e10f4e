import { Counter } from 'prom-client'
import { parseId } from '@tallyroom/domain/tracked-link'
import { mendUrl } from '../../http/mend-url.ts'
import { isUnavailable } from '../../db/transaction.ts'
import { inOneLine } from '../../http/error-handler.ts'
import type { UnparsedRequest } from '../../http/unparsed-request.ts'
import type { Log } from '../../lib/log/log.ts'
import { keptFields } from '../reading/kept-fields.ts'
import { readForm } from '../reading/postback-fields.ts'
import { isAuthentic } from '../site-keys/authenticate.ts'
import { type Inbound, keyIn } from '../postbacks/inbound.ts'
import { keepRefused } from '../postbacks/receive-postback.ts'

/** A postback that was refused before anybody could read it. */
export type Unparsed = UnparsedRequest & { ip: string }

const counter = new Counter({
  name: 'tallyroom_unparsed_postbacks_total',
  help: 'Requests to a postback URL that could not be parsed, by whether they had the key of a site',
  labelNames: ['key'],
})

/** The sender's answer does not depend on it. */
export async function keepUnparsed(inbound: Inbound, log: Log, unparsed: Unparsed): Promise<void> {
  try {
    await keep(inbound, log, unparsed)
  } catch (error) {
    if (isUnavailable(error))
      log.warn({ why: inOneLine(error) }, 'a refused postback was not stored')
    else log.error({ err: error, code: unparsed.code }, 'a refused postback could not be stored')
  }
}

/**
 * Keeps one as a refused postback of its site, if the query or the headers have the site's key, or the query its signature: a
 * stranger could fill the log, so of others only a number is kept.
 */
async function keep(
  inbound: Inbound,
  log: Log,
  { method, url, headers, code, ip }: Unparsed,
): Promise<void> {
  const [, id = '', query = ''] = POSTBACK.exec(mendUrl(url.replace(ORIGIN, ''))) ?? []
  const siteId = parseId(id)
  if (siteId === undefined) return
  const receivedAt = inbound.clock.now()
  const fields = readForm(query)
  const proof = {
    key: headers['x-postback-key'] ?? keyIn(fields),
    signature: headers['x-signature'],
    signed: Buffer.from(method === 'GET' ? query : '', 'latin1'),
  }
  const site = await inbound.sites.find(siteId, ({ secrets }) =>
    isAuthentic(proof, secrets, receivedAt),
  )
  counter.inc({ key: site ? 'yes' : 'no' })
  if (!site || !inbound.unparsedLimit.take(siteId)) return
  log.warn({ siteId, code }, 'a postback could not be parsed')
  await keepRefused(inbound.db, {
    siteId,
    arrival: { method, ip, receivedAt },
    params: keptFields(fields, site.secrets),
    reason: REASONS[code] ?? NOT_HTTP,
  })
}

const ORIGIN = /^https?:\/\/[^/]*/i

const POSTBACK = /^\/api\/postback\/(\d{1,10})(?:\?([^]*))?$/

const BAD_URL =
  'Its address has a blank or another character that must be encoded there, so it was not read.'
const BAD_HEADER = 'A header of it has a character that is not allowed there, so it was not read.'
const BAD_BODY =
  'The length or the parts of its body are not as its headers say, so it was not read.'
const NOT_HTTP = 'It is not a valid HTTP request, so it was not read.'

/** For staff, by the code of Node's or Fastify's error. */
const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW:
    'Its address and headers are longer than 16 kB, so it was not read. A POST may have long values in its body.',
  HPE_INVALID_URL: BAD_URL,
  HPE_INVALID_CONSTANT: BAD_URL,
  HPE_INVALID_VERSION: BAD_URL,
  HPE_INVALID_HEADER_TOKEN: BAD_HEADER,
  HPE_CR_EXPECTED: BAD_HEADER,
  HPE_LF_EXPECTED: BAD_HEADER,
  HPE_INVALID_CONTENT_LENGTH: BAD_BODY,
  HPE_UNEXPECTED_CONTENT_LENGTH: BAD_BODY,
  HPE_INVALID_TRANSFER_ENCODING: BAD_BODY,
  HPE_INVALID_CHUNK_SIZE: BAD_BODY,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: BAD_BODY,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Its Content-Type is none that can be read.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'Its body is longer than 1 MB, so it was not read.',
}
