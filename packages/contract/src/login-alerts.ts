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

/** Apart from the other announcements, because every page asks for it before it is drawn. */
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
