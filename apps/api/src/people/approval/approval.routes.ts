import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { sightOf } from '../../access/sight.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { approve } from './approval.ts'
import { countUnapproved, findUnapproved } from './approval.queries.ts'

export const approvalRoutes = (services: Pick<Services, 'db'>): Route[] => [
  route(approvalEndpoints.unapproved, async ({ viewer, query: { sortField, sortAsc } }) => {
    const order = { sortField, ascending: sortAsc }
    const rows = await findUnapproved(services.db, sightOf(viewer), order)
    return rows.map((row) => ({
      ...row,
      regTime: row.regTime.toISOString(),
      role: 'agent' as const,
    }))
  }),

  route(approvalEndpoints.unapprovedCount, async ({ viewer }) => ({
    count: await countUnapproved(services.db, sightOf(viewer)),
  })),

  route(approvalEndpoints.approve, ({ viewer, body: { ids } }) => approve(services, viewer, ids)),
]
