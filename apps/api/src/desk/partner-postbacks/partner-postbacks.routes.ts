import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { SafeFetch } from '../../lib/safe-fetch.ts'
import type { Services } from '../../services.ts'
import {
  changeTarget,
  createTarget,
  listDeliveries,
  listTargets,
  previewTarget,
  removeTarget,
  sendDeliveryAgain,
  switchTarget,
  testTarget,
} from './partner-postbacks.ts'

const done = { ok: true } as const

export const partnerPostbacksRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock'> & { fetch: SafeFetch },
): Route[] => [
  route(partnerPostbacksEndpoints.partnerPostbacks, ({ viewer }) => listTargets(services, viewer)),

  formRoute(partnerPostbacksEndpoints.createPartnerPostback, async ({ viewer, body }) => ({
    id: await createTarget(services, viewer, body),
  })),

  formRoute(
    partnerPostbacksEndpoints.updatePartnerPostback,
    async ({ viewer, params: { id }, body }) => {
      await changeTarget(services, viewer, id, body)
      return done
    },
  ),

  route(partnerPostbacksEndpoints.deletePartnerPostback, async ({ viewer, params: { id } }) => {
    await removeTarget(services, viewer, id)
    return done
  }),

  route(
    partnerPostbacksEndpoints.switchPartnerPostback,
    async ({ viewer, params: { id }, body }) => {
      await switchTarget(services, viewer, id, body)
      return done
    },
  ),

  route(partnerPostbacksEndpoints.previewPartnerPostback, ({ viewer, body: { url } }) =>
    previewTarget(services, viewer, url),
  ),

  route(partnerPostbacksEndpoints.testPartnerPostback, ({ viewer, body }) =>
    testTarget(services, viewer, body),
  ),

  route(
    partnerPostbacksEndpoints.partnerPostbackLog,
    ({ viewer, params: { id }, query: { page } }) => listDeliveries(services, viewer, id, page),
  ),

  route(partnerPostbacksEndpoints.sendAgain, async ({ viewer, params }) => {
    await sendDeliveryAgain(services, viewer, params)
    return done
  }),
]
