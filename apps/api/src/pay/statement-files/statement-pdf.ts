import type { Statement } from '@tallyroom/contract/pay/statements'
import {
  carriedInRunsText,
  carriedText,
  moneyText,
  statementSections,
  statementSums,
} from '@tallyroom/contract/pay/statement-sections'
import { logoOn, type Brand } from '@tallyroom/domain/brands/index'
// oxlint-disable-next-line import/no-named-as-default -- the types know the default export only
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import {
  BOLD,
  DIM,
  FOOTER,
  keep,
  MARGIN,
  type Pdf,
  PLAIN,
  widthOf,
  withFonts,
  write,
} from './pdf-page.ts'
import { drawPaidByTier, drawSection } from './pdf-section.ts'
import { factsOf } from './statement-sheet.ts'

/**
 * A statement as an A4 document: who is paid, for what, how much. Its text can be selected. The
 * same statement produces the same bytes, except for the file id.
 */
export async function* statementPdf(statement: Statement, brand: Brand): AsyncGenerator<Buffer> {
  const { content } = statement
  const bare = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true, // the footer shows the number of pages
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Statement ${content.number} of ${content.payee.name}`,
      Author: brand.name,
      CreationDate: new Date(content.closedAt),
    },
  })
  const pdf = await withFonts(bare, `${brand.name} ${JSON.stringify(statement)}`)
  await drawHead(pdf, statement, brand)
  const sections = statementSections(content)
  for (const section of sections) drawSection(pdf, section, sections, content.period.end)
  drawSums(pdf, statement)
  drawPaidByTier(pdf, sections)
  drawFooters(pdf, statement)
  pdf.end()
  for await (const chunk of pdf) yield chunk as Buffer // a PDF document is a stream of bytes
}

async function drawHead(pdf: Pdf, statement: Statement, brand: Brand): Promise<void> {
  const { content, isPart } = statement
  const logo = await sharp(Buffer.from(logoOn(brand, 'light')), { density: 600 })
    .resize(160, 160)
    .png()
    .toBuffer()
  pdf.image(logo, MARGIN, MARGIN, { width: 26, height: 26 })
  write(pdf, [BOLD, 13], brand.name, { x: MARGIN + 34, y: MARGIN + 5, width: 240 })
  const title = isPart ? 'Your part of statement' : 'Statement'
  write(pdf, [PLAIN, 9, DIM], title, { y: MARGIN, width: widthOf(pdf), align: 'right' })
  write(pdf, [BOLD, 13], content.number, { width: widthOf(pdf), align: 'right' })

  pdf.y = MARGIN + 52
  write(pdf, [BOLD, 18], content.payee.name, { width: widthOf(pdf) })
  pdf.moveDown(0.4)
  const top = pdf.y
  for (const [label, value] of factsOf(content)) {
    const { y } = pdf
    write(pdf, [PLAIN, 9, DIM], label, { y, width: 80 })
    write(pdf, [PLAIN, 9], value, { x: MARGIN + 84, y, width: 240 })
    pdf.y += 2
  }
  const end = pdf.y + 8
  drawAnswer(pdf, statement, top)
  pdf.y = end
}

/** The amount to be paid, beside the facts: it comes first, as on the page. */
function drawAnswer(pdf: Pdf, statement: Statement, y: number): void {
  const answer = shownSums(statement).at(-1)
  if (!answer) return
  const atRight = { width: widthOf(pdf), align: 'right' } as const
  write(pdf, [PLAIN, 9, DIM], answer.label, { y, ...atRight })
  write(pdf, [BOLD, 18], moneyText(answer.amount, answer.currency), atRight)
}

/** An agent sees the sum of their own lines, not what the office is paid. */
const shownSums = ({ content, isPart, state }: Statement) =>
  statementSums(content, state === 'held').filter(({ key }) => !isPart || key === 'amount')

function drawSums(pdf: Pdf, statement: Statement): void {
  const { content, isPart } = statement
  const shown = shownSums(statement)
  const notes = [
    isPart ? '' : (carriedText(content) ?? ''),
    carriedInRunsText(statement.carriedInRuns, content.currency),
  ].filter(Boolean)
  keep(pdf, shown.length * 18 + 20 + notes.length * 30)
  pdf.y += 12
  const width = 260
  const x = MARGIN + widthOf(pdf) - width
  for (const [index, { label, amount, currency }] of shown.entries()) {
    const isLast = index === shown.length - 1
    const { y } = pdf
    const style = isLast ? ([BOLD, 12] as const) : ([PLAIN, 9.5] as const)
    write(pdf, style, label, { x, y, width: width * 0.58 })
    const end = pdf.y
    write(pdf, style, moneyText(amount, currency), {
      x: x + width * 0.5,
      y,
      width: width * 0.5,
      align: 'right',
    })
    // A label may take several lines.
    pdf.y = Math.max(pdf.y, end) + 4
  }
  for (const note of notes)
    write(pdf, [PLAIN, 8.5, DIM], note, { x, y: pdf.y + 2, width, align: 'right' })
}

/** On every page: the statement it belongs to, the hash, and the number of pages. */
function drawFooters(pdf: Pdf, { content, contentHash, isPart }: Statement): void {
  const hash = `SHA-256${isPart ? ' of the whole statement' : ''} ${contentHash}`
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Text below the bottom margin would open a new page.
    pdf.page.margins.bottom = 0
    const y = pdf.page.height - MARGIN - 8
    const style = [PLAIN, 7.5, DIM] as const
    write(pdf, style, `${content.number} · ${hash}`, { y, width: widthOf(pdf) })
    write(pdf, style, `Page ${page - start + 1} of ${count}`, {
      y,
      width: widthOf(pdf),
      align: 'right',
    })
  }
}
