import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { TaxLine } from '@tallyroom/contract/pay/books/withholding'
import type { Brand } from '@tallyroom/domain/brands/index'
import { CURRENCIES } from '@tallyroom/domain/pay'
import { monthInWords, rangeInWords } from '@tallyroom/domain/periods'
import { daysOfQuarter, monthsOfQuarter } from '@tallyroom/domain/quarters'
import { taxRateText } from '@tallyroom/domain/withholding'
import type { TaxCertificate } from '../books/withholding.ts'
import { bytesOf, drawBrand, drawFacts, drawFooters, drawParties, openPdf } from './pdf-frame.ts'
import {
  BOLD,
  DIM,
  drawCells,
  drawHead,
  GAP,
  heightOf,
  INK,
  keep,
  MARGIN,
  type Pdf,
  PLAIN,
  rule,
  widthOf,
  write,
} from './pdf-page.ts'

/**
 * A payee's certificate of the tax withheld in a quarter, as an A4 document: who, how much of which income by month, and the
 * statements from which it was withheld.
 */
export async function* certificatePdf(
  certificate: TaxCertificate,
  brand: Brand,
  madeAt: Date,
): AsyncGenerator<Buffer> {
  const { quarter, isComplete, payer, payee } = certificate
  const pdf = await openPdf({
    title: `Tax withheld in ${quarter} of ${payee.registeredName}`,
    brand,
    madeAt,
    texts: JSON.stringify(certificate),
  })
  await drawBrand(pdf, brand, { title: 'Certificate of tax withheld', number: quarter })
  write(pdf, [BOLD, 18], payee.registeredName, { width: widthOf(pdf) })
  pdf.moveDown(0.4)
  drawFacts(pdf, [['Quarter', rangeInWords(daysOfQuarter(quarter))]])
  pdf.y += 8
  drawParties(
    pdf,
    [
      { role: 'Payee', ...payee },
      { role: 'Payer', ...payer },
    ].map(({ role, registeredName: name, address, taxNumber }) => ({
      role,
      name,
      address,
      taxNumber: `Tax number ${taxNumber}`,
    })),
  )
  if (!isComplete)
    write(pdf, [BOLD, 9], 'Not final: some periods that end in this quarter are not closed yet.', {
      width: widthOf(pdf),
    })
  drawLines(pdf, certificate)
  drawStatements(pdf, certificate)
  write(pdf, [PLAIN, 8, DIM], aboutOf(certificate), { y: pdf.y + 8, width: widthOf(pdf) })
  drawSignature(pdf)
  drawFooters(pdf, `${quarter} · ${payee.registeredName}`)
  yield* bytesOf(pdf)
}

const aboutOf = ({ payer }: TaxCertificate): string =>
  `Earned and tax are those of the statements, each in the month of the last day of its period. What was taken back is subtracted.${
    payer.country === 'PH'
      ? ' These are the figures for form 2307 of the Philippine Bureau of Internal Revenue; this is not the form.'
      : ''
  }`

type Column = { header: string; width: number; isNumber?: true }

/** Income by month, as form 2307 has it. */
function drawLines(pdf: Pdf, { quarter, lines }: TaxCertificate): void {
  const columns: Column[] = [
    { header: 'Code', width: 46 },
    { header: 'Rate', width: 44 },
    ...monthsOfQuarter(quarter).map(({ start }): Column => ({
      header: monthInWords(start),
      width: 74,
      isNumber: true,
    })),
    { header: 'Earned', width: 76, isNumber: true },
    { header: 'Tax withheld', width: 75, isNumber: true },
  ]
  const totals = CURRENCIES.flatMap((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    if (own.length === 0) return []
    const sum = (of: (line: TaxLine) => number) =>
      moneyText(
        own.reduce((total, line) => total + of(line), 0),
        currency,
      )
    return [
      [
        'Total',
        '',
        ...[0, 1, 2].map((index) => sum(({ months }) => months[index]?.base ?? 0)),
        sum(({ base }) => base),
        sum(({ withheld }) => withheld),
      ],
    ]
  })
  drawTable(
    pdf,
    'Income and tax',
    columns,
    lines.map(({ code, ratesBp, months, base, withheld, currency }) => [
      code,
      // A line breaks between rates only.
      ratesBp.map((rateBp) => taxRateText(rateBp).replace(' ', '\u00A0')).join(', '),
      ...[...months.map((one) => one.base), base, withheld].map((amount) =>
        moneyText(amount, currency),
      ),
    ]),
    totals,
  )
}

function drawStatements(pdf: Pdf, { statements }: TaxCertificate): void {
  drawTable(
    pdf,
    'Statements',
    [
      { header: 'Statement', width: 105 },
      { header: 'Last day of the period', width: 100 },
      { header: 'Code', width: 46 },
      { header: 'Rate', width: 44 },
      { header: 'Earned', width: 88, isNumber: true },
      { header: 'Tax withheld', width: 88, isNumber: true },
    ],
    statements.map(({ number, lastDay, currency, tax: { code, rateBp, base, withheld } }) => [
      number,
      rangeInWords({ start: lastDay, end: lastDay }),
      code,
      taxRateText(rateBp),
      moneyText(base, currency),
      moneyText(withheld, currency),
    ]),
    [],
  )
}

/** A title, headings that each new page repeats, rows, and sums in bold. */
function drawTable(
  pdf: Pdf,
  title: string,
  columns: readonly Column[],
  rows: readonly string[][],
  sums: readonly string[][],
): void {
  const widths = columns.map(({ width }) => width)
  const head = () => drawHead(pdf, columns, widths)
  keep(pdf, 70)
  write(pdf, [BOLD, 11], title, { y: pdf.y + 12, width: widthOf(pdf) })
  pdf.y += 5
  head()
  for (const [index, cells] of [...rows, ...sums].entries()) {
    if (keep(pdf, heightOf(pdf, cells, widths) + 6)) head()
    drawCells(pdf, cells, columns, widths, [index < rows.length ? PLAIN : BOLD, 9, INK])
    if (index < rows.length) rule(pdf)
  }
}

/** Where the payer signs. */
function drawSignature(pdf: Pdf): void {
  keep(pdf, 70)
  pdf.y += 46
  const width = (widthOf(pdf) - 3 * GAP) / 2
  pdf
    .moveTo(MARGIN, pdf.y)
    .lineTo(MARGIN + width, pdf.y)
    .lineWidth(0.5)
    .strokeColor(INK)
    .stroke()
  write(pdf, [PLAIN, 8, DIM], 'For the payer: signature, name and date', { y: pdf.y + 3, width })
}
