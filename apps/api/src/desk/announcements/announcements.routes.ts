import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { lastAlert, loginAlerts, publishAlert } from './alerts.ts'
import { lastNews, publishNews } from './news.ts'

export const announcementsRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(announcementsEndpoints.lastNews, () => lastNews(services)),

  formRoute(announcementsEndpoints.publishNews, ({ viewer, body }) =>
    publishNews(services, viewer, body),
  ),

  route(loginAlertsEndpoints.loginAlerts, ({ viewer }) => loginAlerts(services, viewer)),

  route(announcementsEndpoints.lastAlert, () => lastAlert(services)),

  formRoute(announcementsEndpoints.publishAlert, ({ viewer, body }) =>
    publishAlert(services, viewer, body),
  ),
]
