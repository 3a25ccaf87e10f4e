import type { Statement } from '@tallyroom/contract/pay'
import {
  carriedText,
  moneyText,
  statementSections,
  type StatementRow,
  type StatementSection,
  statementSums,
} from '@tallyroom/contract/statement-sections'
import { logoOn, type Brand } from '@tallyroom/domain/brands/index'
import { formatCount } from '@tallyroom/domain/money'
// oxlint-disable-next-line import/no-named-as-default -- the types know the default export only
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import {
  BOLD,
  DIM,
  drawCells,
  FIGURES,
  FOOTER,
  fontFile,
  GAP,
  heightOf,
  INK,
  keep,
  MARGIN,
  type Pdf,
  PLAIN,
  rule,
  text,
  widthOf,
} from './pdf-page.ts'
import { factsOf } from './statement-sheet.ts'

/**
 * A statement as a document of A4 pages: who is paid, for what, how much. Its text can be selected. The same statement
 * makes the same bytes, except for its file id.
 */
export async function* statementPdf(statement: Statement, brand: Brand): AsyncGenerator<Buffer> {
  const { content } = statement
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true, // the footer has the number of pages
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Statement ${content.number} of ${content.payee.name}`,
      Author: brand.name,
      CreationDate: new Date(content.closedAt),
    },
  })
  pdf.registerFont(PLAIN, fontFile('regular'))
  pdf.registerFont(BOLD, fontFile('semibold'))
  await drawHead(pdf, statement, brand)
  for (const section of statementSections(content)) drawSection(pdf, section)
  drawSums(pdf, statement)
  drawFooters(pdf, statement)
  pdf.end()
  for await (const chunk of pdf) yield chunk as Buffer // a PDF document is a stream of bytes
}

async function drawHead(pdf: Pdf, { content, isPart }: Statement, brand: Brand): Promise<void> {
  const logo = await sharp(Buffer.from(logoOn(brand, 'light')), { density: 600 })
    .resize(160, 160)
    .png()
    .toBuffer()
  pdf.image(logo, MARGIN, MARGIN, { width: 26, height: 26 })
  text(pdf, BOLD, 13).text(brand.name, MARGIN + 34, MARGIN + 5)
  const title = isPart ? 'Your part of statement' : 'Statement'
  text(pdf, PLAIN, 9, DIM).text(title, MARGIN, MARGIN, { width: widthOf(pdf), align: 'right' })
  text(pdf, BOLD, 13).text(content.number, {
    width: widthOf(pdf),
    align: 'right',
    features: FIGURES,
  })

  pdf.y = MARGIN + 52
  text(pdf, BOLD, 18).text(content.payee.name, MARGIN, pdf.y, { width: widthOf(pdf) })
  pdf.moveDown(0.4)
  for (const [label, value] of factsOf(content)) {
    const { y } = pdf
    text(pdf, PLAIN, 9, DIM).text(label, MARGIN, y, { width: 80 })
    text(pdf, PLAIN, 9).text(value, MARGIN + 84, y, { width: widthOf(pdf) - 84, features: FIGURES })
    pdf.y += 2
  }
  pdf.y += 8
}

type Column = {
  header: string
  width: number
  isNumber?: true
  cell: (row: StatementRow) => string
}

/** Widths are in points; the description takes what is left. */
const countColumn = (header: string, name: 'sales' | 'bonuses' | 'reversals'): Column => ({
  header,
  width: 44,
  isNumber: true,
  cell: (row) => (row[name] === null ? '' : formatCount(row[name])),
})

const rateColumns: Column[] = [
  { header: 'Agent', width: 104, cell: ({ agent }) => agent?.name ?? '' },
  { header: 'For', width: 0, cell: ({ what }) => what },
  {
    header: 'Rate',
    width: 62,
    isNumber: true,
    cell: ({ rate, currency }) => (rate === null ? '' : moneyText(rate, currency)),
  },
  countColumn('Sales', 'sales'),
  countColumn('Bonuses', 'bonuses'),
  countColumn('Rev.', 'reversals'),
]
const amountColumn: Column = {
  header: 'Sum',
  width: 82,
  isNumber: true,
  cell: ({ amount, currency }) => moneyText(amount, currency),
}

const columnsOf = ({ rows }: StatementSection): Column[] => [
  ...(rows[0]?.of.kind === 'adjustment'
    ? [{ header: 'Reason', width: 0, cell: ({ what }: StatementRow) => what }]
    : rows[0]?.of.kind === 'tier'
      ? rateColumns.slice(0, 4)
      : rateColumns),
  amountColumn,
]

function drawSection(pdf: Pdf, section: StatementSection): void {
  const columns = columnsOf(section)
  const taken = columns.reduce((sum, { width }) => sum + width, (columns.length - 1) * GAP)
  const widths = columns.map(({ width }) => width || widthOf(pdf) - taken)

  // The title stays with the first row.
  keep(pdf, 90)
  pdf.y += 10
  text(pdf, BOLD, 11).text(section.title, MARGIN, pdf.y, { width: widthOf(pdf) })
  if (section.about)
    text(pdf, PLAIN, 8.5, DIM).text(section.about, MARGIN, pdf.y + 1, { width: widthOf(pdf) })
  pdf.y += 5
  const head = () => {
    drawCells(
      pdf,
      columns.map(({ header }) => header),
      columns,
      widths,
      [BOLD, 8, DIM],
    )
    rule(pdf)
  }
  head()
  for (const row of section.rows) {
    const cells = columns.map(({ cell }) => cell(row))
    const noteAt = columns.findIndex(({ width }) => width === 0)
    const height = heightOf(pdf, cells, widths) + (row.note ? 22 : 0)
    if (keep(pdf, height + 6)) head()
    drawCells(pdf, cells, columns, widths, [PLAIN, 9, INK])
    if (row.note) {
      const x = MARGIN + widths.slice(0, noteAt).reduce((sum, width) => sum + width + GAP, 0)
      text(pdf, PLAIN, 8, DIM).text(row.note, x, pdf.y - 1, { width: widths[noteAt] ?? 0 })
    }
    rule(pdf)
  }
  for (const { currency, amount } of section.sums) {
    keep(pdf, 16)
    const cells = columns.map((_, index) =>
      index === 0 ? 'Sum' : index === columns.length - 1 ? moneyText(amount, currency) : '',
    )
    drawCells(pdf, cells, columns, widths, [BOLD, 9, INK])
  }
  pdf.y += 6
}

function drawSums(pdf: Pdf, { content, isPart }: Statement): void {
  const sums = statementSums(content)
  const shown = isPart ? sums.filter(({ key }) => key === 'amount') : sums
  keep(pdf, shown.length * 18 + 60)
  pdf.y += 12
  const width = 260
  const x = MARGIN + widthOf(pdf) - width
  for (const [index, { label, amount, currency }] of shown.entries()) {
    const isLast = index === shown.length - 1
    const { y } = pdf
    const [font, size] = isLast ? [BOLD, 12] : [PLAIN, 9.5]
    text(pdf, font, size).text(label, x, y, { width: width * 0.58 })
    text(pdf, font, size).text(moneyText(amount, currency), x + width * 0.5, y, {
      width: width * 0.5,
      align: 'right',
      features: FIGURES,
    })
    pdf.y += 4
  }
  const why = isPart ? undefined : carriedText(content)
  if (why) text(pdf, PLAIN, 8.5, DIM).text(why, x, pdf.y + 2, { width, align: 'right' })
}

/** On every page: which statement it belongs to, its hash, and how many pages there are. */
function drawFooters(pdf: Pdf, { content, contentHash, isPart }: Statement): void {
  const hash = `SHA-256${isPart ? ' of the whole statement' : ''} ${contentHash}`
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Text below the bottom margin would open a new page.
    pdf.page.margins.bottom = 0
    const y = pdf.page.height - MARGIN - 8
    text(pdf, PLAIN, 7.5, DIM)
      .text(`${content.number} · ${hash}`, MARGIN, y, { lineBreak: false })
      .text(`Page ${page - start + 1} of ${count}`, MARGIN, y, {
        width: widthOf(pdf),
        align: 'right',
        features: FIGURES,
      })
  }
}
