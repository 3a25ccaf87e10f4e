import type { SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import type { Day } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { findOverallPay, findPay } from './avp-pay.queries.ts'
import { findTiers } from './row-tiers.queries.ts'
import { presentOverall, presentRows } from './present-stats.ts'
import { findOverallPreviousLpp, findPreviousLpp } from './previous-lpp.queries.ts'
import { questionOf } from './report-question.ts'
import { type ReportCriteria, type ReportName, reportOf } from './reports.ts'
import {
  countRows,
  findOverall,
  findStatsPage,
  type StatsSumsRow,
  streamStatsRows,
} from './statistics.queries.ts'

/** A report, ready to be read: all of it within the transaction, and so the snapshot, that it was opened in. */
export type StatsReport = {
  /** Rows in the asked order, from an offset on, and how many there are in all. */
  readRows(part: { offset: number; limit: number }): Promise<{ items: StatsRow[]; total: number }>
  /** All rows in the asked order, in parts of so many, without holding more than one. */
  streamRows(size: number): AsyncGenerator<StatsRow[]>
  countRows(): Promise<number>
  /** The sums of the whole result, and which columns it has. */
  readOverall(): Promise<Omit<SiteStats, 'page'>>
}

/**
 * Checks what is asked against what the viewer may see. The criteria's own page is left to the caller: a page
 * for the screen, part after part for an export.
 *
 * @throws VALIDATION_ERROR for a view, a column, a tier or a site that is not the viewer's to choose.
 */
export async function openReport(
  tx: Tx,
  viewer: Viewer,
  name: ReportName,
  criteria: ReportCriteria,
  today: Day,
): Promise<StatsReport> {
  const scope = scopeOf(viewer)
  const report = reportOf(name)
  const { question, site, visibility } = await questionOf(tx, viewer, report, criteria, today)
  const { groupBy, steps = [] } = question
  const comparesPoints = visibility.lpp && groupBy !== 'date'
  const ofAgents = groupBy === 'agent' || groupBy === 'detail'
  const shape = { report, visibility, typeIds: question.typeIds, steps }
  const completed = async (rows: StatsSumsRow[]): Promise<StatsRow[]> =>
    presentRows(rows, {
      ...shape,
      groupBy,
      previous: comparesPoints ? await findPreviousLpp(tx, scope, question, rows) : undefined,
      tiers:
        report.hasTiers && ofAgents
          ? await findTiers(tx, scope, { ...question, steps }, rows)
          : undefined,
      pay: report.paysByTier ? await findPay(tx, scope, { ...question, steps }, rows) : undefined,
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
        pay: report.paysByTier
          ? await findOverallPay(tx, scope, { ...question, steps })
          : undefined,
      })
    },
  }
}
