import { ROLES } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { actionTypes, endpoint } from './endpoint.ts'
import { roleSchema } from './forms.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from './list.ts'
import { sortFields } from './list-choices.ts'
import { logCriteria } from './log-criteria.ts'
import { startsBeforeItEnds } from './periods.ts'

/** One call by a signed-in user, or one sign-in attempt. */
export const commonLogItemSchema = z.object({
  /** Counts up from 1 without gaps. */
  id: z.int().min(1),
  date: z.iso.datetime(),
  /** The role of the account that made the call; null if the caller was not recognised. */
  role: z.enum(ROLES).nullable(),
  /** The person who signed in. After *Sign in as*, this is the superadmin. */
  username: z.string(),
  ip: z.string(),
  /** The username of the account that made the call. */
  accountName: z.string(),
  agentName: z.string(),
  officeName: z.string(),
  actionType: z.enum(actionTypes),
  /** Method and path pattern: `POST /api/agents/:id`. */
  actionName: z.string(),
  responseCode: z.int(),
  /** The body, and the path and query parameters, as JSON text. Secrets are removed and long values cut. */
  postParams: z.string(),
  getParams: z.string(),
})

export type CommonLogItem = z.infer<typeof commonLogItemSchema>

export const commonLogsSearchSchema = listRequest(sortFields.commonLogs, {
  sortField: 'date',
  sortAsc: false,
})
  .extend({
    role: filter(roleSchema),
    /** Part of the name, case-insensitive. */
    username: textFilter(64),
    /** An address, an IPv4 prefix, or a network such as `203.0.113.0/24`. */
    ip: textFilter(64),
    ...logCriteria,
    accountId: filter(idSchema),
    actionType: filter(z.enum(actionTypes)),
    /** Part of the method and path pattern, case-insensitive. */
    actionName: textFilter(200),
    responseCode: filter(z.int().min(100).max(599)),
    /** Part of the parameters’ JSON text, case-insensitive. Slow: scans every candidate entry. */
    postParams: textFilter(200),
  })
  .strict()
  .refine(...startsBeforeItEnds)

export type CommonLogsSearch = z.output<typeof commonLogsSearchSchema>

export const commonLogsEndpoints = {
  searchCommonLogs: endpoint({
    method: 'POST',
    path: '/api/common-logs/search',
    summary: 'Search the calls that users made and the responses they got, newest first',
    ability: 'logs.common',
    action: 'SEARCH',
    body: commonLogsSearchSchema,
    response: pagedList(commonLogItemSchema),
  }),
  downloadCommonLogs: endpoint({
    method: 'POST',
    path: '/api/common-logs/download',
    summary:
      'Download the full result of a search as text, one entry per line. `page` and `pageSize` are ignored.',
    ability: 'logs.common',
    action: 'EXPORT',
    body: commonLogsSearchSchema,
    /** `text/plain`: a header line, then one tab-separated line per entry. */
    response: z.string(),
  }),
}
