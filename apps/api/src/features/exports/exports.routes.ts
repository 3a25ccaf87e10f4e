import { exportsEndpoints, type ExportFormat } from '@tallyroom/contract/exports'
import type { DateRange } from '@tallyroom/domain/periods'
import type { Viewer } from '../../access/viewer.ts'
import { downloadRoute, type Route } from '../../http/route.ts'
import type { Download } from '../../http/send-download.ts'
import { atMost } from '../../lib/at-most.ts'
import {
  type ReportCriteria,
  type ReportDatabases,
  type ReportName,
  streamInReportSnapshot,
} from '../statistics/index.ts'
import { officeChartsSheet, officePerformanceSheet, top10Sheet } from './board-sheets.ts'
import { exportFile, refuseTooMany } from './export-file.ts'
import { inTurn } from './in-turn.ts'
import type { Sheet } from './sheet.ts'
import { statsSheet } from './stats-sheet.ts'

/** Each file that is being written holds a session of the database, of which a process has ten. */
const AT_ONCE = { running: 2, waiting: 8 }

/** Every statistics table as a file: its whole result, with the criteria, by whom and when. */
export function exportsRoutes(databases: ReportDatabases): Route[] {
  const run = atMost(AT_ONCE)

  const stats = (name: ReportName, file: string) => (input: StatsRequest) =>
    exportFile(
      { format: input.body.format, name: [file, ...daysOf(input.body.criteria)] },
      inTurn(run, () => statsSheets(databases, name, input)),
    )

  const small = async (
    { body: { format } }: { body: { format: ExportFormat } },
    name: string[],
    sheet: Promise<Sheet>,
  ): Promise<Download> => exportFile({ format, name }, only(await sheet))

  return [
    downloadRoute(exportsEndpoints.exportSiteStats, stats('sites', 'sites-statistics')),
    downloadRoute(exportsEndpoints.exportAvpStats, stats('avp', 'sites-avp-statistics')),
    downloadRoute(exportsEndpoints.exportPayroll, stats('payroll', 'payroll')),
    downloadRoute(exportsEndpoints.exportPayrollAvp, stats('payrollAvp', 'payroll-avp')),
    downloadRoute(exportsEndpoints.exportTop10, (input) => {
      const { criteria } = input.body
      const sheet = top10Sheet(databases, input.viewer, criteria)
      return small(input, ['top-agents', ...daysOf(criteria)], sheet)
    }),
    downloadRoute(exportsEndpoints.exportOfficePerformance, (input) => {
      const { criteria } = input.body
      const days = [criteria.period1, criteria.period2].flatMap(daysOf)
      const sheet = officePerformanceSheet(databases, input.viewer, criteria)
      return small(input, ['office-performance', ...days], sheet)
    }),
    downloadRoute(exportsEndpoints.exportOfficeCharts, (input) => {
      const { criteria } = input.body
      const sheet = officeChartsSheet(databases, input.viewer, criteria)
      return small(input, ['office-performance-charts', ...daysOf(criteria)], sheet)
    }),
  ]
}

type StatsRequest = { viewer: Viewer; body: { format: ExportFormat; criteria: ReportCriteria } }

/** The one sheet, in a snapshot that is held as long as it is read. */
const statsSheets = (
  databases: ReportDatabases,
  name: ReportName,
  { viewer, body: { format, criteria } }: StatsRequest,
) =>
  streamInReportSnapshot(databases, async function* (tx, today): AsyncGenerator<Sheet> {
    const now = databases.clock.now()
    const sheet = await statsSheet(tx, viewer, name, criteria, { today, now })
    if (format === 'xlsx') refuseTooMany(format, await sheet.countRows())
    yield sheet
  })

async function* only(sheet: Sheet): AsyncGenerator<Sheet> {
  yield sheet
}

const daysOf = ({ start, end }: DateRange): string[] => (start === end ? [start] : [start, end])
