import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { siteWordsEndpoints } from '@tallyroom/contract/tracking/site-words'
import { notFound } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import type { Stores } from '../stores.ts'
import { findFirstType } from '../sales/sales.queries.ts'
import {
  asRequest,
  clickParamOf,
  makeTestClick,
  merchantFields,
  postbackUrl,
  testPostback,
} from './test-postback.ts'
import { findSiteWords } from '../words/site-words.ts'
import { decideSiteWord } from './decide-word.ts'
import { askForDecision, heldSides } from './held-sides.ts'
import type { Inbound } from './inbound.ts'
import { findReadings } from './readings.ts'
import { searchPostbacks } from './search-postbacks.ts'
import { deliverAgain } from './settle-by-hand.ts'
import { type FindTierPay, previewHeld, settleHeld } from './settle-held.ts'

export const postbacksRoutes = (
  services: Services & Stores,
  inbound: Inbound,
  findTierPay: FindTierPay,
): Route[] => [
  route(postbacksEndpoints.searchPostbacks, ({ body }) => searchPostbacks(inbound, body)),

  route(postbacksEndpoints.deliverPostback, ({ params, viewer }) =>
    deliverAgain(services, params.id, viewer.accountId),
  ),

  route(heldPostbacksEndpoints.heldSides, ({ params, viewer }) =>
    heldSides(inbound, viewer, params.id),
  ),

  route(heldPostbacksEndpoints.askForDecision, ({ params, viewer }) =>
    askForDecision(services, viewer, params.id),
  ),

  route(heldPostbacksEndpoints.previewHeldPostbacks, async ({ body }) => ({
    items: await previewHeld({ ...services, findTierPay }, body),
  })),

  route(heldPostbacksEndpoints.settleHeldPostbacks, async ({ body, viewer }) => ({
    items: await settleHeld({ ...services, findTierPay }, body, viewer.accountId),
  })),

  route(postbacksEndpoints.sitePostback, ({ params }) =>
    presentSite(services, inbound, params.siteId),
  ),

  route(postbacksEndpoints.postbackReadings, ({ params, query }) =>
    findReadings(inbound, params.siteId, query.tracker),
  ),

  route(siteWordsEndpoints.siteWords, async ({ params: { siteId } }) =>
    findSiteWords(services.db, siteId, await freshSite(inbound, siteId)),
  ),

  route(siteWordsEndpoints.decideSiteWord, ({ params, body, viewer }) =>
    decideSiteWord(services, viewer, params.siteId, body),
  ),

  route(postbacksEndpoints.rotatePostbackKey, ({ params }) => inbound.keys.rotate(params.siteId)),

  route(postbacksEndpoints.testPostback, ({ params, body, ip }) =>
    testPostback(inbound, services.config.publicUrl, params.siteId, { ...body, ip }),
  ),
]

async function presentSite({ config, db }: Services, inbound: Inbound, siteId: number) {
  const keys = await inbound.keys.provide(siteId)
  const site = await freshSite(inbound, siteId)
  const url = postbackUrl(config.publicUrl, siteId)
  const typeId = await findFirstType(db, siteId)
  const example = merchantFields(site, {
    key: keys.key,
    clickId:
      typeId === undefined
        ? 'CLICK_ID'
        : makeTestClick(inbound.clickIds, typeId, inbound.clock.now()),
    transactionId: 'ORDER_NUMBER',
    event: 'sale',
  })
  return { url, ...keys, clickParam: clickParamOf(site), example: asRequest(url, example) }
}

async function freshSite({ sites }: Pick<Inbound, 'sites'>, siteId: number) {
  await sites.reload()
  const site = await sites.find(siteId)
  if (!site) throw notFound('site')
  return site
}
