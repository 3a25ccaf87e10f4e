import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import { doneSchema, versionSchema } from '../list.ts'
import { loginAlertsEndpoints } from './login-alerts.ts'
import { richText } from '../rich-text.ts'

/** The news on everybody’s dashboard. Empty if there is none. */
export const newsSchema = z.object({
  html: z.string(),
  /** Null until news is first published. */
  createdAt: z.iso.datetime().nullable(),
  version: z.int(),
})
export type News = z.infer<typeof newsSchema>

/** The alert above every page, for everybody, while it is enabled. */
const alertSchema = z.object({ enable: z.boolean(), html: z.string(), version: z.int() })
export type Alert = z.infer<typeof alertSchema>

export const announcementsEndpoints = {
  ...loginAlertsEndpoints,
  lastNews: endpoint({
    method: 'GET',
    path: '/api/news/last',
    summary: 'Get the latest news',
    ability: 'signed-in',
    action: 'VIEW',
    response: newsSchema,
  }),
  publishNews: endpoint({
    method: 'POST',
    path: '/api/news',
    summary: 'Replace the news',
    ability: 'news.edit',
    action: 'UPDATE',
    body: z.strictObject({
      html: richText,
      version: versionSchema,
      ...newsSchema.pick({ createdAt: true }).partial().shape,
    }),
    response: doneSchema,
  }),
  lastAlert: endpoint({
    method: 'GET',
    path: '/api/alerts/last',
    summary: 'Get the common alert',
    ability: 'alerts.edit',
    action: 'VIEW',
    response: alertSchema,
  }),
  publishAlert: endpoint({
    method: 'POST',
    path: '/api/alerts',
    summary: 'Update, enable or disable the common alert. Omitted fields are left unchanged.',
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
