/*
 * What all documents have: their file, the brand at the top, who pays and who is paid, and the foot of each page.
 */

import { type Brand, logoOn } from '@tallyroom/domain/brands/index'
// oxlint-disable-next-line import/no-named-as-default -- the types know the default export only
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import {
  BOLD,
  DIM,
  FOOTER,
  MARGIN,
  type Pdf,
  PLAIN,
  widthOf,
  withFonts,
  write,
} from './pdf-page.ts'

/** Opens an A4 document. `texts` has every text that it will show. */
export function openPdf({
  title,
  brand,
  madeAt,
  texts,
}: {
  title: string
  brand: Brand
  madeAt: Date
  texts: string
}): Promise<Pdf> {
  const bare = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true, // the footer shows the number of pages
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: brand.name, CreationDate: madeAt },
  })
  return withFonts(bare, `${brand.name} ${texts}`)
}

/** Ends a document, and yields its bytes. */
export async function* bytesOf(pdf: Pdf): AsyncGenerator<Buffer> {
  pdf.end()
  for await (const chunk of pdf) yield chunk as Buffer // a PDF document is a stream of bytes
}

/** The brand, and at the right what the document is and which one. */
export async function drawBrand(
  pdf: Pdf,
  brand: Brand,
  { title, number }: { title: string; number: string },
): Promise<void> {
  const logo = await sharp(Buffer.from(logoOn(brand, 'light')), { density: 600 })
    .resize(160, 160)
    .png()
    .toBuffer()
  pdf.image(logo, MARGIN, MARGIN, { width: 26, height: 26 })
  write(pdf, [BOLD, 13], brand.name, { x: MARGIN + 34, y: MARGIN + 5, width: 240 })
  write(pdf, [PLAIN, 9, DIM], title, { y: MARGIN, width: widthOf(pdf), align: 'right' })
  write(pdf, [BOLD, 13], number, { width: widthOf(pdf), align: 'right' })
  pdf.y = MARGIN + 52
}

/** Labels and values below each other. */
export function drawFacts(pdf: Pdf, facts: readonly (readonly [string, string])[]): void {
  for (const [label, value] of facts) {
    const { y } = pdf
    write(pdf, [PLAIN, 9, DIM], label, { y, width: 80 })
    write(pdf, [PLAIN, 9], value, { x: MARGIN + 84, y, width: 240 })
    pdf.y += 2
  }
}

/** Who pays and who is paid, beside each other. */
export function drawParties(
  pdf: Pdf,
  parties: readonly { role: string; name: string; address: string; taxNumber: string }[],
): void {
  const gap = 24
  const width = (widthOf(pdf) - gap) / 2
  const top = pdf.y + 4
  let end = top
  for (const [index, { role, name, taxNumber, address }] of parties.entries()) {
    const place = { x: MARGIN + index * (width + gap), width }
    write(pdf, [PLAIN, 9, DIM], role, { ...place, y: top })
    write(pdf, [BOLD, 9], name, { ...place, y: pdf.y + 1 })
    write(pdf, [PLAIN, 9], address, { ...place, y: pdf.y + 1 })
    write(pdf, [PLAIN, 9], taxNumber, { ...place, y: pdf.y + 1 })
    end = Math.max(end, pdf.y)
  }
  pdf.y = end + 6
}

/** On every page: what it belongs to, and the number of pages. */
export function drawFooters(pdf: Pdf, text: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Text below the bottom margin would open a new page.
    pdf.page.margins.bottom = 0
    const y = pdf.page.height - MARGIN - 8
    const style = [PLAIN, 7.5, DIM] as const
    write(pdf, style, text, { y, width: widthOf(pdf) })
    write(pdf, style, `Page ${page - start + 1} of ${count}`, {
      y,
      width: widthOf(pdf),
      align: 'right',
    })
  }
}
