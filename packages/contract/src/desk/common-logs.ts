import { ROLES } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { actionTypes, endpoint } from '../endpoint.ts'
import { onOffSchema, roleSchema } from '../forms.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { logCriteria } from '../log-criteria.ts'
import { startsBeforeItEnds } from '../periods.ts'

/** What has a history. */
export const objectKinds = [
  'agent',
  'office',
  'site',
  'linkType',
  'shortLink',
  'officeFee',
  'admin',
  'domain',
  'avpSchedule',
  'siteManual',
  'coupon',
  'payFile',
  'paymentRun',
  'payeeAccount',
  'payProposal',
  'paySettings',
  'options',
  'alarmSettings',
  'contact',
  'signInRules',
] as const
export type ObjectKind = (typeof objectKinds)[number]

/**
 * The object's kind and key: `agent:5`, `avpSchedule:2026-03-02`, `officeFee:7.3` (link type and
 * office).
 */
const objectRefSchema = z
  .string()
  .max(64)
  .refine(
    (text): text is ObjectRef =>
      objectKinds.some((kind) => text.startsWith(`${kind}:`)) && /^\w+:[\d.-]+$/.test(text),
    'must be a kind and an id, such as agent:5',
  )
export type ObjectRef = `${ObjectKind}:${string}`

/** As forms show the values; empty if there was none. */
const changedFieldSchema = z.object({
  field: z.string(),
  /** Absent if the value is a secret. */
  from: z.string().optional(),
  to: z.string().optional(),
  /** For a list, `from` has what was removed and `to` what was added. */
  list: z.literal(true).optional(),
})
export type ChangedField = z.infer<typeof changedFieldSchema>

/** One call by a signed-in user, or one sign-in attempt. */
const commonLogItemSchema = z.object({
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
  /** The agent whose account made the call, and the office. Either may have been deleted since. */
  agentId: idSchema.nullable(),
  agentName: z.string(),
  companyId: idSchema.nullable(),
  officeName: z.string(),
  actionType: z.enum(actionTypes),
  /** Method and path pattern: `POST /api/agents/:id`. */
  actionName: z.string(),
  responseCode: z.int(),
  /** The body, and the path and query parameters, as JSON text. Secrets are removed and long values cut. */
  postParams: z.string(),
  getParams: z.string(),
  /** The name of the API token that made the call; null in a session. */
  tokenName: z.string().nullable(),
  /** What the call did, as a sentence. */
  sentence: z.string(),
  /**
   * What it changed, if it was made since the logs record that. Earnings only for viewers who see
   * them.
   */
  changes: z.array(
    z.object({ ref: z.string(), name: z.string(), fields: z.array(changedFieldSchema) }),
  ),
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
    /** `true` leaves out the calls that only read, sign in or sign out. */
    changesOnly: filter(onOffSchema),
    /** Only calls that changed this office, agent, site or other object. */
    object: filter(objectRefSchema),
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
    byToken: 'logs',
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
    byToken: 'logs',
    action: 'EXPORT',
    body: commonLogsSearchSchema,
    /** `text/plain`: a header line, then one tab-separated line per entry. */
    response: z.string(),
  }),
}
