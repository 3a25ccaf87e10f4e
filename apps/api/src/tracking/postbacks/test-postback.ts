import { randomBytes, randomInt } from 'node:crypto'
import { KEY_LEFT_OUT, type postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import { CLICK_ID_BOUNDS, TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { PostbackEvent } from '@tallyroom/domain/event-types'
import { DEFAULT_CLICK_PARAM } from '@tallyroom/domain/tracked-link'
import { invalid, notFound } from '../../errors.ts'
import { findTestAmounts } from '../sales/test-sales.queries.ts'
import { ratesOf } from '../../catalogue/index.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import { answerOf } from './answers.ts'
import type { Inbound } from './inbound.ts'
import { receivePostback } from './receive-postback.ts'
import { readClick } from './understand-postback.ts'
import { fieldNamesOf } from '../reading/field-names.ts'
import type { Field } from '../reading/field.ts'
import type { PostbackSite } from './postback-sites.ts'

type TestPostback = (typeof postbacksEndpoints)['testPostback']

/** An authentic click id without an agent: its sales go to the test ledger. */
export const makeTestClick = (clickIds: ClickIds, typeId: number, clickedAt: Date): string =>
  clickIds.sign({
    clickedAtMs: clickedAt.getTime(),
    agentId: TEST_AGENT_ID,
    typeId,
    nonce: randomInt(CLICK_ID_BOUNDS.nonce),
  })

/** Delivers a test postback through the same code as real ones. */
export async function testPostback(
  inbound: Inbound,
  publicUrl: string,
  siteId: number,
  { ip, ...input }: RequestOf<TestPostback>['body'] & { ip: string },
): Promise<ResultOf<TestPostback>> {
  const { key } = await inbound.keys.provide(siteId)
  await inbound.sites.reload()
  const site = await inbound.sites.find(siteId)
  if (!site) throw notFound('site')
  const now = inbound.clock.now()
  const rates = await ratesOf(inbound.db, input.typeId, undefined, now)
  if (rates?.siteId !== siteId) throw invalid({ typeId: ['is not a link type of this site'] })

  const clickId = input.clickId ?? makeTestClick(inbound.clickIds, input.typeId, now)
  if (readClick(inbound.clickIds, clickId)?.agentId !== TEST_AGENT_ID) {
    throw invalid({ clickId: ['is not the id of a test click'] })
  }
  const transactionId = input.transactionId ?? `test-${randomBytes(4).toString('hex')}`
  const fields = merchantFields(site, { key, clickId, transactionId, event: input.event })

  const arrival = { method: 'GET', ip, receivedAt: now }
  const answer = answerOf(await receivePostback(inbound, site, arrival, fields))
  const { eventId } = answer.body
  const amounts = eventId === undefined ? undefined : await findTestAmounts(inbound.db, eventId)
  return {
    request: `GET ${asRequest(postbackUrl(publicUrl, siteId), fields)}`,
    clickId,
    transactionId,
    status: site.alwaysOkText === null ? answer.status : 200,
    answer: answer.body,
    earning: amounts ? fromMinorUnits(amounts.earningCents) : null,
    payout: amounts ? fromMinorUnits(amounts.payoutCentavos) : null,
  }
}

/** The URL to which a site's merchant reports. */
export const postbackUrl = (publicUrl: string, siteId: number): string =>
  `${publicUrl}/api/postback/${siteId}`

/** A postback in the dialect of the site's merchant. */
export function merchantFields(
  site: PostbackSite,
  postback: { key: string; clickId: string; transactionId: string; event: PostbackEvent },
): Field[] {
  const click = clickParamOf(site)
  return [
    ['key', postback.key],
    [click, postback.clickId],
    // If transaction_id is the click id, the order number has another name.
    [orderParamOf(site), postback.transactionId],
    ...(postback.event === 'sale' && !site.eventWords.has('sale')
      ? []
      : [['event', wordFor(site, postback.event)] as const]),
  ]
}

/** The parameter name for the click id of a site's merchant. */
export const clickParamOf = ({ clickParam, transactionIdIsClick }: PostbackSite): string =>
  clickParam || (transactionIdIsClick ? 'transaction_id' : DEFAULT_CLICK_PARAM)

function orderParamOf(site: PostbackSite): string {
  const names = fieldNamesOf(site).transaction_id
  return ['transaction_id', 'order_id'].find((name) => names.includes(name)) ?? 'external_id'
}

/** `https://…?key=…&…`, to read and copy. The page puts the key in, from the call that may hand it out. */
export function asRequest(url: string, fields: readonly Field[]): string {
  const others = fields.flatMap(([name, value]): [string, string][] =>
    name === 'key' ? [] : [[name, value]],
  )
  return `${url}?${KEY_LEFT_OUT}&${new URLSearchParams(others).toString()}`
}

/** Our own event name, unless the site uses it for something else. */
function wordFor({ eventWords }: PostbackSite, event: PostbackEvent): string {
  if ((eventWords.get(event) ?? event) === event) return event
  const own = [...eventWords].find(([, meaning]) => meaning === event)
  return own?.[0] ?? event
}
