import { z } from 'zod'
import { newsSchema } from './announcements.ts'
import { endpoint } from '../endpoint.ts'
import { performanceRowSchema } from '../figures/office-performance.ts'
import { periodSchema } from '../periods.ts'
import { top10RowSchema } from '../figures/top-agents.ts'

const dashboardSchema = z.object({
  /** Must-read notes, plain text, may be empty. An agent gets their office’s notes and their own. */
  agentNotes: z.string(),
  /** The agent is suspended because a merchant reported one of their sales as fraud. */
  showAgentFraudNotes: z.boolean(),
  lastNews: newsSchema.pick({ html: true, createdAt: true }).nullable(),
  /** The current week. */
  weekPeriod: periodSchema,
  /** The current half-month. */
  beWeekPeriod: periodSchema,
  weekTop10: z.array(top10RowSchema),
  allTimeTop10: z.array(top10RowSchema),
  /**
   * Offices with sales in the current half-month, best first. `progress` compares with the whole previous half-month, `growth`
   * with as many days of it as have begun of this one.
   */
  officeRanking: z.array(performanceRowSchema.omit({ sales2: true, sales2ToDate: true })),
})
export type Dashboard = z.infer<typeof dashboardSchema>

export const dashboardEndpoints = {
  dashboard: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    summary: 'Get the home page: notes, news and rankings',
    ability: 'dashboard.view',
    byToken: 'figures',
    action: 'none',
    revalidated: true,
    response: dashboardSchema,
  }),
}
