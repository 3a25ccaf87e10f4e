import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import {
  topAgentsEndpoints,
  type BoardGrouping,
  type Top10Row,
} from '@tallyroom/contract/figures/top-agents'
import {
  boardGrouping,
  isValidRange,
  type DateRange,
  type MaybeRange,
} from '@tallyroom/domain/periods'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { saveAnswer, type SaveOptions } from '../../lib/forms/save-answer.ts'

const { top10 } = topAgentsEndpoints

/**
 * A board together with what it ranks: while the next one loads, the old one keeps its own columns.
 */
export interface AnsweredBoard {
  groupBy: BoardGrouping
  rows: Top10Row[]
}

/** The ten best of a period. Nothing is requested without a valid range. */
export function top10Query(range: MaybeRange, siteIds: readonly number[]) {
  const { start, end } = range
  const asked = { start, end }
  return queryOptions({
    queryKey: [top10.path, asked, siteIds] as const,
    queryFn: isValidRange(asked)
      ? async ({ signal }): Promise<AnsweredBoard> => {
          const groupBy = boardGrouping(asked)
          const body = { ...asked, groupBy, siteIds: [...siteIds] }
          return { groupBy, rows: await call(top10, { body }, { signal }) }
        }
      : skipToken,
    placeholderData: keepPreviousData,
  })
}

/** The same as a file. */
export const saveTop10 = (
  { start, end }: DateRange,
  siteIds: readonly number[],
  format: ExportFormat,
  options: SaveOptions,
): Promise<void> => {
  const criteria = { start, end, siteIds: [...siteIds] }
  return saveAnswer(exportsEndpoints.exportTop10, { body: { format, criteria } }, options)
}
