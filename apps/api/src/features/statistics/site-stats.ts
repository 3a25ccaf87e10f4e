import type { SiteStats, StatsCriteria } from '@tallyroom/contract/statistics'
import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../http/services.ts'
import { foldTotals } from '../daily-totals/index.ts'
import type { ReportCriteria, ReportName } from './reports.ts'
import { openReport } from './stats-report.ts'

/** Where the totals are kept up to date, where reports read them (often the same), and what day it is. */
export type ReportDatabases = Pick<Services, 'db' | 'reportDb' | 'clock'>

/** Reads within one snapshot that holds everything committed before the call. */
export async function inReportSnapshot<T>(
  { db, reportDb, clock }: ReportDatabases,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> {
  await foldTotals(db)
  return inTransaction(reportDb, (tx) => read(tx, todayNewYork(clock.now())), {
    isolation: 'repeatable read',
    accessMode: 'read only',
  })
}

/**
 * The same for what is read bit by bit: the snapshot is held until all is read, or nobody wants any more. The
 * database ends it when nothing is asked for half a minute.
 */
export async function* streamInReportSnapshot<T>(
  { db, reportDb, clock }: ReportDatabases,
  read: (tx: Tx, today: Day) => AsyncIterable<T>,
): AsyncGenerator<T> {
  await foldTotals(db)
  const tx = await reportDb
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    yield* read(tx, todayNewYork(clock.now()))
  } finally {
    await tx.rollback().execute()
  }
}

/** One page of a report's rows and the sums of its whole result. */
export const statsReport = (
  databases: ReportDatabases,
  viewer: Viewer,
  name: ReportName,
  criteria: ReportCriteria,
): Promise<SiteStats> =>
  inReportSnapshot(databases, async (tx, today) => {
    const report = await openReport(tx, viewer, name, criteria, today)
    const { page, pageSize } = criteria
    return {
      page: await report.readRows({ offset: (page - 1) * pageSize, limit: pageSize }),
      ...(await report.readOverall()),
    }
  })

/** Sites Statistics (specification 2, section 2). */
export const siteStats = (
  databases: ReportDatabases,
  viewer: Viewer,
  criteria: StatsCriteria,
): Promise<SiteStats> => statsReport(databases, viewer, 'sites', criteria)
