import type { topAgentsEndpoints, Top10Row } from '@tallyroom/contract/top-agents'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { boardGrouping, type DateRange, periodOf } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { findKnownSiteIds } from '../statistics/index.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { presentAgents, presentOffices } from './present-top10.ts'
import { findTopAgents, findTopOffices } from './top-agents.queries.ts'

type Top10Request = RequestOf<typeof topAgentsEndpoints.top10>['body']
type NamedBoard = RequestOf<typeof topAgentsEndpoints.top10Computed>['body']['period']

/**
 * The ten best of the network in a period (specification 2, Top Agents).
 * @throws VALIDATION_ERROR for a site that the viewer has never sold: it does not exist for them.
 */
export const top10 = (
  databases: TotalsDatabases,
  viewer: Viewer,
  { start, end, groupBy, siteIds }: Top10Request,
): Promise<Top10Row[]> =>
  readTotals(databases, async (tx, today) => {
    const range = { start, end }
    const question = { range, siteIds: await knownSites(tx, viewer, siteIds ?? []), today }
    return (groupBy ?? boardGrouping(range)) === 'agent'
      ? presentAgents(viewer, await findTopAgents(tx, question))
      : presentOffices(viewer, await findTopOffices(tx, question))
  })

/** A board of agents by its name. */
export function top10Computed(
  databases: TotalsDatabases,
  viewer: Viewer,
  period: NamedBoard,
): Promise<Top10Row[]> {
  const today = todayNewYork(databases.clock.now())
  const { start, end } = period === 'week' ? periodOf(today, 'week') : allTimeUntil(today)
  return top10(databases, viewer, { start, end, groupBy: 'agent', siteIds: null })
}

/** Everything that there can be totals of. */
export const allTimeUntil = (today: Day): DateRange => ({ start: '1970-01-01', end: today })

async function knownSites(
  tx: Tx,
  viewer: Viewer,
  siteIds: readonly number[],
): Promise<number[] | undefined> {
  if (siteIds.length === 0) return undefined
  const wanted = new Set(siteIds)
  const known = await findKnownSiteIds(tx, scopeOf(viewer), [...wanted])
  if (known.length < wanted.size) throw invalid({ siteIds: ['There is no such site'] })
  return known
}
