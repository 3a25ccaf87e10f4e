import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from './list.ts'
import { logCriteria } from './log-criteria.ts'
import { daySchema, startsBeforeItEnds } from './periods.ts'

/** How many clicks of one address are counted and can be paged through; beyond, `totalIsMore`. */
export const MOST_CLICKS_OF_ADDRESS = 10_000

/** Why a click is kept and counts for nothing. */
export const UNCOUNTED = ['blacklisted', 'prefetch', 'headless', 'too many'] as const

export const clickLogItemSchema = z.object({
  /**
   * The click id. After the secret was replaced, the merchant of an older click holds another, with other last
   * characters: searches find the click by either.
   */
  id: z.string(),
  officeName: z.string(),
  agentUsername: z.string(),
  sitename: z.string(),
  typename: z.string(),
  /** The tracked link that was opened, with the agent's own marks. */
  url: z.string(),
  clickTime: z.iso.datetime(),
  /** False: the click counts for nothing. */
  counted: z.boolean(),
  /** Why it does not count; null when it does. */
  uncounted: z.enum(UNCOUNTED).nullable(),
  /** The browser, as it names itself. To staff alone. */
  userAgent: z.string().nullable().optional(),
  /** The address, and whether it was its first click on the agent's link type on that day. Only with a brand that shows addresses. */
  fromIp: z.string().optional(),
  uniques: z.boolean().optional(),
  /** Where the visitor came from. Only with a brand that shows referrers. */
  referer: z.string().nullable().optional(),
})

export type ClickLogItem = z.infer<typeof clickLogItemSchema>

export const clickLogsSearchSchema = listRequest(['clickTime'], {
  sortField: 'clickTime',
  sortAsc: false,
})
  .extend({
    /** One whole address. */
    ipAddress: textFilter(64),
    ...logCriteria,
    siteId: filter(idSchema),
  })
  .strict()
  .refine(...startsBeforeItEnds)

export type ClickLogsSearch = z.output<typeof clickLogsSearchSchema>

export type ClickLogs = z.output<typeof clickLogsEndpoints.searchClickLogs.response>

export const clickLogsEndpoints = {
  searchClickLogs: endpoint({
    method: 'POST',
    path: '/api/click-outs/search',
    summary: 'The clicks on tracked links, newest first',
    ability: 'logs.click-outs',
    action: 'SEARCH',
    body: clickLogsSearchSchema,
    response: pagedList(clickLogItemSchema).extend({
      /** There are more than `total`, which is where counting and paging end: only in a search for an address. */
      totalIsMore: z.boolean(),
      /** How often crawlers followed these links. Both days inclusive; 92 days at most, the last ones searched. */
      crawlers: z.object({ visits: z.int(), start: daySchema, end: daySchema }),
    }),
  }),
}
