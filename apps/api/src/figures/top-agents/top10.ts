import {
  BEGINNING,
  type Top10Row,
  type topAgentsEndpoints,
} from '@tallyroom/contract/figures/top-agents'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { boardGrouping, type DateRange, periodOf } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import { seesAgent, sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findKnownSiteIds } from '../statistics/known-sites.queries.ts'
import {
  findTopAgents,
  findTopOffices,
  type TopAgent,
  type TopOffice,
} from './top-agents.queries.ts'

type Top10Request = RequestOf<typeof topAgentsEndpoints.top10>['body']
type NamedBoard = RequestOf<typeof topAgentsEndpoints.top10Computed>['body']['period']

/**
 * The ten best of the network in a period (specification 2, Top Agents).
 *
 * @throws VALIDATION_ERROR for a site that the viewer never sold: it does not exist for them.
 */
export const top10 = (
  databases: TotalsDatabases,
  viewer: Viewer,
  request: Top10Request,
): Promise<Top10Row[]> =>
  readTotals(databases, (tx, today) => readBoard(tx, viewer, request, today), {
    // Totals of any day decide whether the viewer knows a site.
    until: request.siteIds?.length ? undefined : request.end,
  })

/** A named board of agents. */
export const top10Computed = (
  databases: TotalsDatabases,
  viewer: Viewer,
  period: NamedBoard,
): Promise<Top10Row[]> =>
  readTotals(databases, (tx, today) => {
    const { start, end } = period === 'week' ? periodOf(today, 'week') : allTimeUntil(today)
    return readBoard(tx, viewer, { start, end, groupBy: 'agent', siteIds: null }, today)
  })

async function readBoard(
  tx: Tx,
  viewer: Viewer,
  { start, end, groupBy, siteIds }: Top10Request,
  today: Day,
): Promise<Top10Row[]> {
  const range = { start, end }
  const question = { range, siteIds: await knownSites(tx, viewer, siteIds ?? []), today }
  return (groupBy ?? boardGrouping(range)) === 'agent'
    ? presentAgents(viewer, await findTopAgents(tx, question))
    : presentOffices(viewer, await findTopOffices(tx, question))
}

/** A range that covers all totals. */
export const allTimeUntil = (today: Day): DateRange => ({ start: BEGINNING, end: today })

async function knownSites(
  tx: Tx,
  viewer: Viewer,
  siteIds: readonly number[],
): Promise<number[] | undefined> {
  if (siteIds.length === 0) return undefined
  const wanted = new Set(siteIds)
  const known = await findKnownSiteIds(tx, scopeOf(viewer), [...wanted])
  if (known.length < wanted.size)
    throw invalid({ siteIds: ['This site no longer exists. Choose another one'] })
  return known
}

/** The office is for staff; the full name for those who may see the agent's account. */
export function presentAgents(viewer: Viewer, rows: readonly TopAgent[]): Top10Row[] {
  const sight = sightOf(viewer)
  const withOffice = can(viewer, 'offices.choose')
  return rows.map((row) => ({
    ...(withOffice && { office: row.office_name, companyId: row.office_id }),
    agent: row.username,
    ...(seesAgent(sight, agentOf(row)) && { agentName: row.full_name, agentId: row.agent_id }),
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

/** Staff see every name. An office sees only its own among the ranks. */
function presentOffices(viewer: Viewer, rows: readonly TopOffice[]): Top10Row[] {
  const scope = scopeOf(viewer)
  return rows.map((row) => ({
    ...((scope.sees === 'everything' || scope.officeId === row.office_id) && {
      office: row.office_name,
      companyId: row.office_id,
    }),
    sales: row.sales,
  }))
}
