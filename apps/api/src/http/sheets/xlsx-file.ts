import { looksLikeFormula } from '@tallyroom/domain/csv'
import { daysBetween, isDay } from '@tallyroom/domain/new-york'
import { letters, sheetPart, textCell, WORKSHEET } from '@tallyroom/domain/workbook'
import { type ZipEntry, zipFile } from '../../lib/files/zip-file.ts'
import type { Cell, CellKind, Sheet, SheetColumn } from './sheet.ts'
import { packageParts, styleOf } from './xlsx-parts.ts'

/**
 * A sheet as an Excel workbook (ECMA-376, transitional): the table with headings and totals, and a second sheet 'About'
 * with the title, the facts and the number of rows. Days and amounts are values, not text. Rows are streamed.
 */
export const xlsxFile = (sheet: Sheet): AsyncGenerator<Buffer> => zipFile(partsOf(sheet))

async function* partsOf(sheet: Sheet): AsyncGenerator<ZipEntry> {
  for (const [name, xml] of Object.entries(packageParts)) yield { name, content: once(xml) }
  const counted = { rows: 0 }
  yield { name: sheetPart(0), content: tableXml(sheet, counted) }
  // Written last, because only now the number of rows is known.
  yield { name: sheetPart(1), content: once(aboutXml(sheet, counted.rows)) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

async function* tableXml(
  { columns, rows, totals }: Sheet,
  counted: { rows: number },
): AsyncGenerator<string> {
  const kinds = columns.map(({ kind }) => kind)
  const texts = columns.map(() => 'text' as const)
  yield (
    `${WORKSHEET}<sheetViews><sheetView workbookViewId="0" tabSelected="1">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<cols>${columns.map(columnXml).join('')}</cols><sheetData>` +
      rowXml({ cells: columns.map(({ header }) => header), kinds: texts, number: 1, bold: true })
  )
  for await (const part of rows) {
    const first = counted.rows + 2
    counted.rows += part.length
    yield part.map((cells, index) => rowXml({ cells, kinds, number: first + index })).join('')
  }
  const last = counted.rows + 1
  yield (
    (totals ? rowXml({ cells: totals, kinds, number: last + 1, bold: true }) : '') +
      `</sheetData><autoFilter ref="A1:${letters(columns.length - 1)}${last}"/></worksheet>`
  )
}

function aboutXml({ title, facts }: Sheet, rows: number): string {
  const lines = [['Title', title], ...facts, ['Rows', rows]] as const
  const cells = lines.map((line, index) =>
    rowXml({ cells: line, kinds: ['text', 'count'], number: index + 1 }),
  )
  return `${WORKSHEET}<cols>${columnXml({ kind: 'text', header: '' }, 0)}<col min="2" max="2" width="90" customWidth="1"/></cols><sheetData>${cells.join('')}</sheetData></worksheet>`
}

const WIDTHS: Record<CellKind, number> = { text: 20, day: 12, count: 10, money: 15, percent: 10 }

/** Widths are in characters; the filter button needs about three. */
function columnXml({ kind, header }: Pick<SheetColumn, 'kind' | 'header'>, index: number): string {
  const width = Math.min(40, Math.max(WIDTHS[kind], header.length + 4))
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
}

type Row = { cells: readonly Cell[]; kinds: readonly CellKind[]; number: number; bold?: boolean }

function rowXml({ cells, kinds, number, bold = false }: Row): string {
  let xml = `<row r="${number}">`
  for (const [index, cell] of cells.entries()) {
    if (cell === undefined || cell === '') continue
    const at = `${letters(index)}${number}`
    const kind = kinds[index] ?? 'text'
    const value = kind === 'day' && typeof cell === 'string' && isDay(cell) ? serialOf(cell) : cell
    if (typeof value === 'number')
      xml += `<c r="${at}" s="${styleOf(kind, bold)}"><v>${value}</v></c>`
    // The cell is text already; the style keeps it text after somebody edits it.
    else xml += textCell(at, value, styleOf(looksLikeFormula(value) ? 'guarded' : 'text', bold))
  }
  return `${xml}</row>`
}

/** Excel counts days from 1899-12-30 (from March 1900 on). */
const serialOf = (day: string): number => daysBetween('1899-12-30', day)
