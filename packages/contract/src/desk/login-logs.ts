import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema, listRequest, pagedList, textFilter } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { logCriteria } from '../log-criteria.ts'
import { startsBeforeItEnds } from '../periods.ts'

const loginLogItemSchema = z.object({
  id: z.uuid(),
  username: z.string(),
  /** The agent or office whose session it was, if any. */
  agentId: idSchema.nullable(),
  companyId: idSchema.nullable(),
  /** Only if the brand shows IP addresses. */
  ip: z.string().optional(),
  inTime: z.iso.datetime(),
  /** When the session ended, or was last used if it expired. Null while it is open. */
  outTime: z.iso.datetime().nullable(),
  /** The superadmin who signed in as this account; null for the account holder. Staff only. */
  signedInBy: z.string().nullable(),
})

export type LoginLogItem = z.infer<typeof loginLogItemSchema>

const loginLogsSearchSchema = listRequest(sortFields.loginLogs, {
  sortField: 'inTime',
  sortAsc: false,
})
  .extend({
    /** An address, an IPv4 prefix, or a network. */
    ipAddress: textFilter(64),
    ...logCriteria,
  })
  .strict()
  .refine(...startsBeforeItEnds)

export type LoginLogsSearch = z.output<typeof loginLogsSearchSchema>

export const loginLogsEndpoints = {
  searchLoginLogs: endpoint({
    method: 'POST',
    path: '/api/login-logs/search',
    summary: 'Search sign-ins, newest first: who, from where, and until when',
    ability: 'logs.login',
    byToken: 'logs',
    action: 'SEARCH',
    body: loginLogsSearchSchema,
    response: pagedList(loginLogItemSchema),
  }),
}
