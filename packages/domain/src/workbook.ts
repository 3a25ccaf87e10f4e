import type { CsvValue } from './csv.ts'

/* Excel workbooks (ECMA-376, transitional), apart from the ZIP file around their parts. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** What a worksheet begins with. */
export const WORKSHEET = `${XML}<worksheet xmlns="${MAIN}">`

/** The part of a worksheet, counted from 0. */
export const sheetPart = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`

/**
 * Every part of a workbook except its worksheets, by name (ECMA-376, part 1, section 12.3).
 *
 * @param fonts the formats of numbers, and the fonts @param cells the styles of cells
 */
export const workbookParts = (
  sheets: readonly string[],
  { fonts, cells }: { fonts: string; cells: readonly string[] },
): Record<string, string> => ({
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
    sheets
      .map(
        (_, index) =>
          `<Override PartName="/${sheetPart(index)}" ContentType="${CONTENT}.worksheet+xml"/>`,
      )
      .join('') +
    '</Types>',
  '_rels/.rels':
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    relation(1, 'officeDocument', 'xl/workbook.xml') +
    '</Relationships>',
  'xl/workbook.xml':
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
    sheets
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('') +
    '</sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    sheets
      .map((_, index) => relation(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`))
      .join('') +
    relation(sheets.length + 1, 'styles', 'styles.xml') +
    '</Relationships>',
  'xl/styles.xml':
    `${XML}<styleSheet xmlns="${MAIN}">${fonts}` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
})

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`

const known: string[] = []

/** The letters of a column, counted from 0: A … Z, AA … */
export function letters(index: number): string {
  return (known[index] ??=
    (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) +
    String.fromCodePoint(65 + (index % 26)))
}

/** Drops characters that XML can't hold, and escapes `_x0041_`, which Excel would decode. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- XML 1.0 cannot express these
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '_x000D_')

/** A cell with a text, at a place such as `B7`. @param style the index of its style */
export const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** A whole worksheet. @param rows the XML of their cells */
export const worksheet = (rows: readonly (readonly string[])[]): string =>
  `${WORKSHEET}<sheetData>${rows
    .map((cells, row) => `<row r="${row + 1}">${cells.join('')}</row>`)
    .join('')}</sheetData></worksheet>`

const FONT = '<sz val="11"/><name val="Calibri"/>'
const styleXml = (format: number, font: number) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
/** By their index: number as it is, text (49), amount (4: `#,##0.00`), heading. */
const LIST_STYLES = [styleXml(0, 0), styleXml(49, 0), styleXml(4, 0), styleXml(49, 1)]

/** The parts of a list as a workbook, by name: numbers are numbers, those with decimals are amounts, and the first row is bold. */
export const listWorkbook = (lines: readonly (readonly CsvValue[])[]): Record<string, string> => ({
  ...workbookParts(['List'], {
    fonts: `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`,
    cells: LIST_STYLES,
  }),
  [sheetPart(0)]: worksheet(
    lines.map((cells, row) =>
      cells.map((value, column) => {
        const at = `${letters(column)}${row + 1}`
        if (value === null || value === undefined || value === '') return ''
        if (typeof value === 'number') return `<c r="${at}" s="0"><v>${value}</v></c>`
        if (typeof value === 'object') return `<c r="${at}" s="2"><v>${value.number}</v></c>`
        return textCell(at, value, row === 0 ? 3 : 1)
      }),
    ),
  ),
})
