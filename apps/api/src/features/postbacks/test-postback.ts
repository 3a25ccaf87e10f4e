import { randomBytes, randomInt } from 'node:crypto'
import type { postbacksEndpoints } from '@tallyroom/contract/postbacks'
import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import { CLICK_ID_BOUNDS } from '@tallyroom/domain/click-id'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { invalid, notFound } from '../../errors.ts'
import { findTestAmounts, TEST_AGENT_ID } from '../sales/index.ts'
import { ratesOf } from '../office-fees/index.ts'
import { answerOf } from './answers.ts'
import { asRequest, merchantFields, postbackUrl } from './merchant-request.ts'
import type { Inbound } from './inbound.ts'
import { readClick, receivePostback } from './receive-postback.ts'

type TestPostback = (typeof postbacksEndpoints)['testPostback']

/** A click id that is authentic and belongs to nobody: its sales go to a ledger of their own. */
export const makeTestClick = ({ clickIds, clock }: Inbound, typeId: number): string =>
  clickIds.sign({
    clickedAtMs: clock.now().getTime(),
    agentId: TEST_AGENT_ID,
    typeId,
    nonce: randomInt(CLICK_ID_BOUNDS.nonce),
  })

/** Delivers a test postback on the road that real ones take. */
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
  const rates = await ratesOf(inbound.db, input.typeId, undefined)
  if (rates?.siteId !== siteId) throw invalid({ typeId: ['is not a link type of this site'] })

  const clickId = input.clickId ?? makeTestClick(inbound, input.typeId)
  if (readClick(inbound.clickIds, clickId)?.agentId !== TEST_AGENT_ID) {
    throw invalid({ clickId: ['is not the id of a test click'] })
  }
  const transactionId = input.transactionId ?? `test-${randomBytes(4).toString('hex')}`
  const fields = merchantFields(site, { key, clickId, transactionId, event: input.event })

  const arrival = { method: 'GET', ip, receivedAt: inbound.clock.now() }
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
