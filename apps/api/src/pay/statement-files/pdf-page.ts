/*
 * How the pages of a document are drawn: margins, fonts, rows of cells. `statement-pdf` decides
 * what a statement says.
 */

export type Pdf = PDFKit.PDFDocument

export const MARGIN = 42
export const FOOTER = 26
export const PLAIN = 'Inter'
export const BOLD = 'Inter SemiBold'
export const INK = '#1b1e23'
export const DIM = '#5b626b'
const EDGE = '#d9dde2'
export const FIGURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum', 'kern']

/** Inter, under the SIL Open Font License: Latin, Greek and Cyrillic, with the peso sign. */
export const fontFile = (weight: string): string =>
  new URL(`fonts/inter-${weight}.otf`, import.meta.url).pathname

export const widthOf = (pdf: Pdf): number => pdf.page.width - 2 * MARGIN
const bottomOf = (pdf: Pdf): number => pdf.page.height - MARGIN - FOOTER

/** Starts a new page unless this height is left. */
export function keep(pdf: Pdf, height: number): boolean {
  if (pdf.y + height <= bottomOf(pdf)) return false
  pdf.addPage()
  return true
}

export const text = (pdf: Pdf, font: string, size: number, color = INK): Pdf =>
  pdf.font(font).fontSize(size).fillColor(color)

/** Between columns, in points. */
export const GAP = 8

/** The height of a row of cells. */
export const heightOf = (pdf: Pdf, cells: readonly string[], widths: readonly number[]): number => {
  text(pdf, PLAIN, 9)
  return Math.max(
    ...cells.map((cell, index) =>
      pdf.heightOfString(cell, { width: widths[index] ?? 0, features: FIGURES }),
    ),
  )
}

/** One row of a table. Long texts wrap within their column, and move the next row down. */
export function drawCells(
  pdf: Pdf,
  cells: readonly string[],
  columns: readonly { isNumber?: true }[],
  widths: readonly number[],
  [font, size, color]: [font: string, size: number, color: string],
): void {
  const { y } = pdf
  let x = MARGIN
  let end = y
  for (const [index, cell] of cells.entries()) {
    const width = widths[index] ?? 0
    text(pdf, font, size, color).text(cell, x, y, {
      width,
      align: columns[index]?.isNumber ? 'right' : 'left',
      features: FIGURES,
    })
    end = Math.max(end, pdf.y)
    x += width + GAP
  }
  pdf.y = end + 2
}

/** A line across the page. */
export function rule(pdf: Pdf): void {
  pdf
    .moveTo(MARGIN, pdf.y)
    .lineTo(MARGIN + widthOf(pdf), pdf.y)
    .lineWidth(0.5)
    .strokeColor(EDGE)
    .stroke()
  pdf.y += 3
}
