import { CSV_MARK, csvText, type CsvValue } from '@tallyroom/domain/csv'
import type { Cell, Sheet, SheetColumn } from './sheet.ts'

/**
 * A sheet as CSV: only headings and rows, so that any program can import it. Numbers have a decimal point and no
 * separators. The criteria are in the file name; totals and details are in the XLSX.
 */
export async function* csvFile({ columns, rows }: Sheet): AsyncGenerator<string> {
  yield CSV_MARK + csvText([columns.map(({ header }) => header)])
  for await (const part of rows) yield csvText(part.map((row) => row.map(valueIn(columns))))
}

const valueIn =
  (columns: readonly SheetColumn[]) =>
  (cell: Cell, index: number): CsvValue => {
    const kind = columns[index]?.kind
    return typeof cell === 'number' && (kind === 'money' || kind === 'percent')
      ? { number: cell.toFixed(2) }
      : cell
  }
