import { ROLES } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { actionTypes, endpoint } from './endpoint.ts'
import { roleSchema } from './forms.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from './list.ts'
import { logCriteria } from './log-criteria.ts'
import { startsBeforeItEnds } from './periods.ts'

/** One call of somebody who was signed in, or tried to sign in. */
export const commonLogItemSchema = z.object({
  /** Counts from 1 without a gap. */
  id: z.int().min(1),
  date: z.iso.datetime(),
  /** The role of the account that the call was made with; none when nobody was recognised. */
  role: z.enum(ROLES).nullable(),
  /** Who was there in person: for a superadmin who signed in as another, the superadmin. */
  username: z.string(),
  ip: z.string(),
  /** The username of the account that the call was made with. */
  accountName: z.string(),
  agentName: z.string(),
  officeName: z.string(),
  actionType: z.enum(actionTypes),
  /** Method and path pattern: `POST /api/agents/:id`. */
  actionName: z.string(),
  responseCode: z.int(),
  /** What the body held, and what path and query held: JSON text, secrets removed, long values cut. */
  postParams: z.string(),
  getParams: z.string(),
})

export type CommonLogItem = z.infer<typeof commonLogItemSchema>

export const commonLogsSearchSchema = listRequest(['date', 'username', 'ip'], {
  sortField: 'date',
  sortAsc: false,
})
  .extend({
    role: filter(roleSchema),
    /** Part of the name, without regard to case. */
    username: textFilter(64),
    /** An address, the beginning of an IPv4 address, or a network such as `203.0.113.0/24`. */
    ip: textFilter(64),
    ...logCriteria,
    accountId: filter(idSchema),
    actionType: filter(z.enum(actionTypes)),
    /** Part of method and path pattern, without regard to case. */
    actionName: textFilter(200),
    responseCode: filter(z.int().min(100).max(599)),
    /** Part of the parameters' JSON text, without regard to case. Reads every entry in question: slow. */
    postParams: textFilter(200),
  })
  .strict()
  .refine(...startsBeforeItEnds)

export type CommonLogsSearch = z.output<typeof commonLogsSearchSchema>

export const commonLogsEndpoints = {
  searchCommonLogs: endpoint({
    method: 'POST',
    path: '/api/common-logs/search',
    summary: 'Who called what and how it was answered, newest first',
    ability: 'logs.common',
    action: 'SEARCH',
    body: commonLogsSearchSchema,
    response: pagedList(commonLogItemSchema),
  }),
  downloadCommonLogs: endpoint({
    method: 'POST',
    path: '/api/common-logs/download',
    summary:
      'The whole result of such a search as text, a line an entry; page and pageSize are not looked at',
    ability: 'logs.common',
    action: 'EXPORT',
    body: commonLogsSearchSchema,
    /** `text/plain`: a heading, then a line an entry, columns between tabs. */
    response: z.string(),
  }),
}
