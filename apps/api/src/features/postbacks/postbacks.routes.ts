import { postbacksEndpoints } from '@tallyroom/contract/postbacks'
import { notFound } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findFirstType } from '../sales/index.ts'
import {
  asRequest,
  clickParamOf,
  makeTestClick,
  merchantFields,
  postbackUrl,
  testPostback,
} from './test-postback.ts'
import type { Inbound } from './inbound.ts'
import { searchPostbacks } from './search-postbacks.ts'
import { deliverAgain, settleHeld } from './settle-by-hand.ts'

export const postbacksRoutes = (services: Services, inbound: Inbound): Route[] => [
  route(postbacksEndpoints.searchPostbacks, ({ body }) => searchPostbacks(inbound, body)),

  route(postbacksEndpoints.deliverPostback, ({ params, viewer }) =>
    deliverAgain(services, params.id, viewer.accountId),
  ),

  route(postbacksEndpoints.settlePostback, ({ params, body, viewer }) =>
    settleHeld(services, {
      postbackId: params.id,
      decision: body.decision,
      settledBy: viewer.accountId,
    }),
  ),

  route(postbacksEndpoints.sitePostback, ({ params }) =>
    presentSite(services, inbound, params.siteId),
  ),

  route(postbacksEndpoints.rotatePostbackKey, ({ params }) => inbound.keys.rotate(params.siteId)),

  route(postbacksEndpoints.testPostback, ({ params, body, ip }) =>
    testPostback(inbound, services.config.publicUrl, params.siteId, { ...body, ip }),
  ),
]

async function presentSite({ config, db }: Services, inbound: Inbound, siteId: number) {
  const keys = await inbound.keys.provide(siteId)
  await inbound.sites.reload()
  const site = await inbound.sites.find(siteId)
  if (!site) throw notFound('site')
  const url = postbackUrl(config.publicUrl, siteId)
  const typeId = await findFirstType(db, siteId)
  const example = merchantFields(site, {
    key: keys.key,
    clickId: typeId === undefined ? 'CLICK_ID' : makeTestClick(inbound, typeId),
    transactionId: 'ORDER_NUMBER',
    event: 'sale',
  })
  return { url, ...keys, clickParam: clickParamOf(site), example: asRequest(url, example) }
}
