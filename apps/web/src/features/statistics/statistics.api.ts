import {
  statisticsEndpoints,
  type SiteStats,
  type StatsColumn,
} from '@tallyroom/contract/statistics'
import { isValidRange, type DateRange } from '@tallyroom/domain/periods'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import type { SiteStatsCriteria } from './site-stats-search.ts'

const { siteStats } = statisticsEndpoints

interface SiteStatsRequest extends SiteStatsCriteria {
  /** A fixed column, or a link type's id. */
  sortField: StatsColumn | (string & {})
  sortAsc: boolean
  page: number
  pageSize: number
}

/** An answer with its question: while the next rows load, the old ones keep their own columns. */
export interface AnsweredStats {
  criteria: SiteStatsCriteria
  stats: SiteStats
}

/** One page of statistics. Without a valid range nothing is asked. */
export const siteStatsQuery = (request: SiteStatsRequest) => {
  const { start, end } = request
  const range = { start, end }
  return queryOptions({
    queryKey: [siteStats.path, request] as const,
    queryFn: isValidRange(range)
      ? async ({ signal }): Promise<AnsweredStats> => ({
          criteria: request,
          stats: await call(siteStats, { body: { ...request, ...range } }, { signal }),
        })
      : skipToken,
    placeholderData: keepPreviousData,
  })
}

/** The rows of one page, for the export. */
export const fetchSiteStats = async (request: SiteStatsRequest & DateRange) =>
  (await call(siteStats, { body: request })).page
