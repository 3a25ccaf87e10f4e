import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { logCriteria } from '../log-criteria.ts'
import { daySchema, startsBeforeItEnds } from '../periods.ts'
import { storedSubs, subCriteria, subIsNamed } from '../sub-ids.ts'

/** Limit for counting and paging in a search by address. Beyond it, `totalIsMore` is set. */
export const MOST_CLICKS_OF_ADDRESS = 10_000

/** Reasons why a stored click is not counted. */
export const UNCOUNTED = ['blacklisted', 'prefetch', 'headless', 'too many'] as const

/** The same in a sentence: "It was not counted: automated browser". */
export const UNCOUNTED_WORDS = {
  blacklisted: 'black-listed address',
  prefetch: 'loaded ahead by an app or browser',
  headless: 'automated browser',
  'too many': 'too many clicks from one address',
} as const satisfies Record<(typeof UNCOUNTED)[number], string>

/** Why a click led elsewhere than its link says. */
export const CLICK_NOTES = ['page elsewhere', 'offer ended'] as const

export const CLICK_NOTE_WORDS = {
  'page elsewhere':
    'The page of the link is on no host of the site: led to the link type’s own URL',
  'offer ended': 'What the link is for was suspended: led here instead',
} as const satisfies Record<(typeof CLICK_NOTES)[number], string>

const clickLogItemSchema = z.object({
  /**
   * The click id. After the secret was rotated, the last characters of older ids differ from those that the
   * merchant holds. Searches accept both.
   */
  id: z.string(),
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema,
  agentUsername: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  typename: z.string(),
  /** The tracked link that was opened, with its sub ids and without its page. */
  url: z.string(),
  /** Why it led elsewhere than the link says; null if it did not. `offer ended`: site and link type are those it led to. */
  note: z.enum(CLICK_NOTES).nullable(),
  ...storedSubs,
  clickTime: z.iso.datetime(),

  /** Entries of the sale log that came from this click. */
  sales: z.int(),

  counted: z.boolean(),
  /** Why the click is not counted; null if it is. */
  uncounted: z.enum(UNCOUNTED).nullable(),
  /** The User-Agent header. Staff only. */
  userAgent: z.string().nullable().optional(),
  /** Only if the brand shows IP addresses. `uniques`: the address’s first click on the agent’s link type that day. */
  fromIp: z.string().optional(),
  uniques: z.boolean().optional(),
  /** The Referer header. Only if the brand shows referrers. */
  referer: z.string().nullable().optional(),
})

export type ClickLogItem = z.infer<typeof clickLogItemSchema>

export const clickLogsSearchSchema = listRequest(sortFields.clickLogs, {
  sortField: 'clickTime',
  sortAsc: false,
})
  .extend({
    /** A complete address. */
    ipAddress: textFilter(64),
    /** A whole click id, under the current or an earlier secret. */
    clickId: textFilter(64),
    ...logCriteria,
    siteId: filter(idSchema),
    ...subCriteria,
  })
  .strict()
  .refine(...startsBeforeItEnds)
  .refine(...subIsNamed)

export type ClickLogsSearch = z.output<typeof clickLogsSearchSchema>

export type ClickLogs = z.output<typeof clickLogsEndpoints.searchClickLogs.response>

export const clickLogsEndpoints = {
  searchClickLogs: endpoint({
    method: 'POST',
    path: '/api/click-outs/search',
    summary: 'Search the clicks on tracked links, newest first',
    ability: 'logs.click-outs',
    byToken: 'logs',
    action: 'SEARCH',
    body: clickLogsSearchSchema,
    response: pagedList(clickLogItemSchema).extend({
      /** There are more clicks than `total`: a search by address stops counting and paging there. */
      totalIsMore: z.boolean(),
      /** The first day from which on no click is archived; null if none is. Archived clicks are not listed. */
      detailsSince: daySchema.nullable(),
      /** Crawler visits to these links. Days are inclusive; at most the last 92 days of the range. */
      crawlers: z.object({ visits: z.int(), start: daySchema, end: daySchema }),
    }),
  }),
}
