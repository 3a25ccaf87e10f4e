import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { lastAlert, loginAlerts, publishAlert } from './alerts.ts'
import { lastNews, publishNews } from './news.ts'

export const announcementsRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(announcementsEndpoints.lastNews, () => lastNews(services)),

  formRoute(announcementsEndpoints.publishNews, async ({ viewer, body }) => {
    await publishNews(services, viewer, body)
    return { ok: true as const }
  }),

  route(loginAlertsEndpoints.loginAlerts, ({ viewer }) => loginAlerts(services, viewer)),

  route(announcementsEndpoints.lastAlert, () => lastAlert(services)),

  formRoute(announcementsEndpoints.publishAlert, async ({ viewer, body }) => {
    await publishAlert(services, viewer, body)
    return { ok: true as const }
  }),
]
