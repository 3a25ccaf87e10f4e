import { escaped, letters } from '../../http/sheets/xlsx-file.ts'
import { CONTENT, MAIN, PACKAGE, RELATIONS, rootPart, XML } from '../../http/sheets/xlsx-parts.ts'
import { readZip } from '../../lib/read-zip.ts'
import { storedZip } from '../../lib/zip-file.ts'

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
const SHEET = 'xl/worksheets/sheet1.xml'

const sheetXml = (rows: readonly (readonly string[])[]): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`

const rowXml = (cells: readonly string[], row: number): string =>
  `<row r="${row + 1}">${cells
    .map(
      (text, column) =>
        `<c r="${letters(column)}${row + 1}" s="1" t="inlineStr"><is>${TEXT}${escaped(text)}</t></is></c>`,
    )
    .join('')}</row>`

/** Every part but the sheet. The second style is the format *Text*. */
const parts: Record<string, string> = {
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
    `<Override PartName="/${SHEET}" ContentType="${CONTENT}.worksheet+xml"/>` +
    '</Types>',
  ...rootPart,
  'xl/workbook.xml':
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
    '<sheet name="Payments" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/>` +
    '</Relationships>',
  'xl/styles.xml':
    `${XML}<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}
