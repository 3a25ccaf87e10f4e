import { webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { formRoute, type Route, route } from '../../http/route.ts'
import type { SafeFetch } from '../../lib/safe-fetch.ts'
import type { Services } from '../../services.ts'
import {
  listDeliveries,
  removeTarget,
  sendDeliveryAgain,
  switchTarget,
} from './partner-postbacks.ts'
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  rotateSecret,
  testWebhook,
  webhooksOf,
} from './webhooks.ts'

const done = { ok: true } as const

export const webhooksRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'> & {
    fetch: SafeFetch
  },
): Route[] => [
  route(webhooksEndpoints.webhooks, ({ viewer }) => listWebhooks(services, viewer)),

  formRoute(webhooksEndpoints.createWebhook, ({ viewer, body }) =>
    createWebhook(services, viewer, body),
  ),

  formRoute(webhooksEndpoints.updateWebhook, async ({ viewer, params: { id }, body }) => {
    await changeWebhook(services, viewer, id, body)
    return done
  }),

  route(webhooksEndpoints.rotateWebhookSecret, ({ viewer, params: { id } }) =>
    rotateSecret(services, viewer, id),
  ),

  route(webhooksEndpoints.deleteWebhook, async ({ viewer, params: { id } }) => {
    await removeTarget(services, webhooksOf(viewer), id)
    return done
  }),

  route(webhooksEndpoints.switchWebhook, async ({ viewer, params: { id }, body }) => {
    await switchTarget(services, webhooksOf(viewer), id, body)
    return done
  }),

  route(webhooksEndpoints.testWebhook, ({ viewer, params: { id } }) =>
    testWebhook(services, viewer, id),
  ),

  route(webhooksEndpoints.webhookLog, ({ viewer, params: { id }, query: { page } }) =>
    listDeliveries(services, webhooksOf(viewer), id, page),
  ),

  route(webhooksEndpoints.sendWebhookAgain, async ({ viewer, params }) => {
    await sendDeliveryAgain(services, webhooksOf(viewer), params)
    return done
  }),
]
