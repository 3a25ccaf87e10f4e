import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'

/** The alerts above every page for one account. The account’s own alert takes priority, then news of its payment account. */
const loginAlertsSchema = z.object({
  /** Plain text; null if there is none. */
  accountAlert: z.string().nullable(),
  /**
   * What became of the account that receives the caller's pay; null without news. `disown` is the account's id while the
   * caller can say that they did not enter it.
   */
  payeeAccount: z.object({ text: z.string(), disown: idSchema.nullable() }).nullable(),
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
