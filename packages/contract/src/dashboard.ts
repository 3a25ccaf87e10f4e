import { z } from 'zod'
import { newsSchema } from './announcements.ts'
import { endpoint } from './endpoint.ts'
import { performanceRowSchema } from './office-performance.ts'
import { periodSchema } from './periods.ts'
import { top10RowSchema } from './top-agents.ts'

export const dashboardSchema = z.object({
  /** What one must read: of an agent, its office's notes and its own; of an office, its own. Plain text, may be empty. */
  agentNotes: z.string(),
  /** The agent is suspended because a sale of it was called fraud. */
  showAgentFraudNotes: z.boolean(),
  lastNews: newsSchema.pick({ html: true, createdAt: true }).nullable(),
  /** The week under way. */
  weekPeriod: periodSchema,
  /** The half-month under way. */
  beWeekPeriod: periodSchema,
  weekTop10: z.array(top10RowSchema),
  allTimeTop10: z.array(top10RowSchema),
  /** The offices that sold in the half-month under way, best first, beside the whole half-month before. */
  officeRanking: z.array(performanceRowSchema.omit({ sales2: true })),
})
export type Dashboard = z.infer<typeof dashboardSchema>

export const dashboardEndpoints = {
  dashboard: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    summary: 'The home page: notes, news and the boards',
    ability: 'dashboard.view',
    action: 'none',
    revalidated: true,
    response: dashboardSchema,
  }),
}
