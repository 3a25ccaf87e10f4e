import { CSV_MARK, csvText, type CsvValue } from '@tallyroom/domain/csv'
import type { Cell, Sheet, SheetColumn } from './sheet.ts'

/**
 * A sheet as CSV: its title and facts, an empty line, the headings, the rows, the totals. The last line says how
 * many rows there were: a file without it is not whole. Numbers are plain, with a point and no separators.
 */
export async function* csvFile({
  title,
  facts,
  columns,
  rows,
  totals,
}: Sheet): AsyncGenerator<string> {
  let count = 0
  yield CSV_MARK + csvText([[title], ...facts, [], columns.map(({ header }) => header)])
  for await (const part of rows) {
    count += part.length
    yield csvText(part.map((row) => row.map(valueIn(columns))))
  }
  yield csvText([
    ...(totals ? [totals.map(valueIn(columns))] : []),
    [],
    ['End of export', `${count} ${count === 1 ? 'row' : 'rows'}`],
  ])
}

const valueIn =
  (columns: readonly SheetColumn[]) =>
  (cell: Cell, index: number): CsvValue => {
    const kind = columns[index]?.kind
    return typeof cell === 'number' && (kind === 'money' || kind === 'percent')
      ? { number: cell.toFixed(2) }
      : cell
  }
