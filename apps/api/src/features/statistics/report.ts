import type { SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import {
  groupings,
  hasTier,
  type StatsTable,
  type StatsTableName,
  statsTables,
} from '@tallyroom/contract/stats-table'
import type { Day } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findOverallPay, findPay } from './avp-pay.queries.ts'
import { findTiers } from './row-tiers.queries.ts'
import { presentOverall, presentRows } from './present-stats.ts'
import { findOverallPreviousLpp, findPreviousLpp } from './previous-lpp.queries.ts'
import { questionOf, type ReportCriteria } from './report-question.ts'
import {
  countRows,
  findOverall,
  findStatsPage,
  type StatsSumsRow,
  streamStatsRows,
} from './report.queries.ts'

/** A report, ready to be read: all of it within the transaction, and so the snapshot, that it was opened in. */
export type OpenedReport = {
  /** Rows in the asked order, from an offset on, and how many there are in all. */
  readRows(part: { offset: number; limit: number }): Promise<{ items: StatsRow[]; total: number }>
  /** All rows in the asked order, in parts of so many, without holding more than one. */
  streamRows(size: number): AsyncGenerator<StatsRow[]>
  countRows(): Promise<number>
  /** The sums of the whole result, and which columns it has. */
  readOverall(): Promise<Omit<SiteStats, 'page'>>
}

/** One page of a report's rows and the sums of its whole result. */
export const statsReport = (
  databases: TotalsDatabases,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
): Promise<SiteStats> =>
  readTotals(databases, async (tx, today) => {
    const report = await openReport(tx, viewer, name, criteria, today)
    const { page, pageSize } = criteria
    return {
      page: await report.readRows({ offset: (page - 1) * pageSize, limit: pageSize }),
      ...(await report.readOverall()),
    }
  })

/**
 * Checks what is asked against what the viewer may see. The criteria's own page is left to the caller: a page
 * for the screen, part after part for an export.
 *
 * @throws VALIDATION_ERROR for a view, a column, a tier or a site that is not the viewer's to choose.
 */
export async function openReport(
  tx: Tx,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
  today: Day,
): Promise<OpenedReport> {
  const scope = scopeOf(viewer)
  const table: StatsTable = statsTables[name]
  const { question, site, visibility } = await questionOf(tx, viewer, table, criteria, today)
  const { groupBy, steps = [] } = question
  const comparesPoints = visibility.lpp && groupings[groupBy].hasPoints
  const paysByTier = table.pays === 'tiers'
  const shape = { table, groupBy, visibility, typeIds: question.typeIds, steps }
  const completed = async (rows: StatsSumsRow[]): Promise<StatsRow[]> =>
    presentRows(rows, {
      ...shape,
      previous: comparesPoints ? await findPreviousLpp(tx, scope, question, rows) : undefined,
      tiers: hasTier(table, groupBy)
        ? await findTiers(tx, scope, { ...question, steps }, rows)
        : undefined,
      pay: paysByTier ? await findPay(tx, scope, { ...question, steps }, rows) : undefined,
    })
  return {
    async readRows(part) {
      const { rows, rowCount } = await findStatsPage(tx, scope, { ...question, ...part })
      return { items: await completed(rows), total: rowCount }
    },
    async *streamRows(size) {
      for await (const rows of streamStatsRows(tx, scope, question, size)) {
        yield await completed(rows)
      }
    },
    countRows: () => countRows(tx, scope, question),
    async readOverall() {
      const sums = await findOverall(tx, scope, question)
      return presentOverall(sums, {
        ...shape,
        site,
        previous: comparesPoints ? await findOverallPreviousLpp(tx, scope, question) : undefined,
        pay: paysByTier ? await findOverallPay(tx, scope, { ...question, steps }) : undefined,
      })
    },
  }
}
