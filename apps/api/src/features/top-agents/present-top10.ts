import type { Top10Row } from '@tallyroom/contract/top-agents'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { seesAgent, sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { TopAgent, TopOffice } from './top-agents.queries.ts'

/** The office is for staff; the full name for those who may see the agent's account. */
export function presentAgents(viewer: Viewer, rows: readonly TopAgent[]): Top10Row[] {
  const sight = sightOf(viewer)
  const withOffice = can(viewer, 'offices.choose')
  return rows.map((row) => ({
    ...(withOffice && { office: row.office_name }),
    agent: row.username,
    ...(seesAgent(sight, agentOf(row)) && { agentName: row.full_name }),
    sales: row.sales,
  }))
}

// Boards have no hidden agents.
const agentOf = ({ agent_id, office_id, active }: TopAgent) => ({
  id: agent_id,
  officeId: office_id,
  active,
  hidden: false,
})

/** Staff reads every name; an office finds itself among the ranks, the others stay without a name. */
export function presentOffices(viewer: Viewer, rows: readonly TopOffice[]): Top10Row[] {
  const scope = scopeOf(viewer)
  return rows.map((row) => ({
    ...((scope.sees === 'everything' || scope.officeId === row.office_id) && {
      office: row.office_name,
    }),
    sales: row.sales,
  }))
}
