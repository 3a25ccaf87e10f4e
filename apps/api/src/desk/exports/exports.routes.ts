import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import type { StatsTableName } from '@tallyroom/contract/figures/stats-table'
import type { Viewer } from '../../access/viewer.ts'
import { downloadRoute, type Route } from '../../http/route.ts'
import type { Download } from '../../http/send-download.ts'
import { atMost, streamWithin } from '../../lib/at-most.ts'
import { reachOf, type ReportCriteria } from '../../figures/index.ts'
import { type TotalsDatabases, streamTotals } from '../../totals/index.ts'
import { officeChartsSheet, officePerformanceSheet, top10Sheet } from './board-sheets.ts'
import { whatIfSheet } from './what-if-sheet.ts'
import { exportFile } from '../../http/sheets/export-file.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import type { Sheet } from '../../http/sheets/sheet.ts'
import { statsSheet } from './stats-sheet.ts'

/** Each file being written holds one of the process's ten database connections. */
const AT_ONCE = { running: 2, waiting: 8 }

/** Every statistics table as a file with its whole result. */
export function exportsRoutes(databases: TotalsDatabases): Route[] {
  const run = atMost(AT_ONCE)

  const stats = (name: StatsTableName) => (input: StatsRequest) =>
    exportFile(
      input.body.format,
      streamWithin(run, () => statsSheets(databases, name, input)),
    )

  const small = async (format: ExportFormat, sheet: Promise<Sheet>): Promise<Download> =>
    exportFile(format, only(await sheet))

  return [
    downloadRoute(exportsEndpoints.exportSiteStats, stats('sites')),
    downloadRoute(exportsEndpoints.exportAvpStats, stats('avp')),
    downloadRoute(exportsEndpoints.exportPayroll, stats('payroll')),
    downloadRoute(exportsEndpoints.exportPayrollAvp, stats('payrollAvp')),
    downloadRoute(exportsEndpoints.exportTop10, ({ viewer, body: { format, criteria } }) =>
      small(format, top10Sheet(databases, viewer, criteria)),
    ),
    downloadRoute(
      exportsEndpoints.exportOfficePerformance,
      ({ viewer, body: { format, criteria } }) =>
        small(format, officePerformanceSheet(databases, viewer, criteria)),
    ),
    downloadRoute(exportsEndpoints.exportWhatIf, ({ viewer, body: { format, criteria } }) =>
      small(format, whatIfSheet(databases, viewer, criteria)),
    ),
    downloadRoute(exportsEndpoints.exportOfficeCharts, ({ viewer, body: { format, criteria } }) =>
      small(format, officeChartsSheet(databases, viewer, criteria)),
    ),
  ]
}

type StatsRequest = { viewer: Viewer; body: { format: ExportFormat; criteria: ReportCriteria } }

/** One sheet, in a snapshot that stays open while it is read. */
const statsSheets = (
  databases: TotalsDatabases,
  name: StatsTableName,
  { viewer, body: { format, criteria } }: StatsRequest,
) =>
  streamTotals(
    databases,
    async function* (tx, today): AsyncGenerator<Sheet> {
      const now = tx.now
      const sheet = await statsSheet(tx, viewer, name, criteria, { today, now })
      if (format === 'xlsx') refuseTooMany(format, await sheet.countRows())
      yield sheet
    },
    reachOf(viewer, name, criteria),
  )

async function* only(sheet: Sheet): AsyncGenerator<Sheet> {
  yield sheet
}
