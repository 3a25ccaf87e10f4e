import { webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { formRoute, type Route, route } from '../../http/route.ts'
import type { Outgoing } from '../../lib/net/safe-fetch.ts'
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

export const webhooksRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'> & {
    outgoing: Outgoing
  },
): Route[] => [
  route(webhooksEndpoints.webhooks, ({ viewer }) => listWebhooks(services, viewer)),

  formRoute(webhooksEndpoints.createWebhook, ({ viewer, body }) =>
    createWebhook(services, viewer, body),
  ),

  formRoute(webhooksEndpoints.updateWebhook, ({ viewer, params: { id }, body }) =>
    changeWebhook(services, viewer, id, body),
  ),

  route(webhooksEndpoints.rotateWebhookSecret, ({ viewer, params: { id } }) =>
    rotateSecret(services, viewer, id),
  ),

  route(webhooksEndpoints.deleteWebhook, ({ viewer, params: { id } }) =>
    removeTarget(services, webhooksOf(viewer), id),
  ),

  route(webhooksEndpoints.switchWebhook, ({ viewer, params: { id }, body }) =>
    switchTarget(services, webhooksOf(viewer), id, body),
  ),

  route(webhooksEndpoints.testWebhook, ({ viewer, params: { id } }) =>
    testWebhook(services, viewer, id),
  ),

  route(webhooksEndpoints.webhookLog, ({ viewer, params: { id }, query: { page } }) =>
    listDeliveries(services, webhooksOf(viewer), id, page),
  ),

  route(webhooksEndpoints.sendWebhookAgain, ({ viewer, params }) =>
    sendDeliveryAgain(services, webhooksOf(viewer), params),
  ),
]
