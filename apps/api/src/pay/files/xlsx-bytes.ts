import {
  escaped,
  letters,
  sheetPart,
  textCell,
  workbookParts,
  worksheet,
} from '@tallyroom/domain/workbook'
import { readZip } from '../../lib/files/read-zip.ts'
import { storedZip } from '../../lib/files/zip-file.ts'

/**
 * A workbook of one sheet whose cells are all text, so that leading zeros stay. Nothing in it is compressed or dated: equal
 * rows give equal bytes.
 */
export const xlsxOf = (rows: readonly (readonly string[])[]): Buffer =>
  storedZip([
    ...Object.entries(parts).map(([name, xml]) => ({ name, bytes: Buffer.from(xml) })),
    { name: SHEET, bytes: Buffer.from(sheetXml(rows)) },
  ])

/**
 * The same workbook with other texts in some cells, and nothing else changed.
 *
 * @param textAt the new text of a cell, by its row and column from 0; undefined leaves it. @param rows how many there are
 */
export function withTexts(
  bytes: Buffer,
  textAt: (row: number, column: number, rows: number) => string | undefined,
): Buffer {
  const file = readZip(bytes, Infinity)
  const part = (name: string): Buffer => file(name) ?? Buffer.alloc(0)
  const xml = part(SHEET).toString()
  const rows = xml.split('<row ').length - 1
  let [row, column] = [-1, -1]
  const changed = xml.replaceAll(/<row |<t xml:space="preserve">[^<]*/g, (found) => {
    if (found === '<row ') {
      row += 1
      column = -1
      return found
    }
    column += 1
    const text = textAt(row, column, rows)
    return text === undefined ? found : `${TEXT}${escaped(text)}`
  })
  return storedZip([
    ...Object.keys(parts).map((name) => ({ name, bytes: part(name) })),
    { name: SHEET, bytes: Buffer.from(changed) },
  ])
}

const TEXT = '<t xml:space="preserve">'
const SHEET = sheetPart(0)

const sheetXml = (rows: readonly (readonly string[])[]): string =>
  worksheet(
    rows.map((cells, row) =>
      cells.map((text, column) => textCell(`${letters(column)}${row + 1}`, text, 1)),
    ),
  )

/** Every part but the sheet. The second style is the format *Text*. */
const parts = workbookParts(['Payments'], {
  fonts: '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
  cells: [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  ],
})
