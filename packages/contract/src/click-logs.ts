import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from './list.ts'
import { logCriteria } from './log-criteria.ts'
import { startsBeforeItEnds } from './periods.ts'

/** How many clicks of one address are counted and can be paged through; beyond, `totalIsMore`. */
export const MOST_CLICKS_OF_ADDRESS = 10_000

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
  /** False: the address was black-listed, the click counts for nothing. */
  counted: z.boolean(),
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
    }),
  }),
}
