import type { sortFields } from '@tallyroom/contract/list-choices'
import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import { officePerformanceEndpoints } from '@tallyroom/contract/figures/office-performance'
import { isValidRange, type MaybeRange, type ChartPreset } from '@tallyroom/domain/periods'
import { queryOf, queryOnceAsked } from '../../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../../lib/forms/save-answer.ts'

const { officePerformance, officeCharts } = officePerformanceEndpoints

interface Comparison {
  period1: MaybeRange
  period2: MaybeRange
  sortField: (typeof sortFields.officePerformance)[number]
  sortAsc: boolean
}

/** The offices in two periods. Nothing is requested without two valid ranges. */
export const performanceQuery = ({ period1, period2, ...order }: Comparison) =>
  queryOnceAsked(
    officePerformance,
    isValidRange(period1) && isValidRange(period2)
      ? { body: { period1, period2, ...order } }
      : undefined,
  )

/** A chart for each office that sold in the period. */
export const officeChartsQuery = ({ start, end, groupBy }: ChartPreset) =>
  queryOf(officeCharts, { body: { start, end, groupBy } })

/** Saves the comparison as a file; nothing without two valid ranges. */
export const savePerformance =
  ({ period1, period2, ...order }: Comparison) =>
  async (format: ExportFormat, options: SaveOptions): Promise<void> => {
    if (!isValidRange(period1) || !isValidRange(period2)) return
    const body = { format, criteria: { period1, period2, ...order } }
    await saveAnswer(exportsEndpoints.exportOfficePerformance, { body }, options)
  }

/** Saves the numbers of the charts as a file. */
export const saveOfficeCharts =
  ({ start, end, groupBy }: ChartPreset) =>
  (format: ExportFormat, options: SaveOptions): Promise<void> =>
    saveAnswer(
      exportsEndpoints.exportOfficeCharts,
      { body: { format, criteria: { start, end, groupBy } } },
      options,
    )
