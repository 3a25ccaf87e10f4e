import {
  statisticsEndpoints,
  type StatsColumn,
  type StatsGrouping,
} from '@tallyroom/contract/statistics'
import { isValidRange } from '@tallyroom/domain/periods'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import type { SiteStatsCriteria } from './site-stats-search.ts'

interface SiteStatsRequest extends SiteStatsCriteria {
  /** A fixed column, or a link type's id. */
  sortField: StatsColumn | (string & {})
  sortAsc: boolean
  page: number
  pageSize: number
}

/** One page of statistics together with the criteria it answers. Without a valid range nothing is asked. */
export const siteStatsQuery = ({ start, end, ...rest }: SiteStatsRequest) => {
  const range = { start, end }
  return queryOptions({
    queryKey: [statisticsEndpoints.siteStats.path, { ...rest, ...range }] as const,
    queryFn: isValidRange(range)
      ? async ({ signal }): Promise<AnsweredStats> => ({
          criteria: { ...rest, ...range },
          stats: await call(
            statisticsEndpoints.siteStats,
            { body: { ...rest, ...range } },
            { signal },
          ),
        })
      : skipToken,
    placeholderData: keepPreviousData,
  })
}

/** Rows keep the view that they were asked for: while the next ones load, they stay under their own columns. */
export interface AnsweredStats {
  criteria: SiteStatsCriteria & { groupBy: StatsGrouping }
  stats: Awaited<ReturnType<typeof call<typeof statisticsEndpoints.siteStats>>>
}
