import { queueEndpoints } from '@tallyroom/contract/desk/queue'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { decideHeld, showQueue, tryAgain } from './queue.ts'

export const queueRoutes = (services: Pick<Services, 'db'>): Route[] => [
  route(queueEndpoints.queue, () => showQueue(services)),
  route(queueEndpoints.tryQueueAgain, ({ body }) => tryAgain(services, body)),
  route(queueEndpoints.decideHeld, ({ body }) => decideHeld(services, body)),
]
