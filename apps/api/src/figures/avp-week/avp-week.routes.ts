import { avpWeekEndpoints } from '@tallyroom/contract/figures/avp-week'
import { route, type Route } from '../../http/route.ts'
import { sharedFor } from '../../lib/shared-for.ts'
import { foldOrRefuse, readFoldedTotals, type TotalsDatabases } from '../../totals/index.ts'
import { type AvpReader, listCloseAgents, readStanding } from './avp-week.ts'

/** Every open page polls, so fold at most once in this time. While pages keep polling, figures are up to twice as old. */
const foldMs = 2_500

export function avpWeekRoutes(databases: TotalsDatabases): Route[] {
  const fold = sharedFor(foldMs, () => foldOrRefuse(databases.db), databases)
  const read = async <T>(
    viewer: AvpReader['viewer'],
    answer: (reader: AvpReader) => Promise<T>,
  ): Promise<T> => {
    await fold()
    return readFoldedTotals(databases, (tx, today) => answer({ tx, viewer, today }))
  }
  return [
    route(avpWeekEndpoints.avpStanding, ({ viewer, params: { agentId } }) =>
      read(viewer, (reader) => readStanding(reader, agentId)),
    ),
    route(avpWeekEndpoints.avpCloseAgents, ({ viewer, body }) =>
      read(viewer, (reader) => listCloseAgents(reader, body)),
    ),
  ]
}
