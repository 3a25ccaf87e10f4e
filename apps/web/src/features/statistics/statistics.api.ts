import type { StatColumn } from '@tallyroom/contract/stats-table'
import type { ExportFormat, exportsEndpoints } from '@tallyroom/contract/exports'
import { type SiteStats, type statisticsEndpoints } from '@tallyroom/contract/statistics'
import { isValidRange, type DateRange } from '@tallyroom/domain/periods'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { saveAnswer, type SaveOptions } from '../../lib/save-answer.ts'
import type { StatsCriteria } from './stats-search.ts'

/** What one page of statistics is asked by. */
export interface StatsRequest extends StatsCriteria {
  /** A fixed column, or a link type's id. */
  sortField: StatColumn | (string & {})
  sortAsc: boolean
  page: number
  pageSize: number
}

/** One of the calls that answer a report. */
export interface StatsCall {
  (request: StatsRequest & DateRange, options?: { signal?: AbortSignal }): Promise<SiteStats>
  path: string
  /** Saves the whole result as a file. */
  save: (
    request: StatsRequest & DateRange,
    format: ExportFormat,
    options: SaveOptions,
  ) => Promise<void>
}

type StatsEndpoint = (typeof statisticsEndpoints)[
  | 'siteStats'
  | 'avpStats'
  | 'payroll'
  | 'payrollAvp']

type StatsExport = (typeof exportsEndpoints)[
  | 'exportSiteStats'
  | 'exportAvpStats'
  | 'exportPayroll'
  | 'exportPayrollAvp']

export const statsCall = (endpoint: StatsEndpoint, file: StatsExport): StatsCall =>
  Object.assign(
    (request: StatsRequest & DateRange, options?: { signal?: AbortSignal }) =>
      call(endpoint, { body: request }, options),
    {
      path: endpoint.path,
      save: (criteria: StatsRequest & DateRange, format: ExportFormat, options: SaveOptions) =>
        saveAnswer(file, { body: { format, criteria } }, options),
    },
  )

/** An answer with its question: while the next rows load, the old ones keep their own columns. */
export interface AnsweredStats {
  criteria: StatsCriteria
  stats: SiteStats
}

/** One page of statistics. Without a valid range nothing is asked. */
export const statsQuery = (ask: StatsCall, request: StatsRequest) => {
  const { start, end } = request
  const range = { start, end }
  return queryOptions({
    queryKey: [ask.path, request] as const,
    queryFn: isValidRange(range)
      ? async ({ signal }): Promise<AnsweredStats> => ({
          criteria: request,
          stats: await ask({ ...request, ...range }, { signal }),
        })
      : skipToken,
    placeholderData: keepPreviousData,
  })
}
