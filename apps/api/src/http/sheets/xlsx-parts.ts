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

/* What the parts of every workbook have in common: the declaration, namespaces and types of content. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
export const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Leads to the workbook. */
export const rootPart: Record<string, string> = {
  '_rels/.rels':
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>` +
    '</Relationships>',
}

/** Every part of a workbook except its two worksheets, by name (ECMA-376, part 1, section 12.3). */
export const packageParts: Record<string, string> = {
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
    '</Types>',
  ...rootPart,
  'xl/workbook.xml':
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
    '<sheet name="Table" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/>' +
    '</sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/>` +
    `<Relationship Id="rId3" Type="${RELATIONS}/styles" Target="styles.xml"/>` +
    '</Relationships>',
  'xl/styles.xml':
    `${XML}<styleSheet xmlns="${MAIN}">` +
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
    '<numFmt numFmtId="165" formatCode="0.00&quot;%&quot;"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${2 * styles.length}">` +
    [false, true].flatMap((bold) => styles.map((style) => styleXml(style, bold))).join('') +
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}
