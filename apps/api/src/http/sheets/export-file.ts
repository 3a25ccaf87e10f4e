import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { begun, Download } from '../send-download.ts'
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

/**
 * A sheet as a download. Resolves once its first rows are written, so that refusals still become error answers.
 *
 * @throws what the sheet throws while it opens and reads its first rows.
 */
export async function exportFile(
  format: ExportFormat,
  sheets: AsyncGenerator<Sheet>,
): Promise<Download> {
  const { mediaType, write } = formats[format]
  let name = ''
  const content = async function* () {
    // The sheet's generator stays open until the file is written.
    for await (const sheet of sheets) {
      name = fileNameOf(sheet)
      yield* write(sheet)
    }
  }
  const begunContent = await begun(inPieces(content()))
  return new Download({ mediaType, name: `${name}.${format}`, content: begunContent })
}

/** `payroll_2026-11-01_2026-11-15_by-agent_Lantern-Live`: what the file is about, in characters that every file system accepts. */
export const fileNameOf = ({ title, about }: Pick<Sheet, 'title' | 'about'>): string =>
  [title.toLowerCase(), ...about].map(asciiOf).filter(Boolean).join('_')

const asciiOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-|-$/g, '')

const PIECE_BYTES = 65_536

/**
 * Buffers content into chunks of about 64 kB. The first chunk is sent after the first rows, or at
 * the end.
 */
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
