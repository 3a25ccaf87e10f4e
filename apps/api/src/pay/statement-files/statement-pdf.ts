import type { Statement } from '@tallyroom/contract/pay/statements/statements'
import {
  carriedInRunsText,
  carriedText,
  documentWords,
  moneyText,
  statementSections,
  statementSums,
} from '@tallyroom/contract/pay/statements/statement-sections'
import type { Brand } from '@tallyroom/domain/brands/index'
import { bytesOf, drawBrand, drawFacts, drawFooters, drawParties, openPdf } from './pdf-frame.ts'
import { BOLD, DIM, keep, MARGIN, type Pdf, PLAIN, widthOf, write } from './pdf-page.ts'
import { drawPaidByTier, drawSection } from './pdf-section.ts'
import { factsOf } from './statement-sheet.ts'

/**
 * A statement as an A4 document: who is paid, for what, how much. Its text can be selected. The
 * same statement produces the same bytes, except for the file id.
 */
export async function* statementPdf(statement: Statement, brand: Brand): AsyncGenerator<Buffer> {
  const { content } = statement
  const pdf = await openPdf({
    title: `Statement ${content.number} of ${content.payee.name}`,
    brand,
    madeAt: new Date(content.closedAt),
    texts: JSON.stringify(statement),
  })
  await drawHead(pdf, statement, brand)
  const sections = statementSections(content)
  for (const section of sections) drawSection(pdf, section, sections, content.period.end)
  drawSums(pdf, statement)
  drawPaidByTier(pdf, sections)
  const { contentHash, isPart } = statement
  const hash = `SHA-256${isPart ? ' of the whole statement' : ''} ${contentHash}`
  drawFooters(pdf, `${content.number} · ${hash}`)
  yield* bytesOf(pdf)
}

async function drawHead(pdf: Pdf, statement: Statement, brand: Brand): Promise<void> {
  const { content, isPart } = statement
  const document = documentWords(content)
  const title = document?.title ?? (isPart ? 'Your part of statement' : 'Statement')
  await drawBrand(pdf, brand, { title, number: content.number })

  write(pdf, [BOLD, 18], content.payee.name, { width: widthOf(pdf) })
  pdf.moveDown(0.4)
  const top = pdf.y
  drawFacts(pdf, factsOf(content))
  const end = pdf.y + 8
  drawAnswer(pdf, statement, top)
  pdf.y = end
  if (!document) return
  drawParties(pdf, document.parties)
  write(pdf, [PLAIN, 8, DIM], document.about, { width: widthOf(pdf) })
  pdf.y += 6
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
const shownSums = ({ content, isPart, ...became }: Statement) =>
  statementSums(content, became).filter(({ key }) => !isPart || key === 'amount')

function drawSums(pdf: Pdf, statement: Statement): void {
  const { content, isPart } = statement
  const shown = shownSums(statement)
  const notes = [
    isPart ? '' : (carriedText(content, statement) ?? ''),
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
