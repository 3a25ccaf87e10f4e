import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { onOffSchema } from './forms.ts'
import { doneSchema, versionSchema } from './list.ts'
import { richText } from './rich-text.ts'

/** What everybody reads on the dashboard. Empty text: there is no news. */
export const newsSchema = z.object({
  html: z.string(),
  /** Null before the first news. */
  createdAt: z.iso.datetime().nullable(),
  version: z.int(),
})
export type News = z.infer<typeof newsSchema>

/** What everybody reads above every page, while it is enabled. */
export const alertSchema = z.object({ enable: z.boolean(), html: z.string(), version: z.int() })
export type Alert = z.infer<typeof alertSchema>

/** What one account is told above every page. The account's own alert comes first. */
export const loginAlertsSchema = z.object({
  /** Plain text. Null: there is none. */
  accountAlert: z.string().nullable(),
  /** HTML. Null: it is not enabled. */
  commonAlert: z.string().nullable(),
})
export type LoginAlerts = z.infer<typeof loginAlertsSchema>

export const announcementsEndpoints = {
  lastNews: endpoint({
    method: 'GET',
    path: '/api/news/last',
    summary: 'The latest news',
    ability: 'signed-in',
    action: 'VIEW',
    response: newsSchema,
  }),
  publishNews: endpoint({
    method: 'POST',
    path: '/api/news',
    summary: 'Puts other news in their place',
    ability: 'news.edit',
    action: 'UPDATE',
    body: z.strictObject({
      html: richText,
      version: versionSchema,
      ...newsSchema.pick({ createdAt: true }).partial().shape,
    }),
    response: doneSchema,
  }),
  loginAlerts: endpoint({
    method: 'GET',
    path: '/api/alerts/login',
    summary: 'What the caller is told above every page',
    ability: 'signed-in',
    action: 'none',
    response: loginAlertsSchema,
  }),
  lastAlert: endpoint({
    method: 'GET',
    path: '/api/alerts/last',
    summary: 'The alert that everybody gets, for its form',
    ability: 'alerts.edit',
    action: 'VIEW',
    response: alertSchema,
  }),
  publishAlert: endpoint({
    method: 'POST',
    path: '/api/alerts',
    summary: 'Puts another alert in its place, or takes it away; what is left out stays as it was',
    ability: 'alerts.edit',
    action: 'UPDATE',
    body: z.strictObject({
      enable: onOffSchema.optional(),
      html: richText.optional(),
      version: versionSchema,
    }),
    response: doneSchema,
  }),
}
