import type { CellKind } from './sheet.ts'

/** Text that Excel would take for a formula has its own style. */
type Style = CellKind | 'guarded'

/** Number format ids. Built-in ones are below 164: 3 is `#,##0`, 4 is `#,##0.00`. */
const formats: Record<Style, number> = {
  text: 0,
  guarded: 0,
  day: 164,
  count: 3,
  money: 4,
  percent: 165,
}

const styles = Object.keys(formats) as Style[] // the record has no other keys

/** The index of a cell's style: plain styles first, then the same in bold. */
export const styleOf = (style: Style, bold: boolean): number =>
  styles.indexOf(style) + (bold ? styles.length : 0)

const styleXml = (style: Style, bold: boolean) =>
  `<xf numFmtId="${formats[style]}" fontId="${bold ? 1 : 0}" fillId="0" borderId="0" xfId="0"` +
  ` applyNumberFormat="1" applyFont="1"${style === 'guarded' ? ' quotePrefix="1"' : ''}/>`

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

/** Those of a workbook with a table and what is said about it. */
export const packageParts = workbookParts(['Table', 'About'], {
  fonts:
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
    '<numFmt numFmtId="165" formatCode="0.00&quot;%&quot;"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  cells: [false, true].flatMap((bold) => styles.map((style) => styleXml(style, bold))),
})
