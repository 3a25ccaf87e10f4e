import { bellEndpoints } from '@tallyroom/contract/desk/bell'
import { notificationsEndpoints } from '@tallyroom/contract/desk/notifications'
import { formRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { countBell, listBell, readBell } from './bell.ts'
import { choose, listChoices } from './choices.ts'

export const bellRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(bellEndpoints.bellCount, ({ viewer }) => countBell(services, viewer)),
  route(bellEndpoints.bell, ({ viewer }) => listBell(services, viewer)),
  route(bellEndpoints.readBell, ({ viewer, body }) => readBell(services, viewer, body)),
  route(notificationsEndpoints.notifications, ({ viewer }) => listChoices(services, viewer)),
  formRoute(notificationsEndpoints.chooseNotifications, ({ viewer, body }) =>
    choose(services, viewer, body),
  ),
]
