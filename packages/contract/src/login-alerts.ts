import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The alerts above every page for one account. The account’s own alert takes priority. */
const loginAlertsSchema = z.object({
  /** Plain text; null if there is none. */
  accountAlert: z.string().nullable(),
  /** HTML; null while it is disabled. */
  commonAlert: z.string().nullable(),
})
export type LoginAlerts = z.infer<typeof loginAlertsSchema>

/** Not part of the other announcements, because every page needs it before it is drawn. */
export const loginAlertsEndpoints = {
  loginAlerts: endpoint({
    method: 'GET',
    path: '/api/alerts/login',
    summary: 'Get the alerts shown to the caller',
    ability: 'signed-in',
    action: 'none',
    response: loginAlertsSchema,
  }),
}
