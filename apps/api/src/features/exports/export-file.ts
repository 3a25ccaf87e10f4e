import { type ExportFormat, MAX_XLSX_ROWS } from '@tallyroom/contract/exports'
import { begun, Download } from '../../http/send-download.ts'
import { invalid } from '../../http/errors.ts'
import { csvFile } from './csv-file.ts'
import type { Sheet } from './sheet.ts'
import { xlsxFile } from './xlsx-file.ts'

const formats = {
  csv: { mediaType: 'text/csv; charset=utf-8', write: csvFile },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: xlsxFile,
  },
} satisfies Record<ExportFormat, unknown>

export type FileRequest = {
  format: ExportFormat
  /** What the file is about, in its name: the report and its days. */
  name: readonly string[]
}

/**
 * A sheet as a file. Its beginning is made before this resolves, so that what is refused is a refusal.
 * @throws what the sheet throws while it is opened and its first rows are read.
 */
export async function exportFile(
  { format, name }: FileRequest,
  sheets: AsyncGenerator<Sheet>,
): Promise<Download> {
  const { mediaType, write } = formats[format]
  return new Download({
    mediaType,
    name: `${name.join('_')}.${format}`,
    content: await begun(inPieces(contentOf(sheets, write))),
  })
}

/** @throws VALIDATION_ERROR for more rows than a sheet of Excel takes. */
export function refuseTooMany(format: ExportFormat, rows: number): void {
  if (format === 'csv' || rows <= MAX_XLSX_ROWS) return
  const [all, most] = [rows, MAX_XLSX_ROWS].map((count) => count.toLocaleString('en-US'))
  throw invalid({
    format: [`These are ${all} rows. An Excel file takes ${most} at most: save them as CSV.`],
  })
}

/** The sheet's own generator stays open until the file is written, and is closed with it. */
async function* contentOf(
  sheets: AsyncGenerator<Sheet>,
  write: (sheet: Sheet) => AsyncGenerator<Buffer | string>,
): AsyncGenerator<Buffer | string> {
  for await (const sheet of sheets) yield* write(sheet)
}

const PIECE_BYTES = 65_536

/** Gathers what comes into pieces worth sending. So the first comes after the first rows, or at the end. */
async function* inPieces(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let bytes = 0
  for await (const part of content) {
    const piece = typeof part === 'string' ? Buffer.from(part) : part
    gathered.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    bytes = 0
  }
  yield Buffer.concat(gathered)
}
