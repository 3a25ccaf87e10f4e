import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'
import { startsBeforeItEnds, withRange } from './periods.ts'

/** How many rows a board has at most. */
export const TOP_ROWS = 10

/** By whom a board ranks; `office` on the wire is the same as `company`. */
export const boardGroupings = ['agent', 'company'] as const
export type BoardGrouping = (typeof boardGroupings)[number]

/**
 * A row of a board, best first. Boards are about the whole network, so a row says no more than its viewer
 * may know: what is left out is not theirs to see.
 */
export const top10RowSchema = z.object({
  /** For staff; on a board of offices also one's own. */
  office: z.string().optional(),
  /** The username; absent on a board of offices. */
  agent: z.string().optional(),
  /** The full name, for those who may see the agent's account. */
  agentName: z.string().optional(),
  sales: z.int(),
})
export type Top10Row = z.infer<typeof top10RowSchema>

/** The boards that have names: the week under way, and everything there ever was. */
export const namedBoards = ['week', 'allTime'] as const

export const topAgentsEndpoints = {
  top10: endpoint({
    method: 'POST',
    path: '/api/stats/top10',
    summary: 'Top Agents: the ten that sold most in a period, on all sites or some',
    ability: 'stats.top-agents',
    action: 'SEARCH',
    body: withRange({
      /** Left out: by agent up to seven days, by office from eight. */
      groupBy: z
        .enum([...boardGroupings, 'office'])
        .optional()
        .transform((grouping) => (grouping === 'office' ? 'company' : grouping)),
      /** Empty, like leaving it out, means all sites. */
      siteIds: z.array(idSchema).max(500).nullish(),
    }).refine(...startsBeforeItEnds),
    response: z.array(top10RowSchema),
  }),
  top10Computed: endpoint({
    method: 'POST',
    path: '/api/stats/top10/computed',
    summary: 'A board that has a name, of agents on all sites, as the dashboard shows it',
    ability: 'dashboard.view',
    action: 'SEARCH',
    body: z.strictObject({ period: z.enum(namedBoards).default('week') }),
    response: z.array(top10RowSchema),
  }),
}
