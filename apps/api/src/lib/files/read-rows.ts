import { separators, type TableFormat } from '@tallyroom/contract/table-files'
import { CsvError, parse } from 'csv-parse/sync'
import { decodeText } from './decode-text.ts'
import { type Cell, readXlsx } from './read-xlsx.ts'
import { BadFileError, isZip } from './read-zip.ts'

/** A file as rows of cells, with the lines that they end on. */
export type RawTable = { format: TableFormat; rows: { line: number; cells: Cell[] }[] }

/** The most rows that are read. */
const MOST_ROWS = 20_000

/**
 * A file of a bank or a colleague as a table, in any of the shapes that banks and spreadsheets give it: an Excel workbook, or text in an
 * encoding and with a separator that are recognised.
 *
 * @param fits how well a table fits what is looked for: of several separators, the one that fits best is right.
 * @throws BadFileError with what it is instead
 */
export function readRows(bytes: Buffer, fits: (table: RawTable['rows']) => number): RawTable {
  const table = bytes.length >= 4 && isZip(bytes) ? workbookOf(bytes) : textTableOf(bytes, fits)
  if (table.rows.length === 0) throw new BadFileError('it is empty')
  if (table.rows.length > MOST_ROWS) throw new BadFileError('it has too many lines')
  return table
}

function workbookOf(bytes: Buffer): RawTable {
  const { name, rows } = readXlsx(bytes)
  return { format: { kind: 'xlsx', sheet: name }, rows }
}

function textTableOf(bytes: Buffer, fits: (table: RawTable['rows']) => number): RawTable {
  const other = OTHER_KINDS.find(({ starts }) => bytes.toString('latin1', 0, 16).startsWith(starts))
  if (other) throw new BadFileError(other.says)
  const { text, encoding } = decodeText(bytes)
  if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(text))
    throw new BadFileError(
      'it is a web page or XML; save it as CSV or as an Excel workbook (.xlsx)',
    )
  // A text has no control characters but blanks and line ends.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000e-\u001f]/.test(text)) throw new BadFileError('it is not a text')
  const told = /^sep=(.)\r?\n/i.exec(text)
  const content = told ? text.slice(told[0].length) : text
  const candidates = Object.entries(separators)
    .filter(([, separator]) => !told || told[1] === separator)
    .map(([name, separator]) => {
      const rows = parseText(content, separator).map(({ line, cells }) => ({
        line: line + (told ? 1 : 0),
        cells,
      }))
      return { name, rows, fit: fits(rows) }
    })
  const best = candidates.reduce((one, next) => (next.fit > one.fit ? next : one))
  // The keys of a constant.
  const separator = best.name as keyof typeof separators
  return { format: { kind: 'text', encoding, separator }, rows: best.rows }
}

const OTHER_KINDS = [
  { starts: '%PDF', says: 'it is a PDF; ask for CSV or Excel' },
  {
    starts: '\u00d0\u00cf\u0011\u00e0',
    says: 'it is an old Excel workbook (.xls), or has a password; save it as .xlsx without one',
  },
]

function parseText(text: string, delimiter: string): RawTable['rows'] {
  const options = {
    delimiter,
    info: true as const,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  }
  const records = (() => {
    try {
      return parse(text, options)
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      // Quotation marks that do not match are letters.
      return parse(text, { ...options, quote: false })
    }
  })() as unknown as { record: string[]; info: { lines: number } }[] // what `info` makes of records, which the types leave out
  return records
    .map(({ record, info }) => ({
      line: info.lines,
      cells: record.map((cell) => ({ text: cell, isFormula: false })),
    }))
    .filter(({ cells }) => cells.some((cell) => cell.text.trim() !== ''))
}
