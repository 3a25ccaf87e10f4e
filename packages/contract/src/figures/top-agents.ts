import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'
import { startsBeforeItEnds, withRange } from '../periods.ts'

/** Maximum rows of a ranking. */
export const TOP_ROWS = 10

/** What a ranking groups by. The API also accepts `office` for `company`. */
const boardGroupings = ['agent', 'company'] as const
export type BoardGrouping = (typeof boardGroupings)[number]

/** A row of a ranking, best first. Rankings cover the whole network, so names that the viewer may not see are left out. */
export const top10RowSchema = z.object({
  /** With its id. Staff only, except that an office sees its own name in a ranking of offices. */
  office: z.string().optional(),
  companyId: idSchema.optional(),
  /** The username; absent in a ranking of offices. */
  agent: z.string().optional(),
  /** The full name and the id, if the viewer may see the agent's account. */
  agentName: z.string().optional(),
  agentId: idSchema.optional(),
  sales: z.int(),
})
export type Top10Row = z.infer<typeof top10RowSchema>

/** The first day of all time. */
export const BEGINNING = '1970-01-01'

/** The current week, and all time. */
const namedBoards = ['week', 'allTime'] as const

export const topAgentsEndpoints = {
  top10: endpoint({
    method: 'POST',
    path: '/api/stats/top10',
    summary: 'Rank the ten best sellers in a period, on all or some sites (Top Agents)',
    ability: 'stats.top-agents',
    byToken: 'figures',
    action: 'SEARCH',
    body: withRange({
      /** Defaults to agents for up to seven days and offices for longer. */
      groupBy: z
        .enum([...boardGroupings, 'office'])
        .optional()
        .transform((grouping) => (grouping === 'office' ? 'company' : grouping)),
      /** Empty or omitted means all sites. */
      siteIds: z.array(idSchema).max(500).nullish(),
    }).refine(...startsBeforeItEnds),
    response: z.array(top10RowSchema),
  }),
  top10Computed: endpoint({
    method: 'POST',
    path: '/api/stats/top10/computed',
    summary: 'Rank agents on all sites for this week or all time, as on the dashboard',
    ability: 'dashboard.view',
    byToken: 'figures',
    action: 'SEARCH',
    body: z.strictObject({ period: z.enum(namedBoards).default('week') }),
    response: z.array(top10RowSchema),
  }),
}
