/*
 * How the pages of a document are drawn: margins, fonts, rows of cells. `statement-pdf` decides
 * what a statement says.
 */

import { fileURLToPath } from 'node:url'
import { type Letters, lettersOf } from './letters.ts'
import { linesOf, runsOf } from './mixed-text.ts'

export type Pdf = PDFKit.PDFDocument & { letters: Letters }

export const MARGIN = 42
export const FOOTER = 26
export const PLAIN = 'Inter'
export const BOLD = 'Inter SemiBold'
export const INK = '#1b1e23'
export const DIM = '#5b626b'
const EDGE = '#d9dde2'
const FIGURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum', 'kern']

/** Inter, under the SIL Open Font License: Latin, Greek and Cyrillic, with the peso sign. */
const fontFile = (weight: string): string =>
  fileURLToPath(new URL(`fonts/inter-${weight}.otf`, import.meta.url))

/** Gives a document its fonts: Inter, and what it lacks of the letters of `texts`. */
export async function withFonts(pdf: PDFKit.PDFDocument, texts: string): Promise<Pdf> {
  const letters = await lettersOf(texts, fontFile('regular'))
  pdf.registerFont(PLAIN, fontFile('regular'))
  pdf.registerFont(BOLD, fontFile('semibold'))
  for (const [name, font] of letters.fonts) pdf.registerFont(name, font)
  return Object.assign(pdf, { letters })
}

export const widthOf = (pdf: Pdf): number => pdf.page.width - 2 * MARGIN
const bottomOf = (pdf: Pdf): number => pdf.page.height - MARGIN - FOOTER

/** Starts a new page unless this height is left. */
export function keep(pdf: Pdf, height: number): boolean {
  if (pdf.y + height <= bottomOf(pdf)) return false
  pdf.addPage()
  return true
}

/** A font, its size in points, and a colour. */
export type Style = readonly [font: string, size: number, color?: string]

type Place = {
  x?: number
  y?: number
  width: number
  align?: 'left' | 'right'
}

/** Writes a text, in several lines if it is wider than its place, and moves below it. */
export function write(
  pdf: Pdf,
  [font, size, color = INK]: Style,
  value: string,
  place: Place,
): void {
  const { x = MARGIN, y = pdf.y, width, align = 'left' } = place
  const text = pdf.letters.seen(value)
  pdf.font(font).fontSize(size).fillColor(color)
  if (isInter(pdf, font, text)) {
    pdf.text(text, x, y, { width, align, features: FIGURES })
    return
  }
  const line = pdf.currentLineHeight(true)
  const measure = (part: string) => widthOfText(pdf, [font, size], part)
  const lines = linesOf(text, width, measure)
  const ascent = size * pdf.letters.ascent
  for (const [index, shown] of lines.entries()) {
    let left = align === 'right' ? x + width - measure(shown) : x
    for (const run of runsOf(shown, fontFor(pdf, font))) {
      pdf.font(run.font).fontSize(size)
      pdf.text(run.text, left, y + index * line + ascent, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...featuresOf(run.font),
      })
      left += pdf.widthOfString(run.text, featuresOf(run.font))
    }
  }
  pdf.font(font).fontSize(size)
  pdf.x = x
  pdf.y = y + lines.length * line
}

/** The width of a text on one line, in points. */
export function widthOfText(pdf: Pdf, [font, size]: Style, value: string): number {
  const text = pdf.letters.seen(value)
  pdf.font(font).fontSize(size)
  if (isInter(pdf, font, text)) return pdf.widthOfString(text, { features: FIGURES })
  return runsOf(text, fontFor(pdf, font)).reduce(
    (sum, run) =>
      sum + pdf.font(run.font).fontSize(size).widthOfString(run.text, featuresOf(run.font)),
    0,
  )
}

/** The height of a text within a width, in points. */
export function heightOfText(pdf: Pdf, style: Style, value: string, width: number): number {
  const text = pdf.letters.seen(value)
  const [font, size] = style
  pdf.font(font).fontSize(size)
  if (isInter(pdf, font, text)) return pdf.heightOfString(text, { width, features: FIGURES })
  const line = pdf.currentLineHeight(true)
  return linesOf(text, width, (part) => widthOfText(pdf, style, part)).length * line
}

const fontFor = (pdf: Pdf, font: string) => (character: string) =>
  pdf.letters.fontOf(character, font === BOLD ? 'semibold' : 'regular') ?? font

const isInter = (pdf: Pdf, font: string, text: string): boolean =>
  pdf.letters.fonts.size === 0 ||
  Array.from(text).every((character) => fontFor(pdf, font)(character) === font)

/** The others have no figures of one width, and shape their letters themselves. */
const featuresOf = (font: string) => (font === PLAIN || font === BOLD ? { features: FIGURES } : {})

/** Between columns, in points. */
export const GAP = 8

/** The height of a row of cells. */
export const heightOf = (pdf: Pdf, cells: readonly string[], widths: readonly number[]): number =>
  Math.max(...cells.map((cell, index) => heightOfText(pdf, [PLAIN, 9], cell, widths[index] ?? 0)))

/** The headings of a table, with a rule below. */
export function drawHead(
  pdf: Pdf,
  columns: readonly { header: string; isNumber?: true }[],
  widths: readonly number[],
): void {
  const headers = columns.map(({ header }) => header)
  drawCells(pdf, headers, columns, widths, [BOLD, 8, DIM])
  rule(pdf)
}

/** One row of a table. Long texts wrap within their column, and move the next row down. */
export function drawCells(
  pdf: Pdf,
  cells: readonly string[],
  columns: readonly { isNumber?: true }[],
  widths: readonly number[],
  style: Style,
): void {
  const { y } = pdf
  let x = MARGIN
  let end = y
  for (const [index, cell] of cells.entries()) {
    const width = widths[index] ?? 0
    write(pdf, style, cell, { x, y, width, align: columns[index]?.isNumber ? 'right' : 'left' })
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
