import { workbookParts } from '@tallyroom/domain/workbook'
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

/** Those of a workbook with a table and what is said about it. */
export const packageParts = workbookParts(['Table', 'About'], {
  fonts:
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
    '<numFmt numFmtId="165" formatCode="0.00&quot;%&quot;"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  cells: [false, true].flatMap((bold) => styles.map((style) => styleXml(style, bold))),
})
