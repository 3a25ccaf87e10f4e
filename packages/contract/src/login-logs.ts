import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listRequest, pagedList, textFilter } from './list.ts'
import { logCriteria } from './log-criteria.ts'
import { startsBeforeItEnds } from './periods.ts'

export const loginLogItemSchema = z.object({
  id: z.uuid(),
  username: z.string(),
  /** Only with a brand that shows addresses. */
  ip: z.string().optional(),
  inTime: z.iso.datetime(),
  /** When the session ended; for one that ran out, when it was last used. Null while it is open. */
  outTime: z.iso.datetime().nullable(),
  /** The superadmin who signed in as this account, if it was not its holder. Told to staff alone. */
  signedInBy: z.string().nullable(),
})

export type LoginLogItem = z.infer<typeof loginLogItemSchema>

export const loginLogsSearchSchema = listRequest(['inTime', 'outTime', 'username', 'ip'], {
  sortField: 'inTime',
  sortAsc: false,
})
  .extend({
    /** An address, the beginning of an IPv4 address, or a network. */
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
    summary: 'Who signed in, from where, and until when, newest first',
    ability: 'logs.login',
    action: 'SEARCH',
    body: loginLogsSearchSchema,
    response: pagedList(loginLogItemSchema),
  }),
}
