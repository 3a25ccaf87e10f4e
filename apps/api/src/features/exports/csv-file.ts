import { CSV_MARK, csvText, type CsvValue } from '@tallyroom/domain/csv'
import type { Cell, Sheet, SheetColumn } from './sheet.ts'

/**
 * A sheet as CSV: the headings and the rows, nothing else, so that any program can import it. Numbers are plain, with
 * a point and no separators. What the file is about stands in its name; totals and evidence are in the XLSX.
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
