import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Outgoing } from '../../lib/net/safe-fetch.ts'
import type { Services } from '../../services.ts'
import {
  changeTarget,
  createTarget,
  listDeliveries,
  listTargets,
  postbacksOf,
  previewTarget,
  removeTarget,
  sendDeliveryAgain,
  switchTarget,
  testTarget,
} from './partner-postbacks.ts'

export const partnerPostbacksRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock'> & { outgoing: Outgoing },
): Route[] => [
  route(partnerPostbacksEndpoints.partnerPostbacks, ({ viewer }) => listTargets(services, viewer)),

  formRoute(partnerPostbacksEndpoints.createPartnerPostback, async ({ viewer, body }) => ({
    id: await createTarget(services, viewer, body),
  })),

  formRoute(partnerPostbacksEndpoints.updatePartnerPostback, ({ viewer, params: { id }, body }) =>
    changeTarget(services, viewer, id, body),
  ),

  route(partnerPostbacksEndpoints.deletePartnerPostback, ({ viewer, params: { id } }) =>
    removeTarget(services, postbacksOf(viewer), id),
  ),

  route(partnerPostbacksEndpoints.switchPartnerPostback, ({ viewer, params: { id }, body }) =>
    switchTarget(services, postbacksOf(viewer), id, body),
  ),

  route(partnerPostbacksEndpoints.previewPartnerPostback, ({ viewer, body: { url } }) =>
    previewTarget(services, viewer, url),
  ),

  route(partnerPostbacksEndpoints.testPartnerPostback, ({ viewer, body }) =>
    testTarget(services, viewer, body),
  ),

  route(
    partnerPostbacksEndpoints.partnerPostbackLog,
    ({ viewer, params: { id }, query: { page } }) =>
      listDeliveries(services, postbacksOf(viewer), id, page),
  ),

  route(partnerPostbacksEndpoints.sendAgain, ({ viewer, params }) =>
    sendDeliveryAgain(services, postbacksOf(viewer), params),
  ),
]
