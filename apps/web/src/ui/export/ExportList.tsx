import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { csvText } from '@tallyroom/domain/csv'
import { download, saveBlob } from '../../lib/download.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { linesOf, type ListToExport } from './ExportCsv.tsx'

type ExportListProps<Row> = ListToExport<Row> & { disabled: boolean }

/** Downloads the whole result of a list as CSV or as an Excel workbook. */
export const ExportList = <Row,>({ disabled, ...list }: ExportListProps<Row>) => (
  <ExportMenu save={(format) => save(list, format)} disabled={disabled} />
)

async function save<Row>(list: ListToExport<Row>, format: ExportFormat): Promise<void> {
  const { lines } = await linesOf(list)
  if (format === 'csv') return download(`${list.fileName}.csv`, csvText(lines))
  const { zippedWorkbook } = await import('./zipped-workbook.ts')
  saveBlob(`${list.fileName}.xlsx`, new Blob([zippedWorkbook(lines)], { type: XLSX }))
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
