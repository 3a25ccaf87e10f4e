import { type ExportFormat, MAX_XLSX_ROWS } from '@tallyroom/contract/export-formats'
import { invalid } from '../../errors.ts'

/** @throws VALIDATION_ERROR for more rows than an Excel sheet can hold. */
export function refuseTooMany(format: ExportFormat, rows: number): void {
  if (format === 'csv' || rows <= MAX_XLSX_ROWS) return
  const [all, most] = [rows, MAX_XLSX_ROWS].map((count) => count.toLocaleString('en-US'))
  throw invalid({
    format: [`These are ${all} rows, but an Excel file holds at most ${most}. Save them as CSV.`],
  })
}
