import { isPaidByTier, paidByTierText } from '@tallyroom/contract/pay/bookings/paid-by-tier'
import {
  COUNT_HEADERS,
  COUNT_NAMES,
  type CountName,
  moneyText,
  type StatementRow,
  type StatementSection,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import {
  BOLD,
  DIM,
  drawCells,
  drawHead,
  GAP,
  heightOf,
  heightOfText,
  INK,
  keep,
  MARGIN,
  type Pdf,
  PLAIN,
  rule,
  widthOf,
  widthOfText,
  write,
} from './pdf-page.ts'

type Column = {
  header: string
  width: number
  isNumber?: true
  cell: (row: StatementRow) => string
}

/** Widths are the most, in points: a column is as wide as its texts. The description takes the rest. */
const countColumn = (name: CountName): Column => ({
  header: COUNT_HEADERS[name],
  width: 46,
  isNumber: true,
  // A zero is left out, as on the page.
  cell: (row) => (row[name] ? formatCount(row[name]) : ''),
})

const agentColumn: Column = { header: 'Agent', width: 84, cell: ({ agent }) => agent?.name ?? '' }
const rateColumn: Column = {
  header: 'Rate',
  width: 64,
  isNumber: true,
  cell: ({ rate, currency }) => (rate === null ? '' : moneyText(rate, currency)),
}
const amountColumn: Column = {
  header: 'Sum',
  width: 82,
  isNumber: true,
  cell: ({ amount, currency }) => moneyText(amount, currency),
}
/** The columns for counts that at least one row has. */
const countColumns = (rows: readonly StatementRow[]): Column[] =>
  COUNT_NAMES.filter((name) => rows.some((row) => row[name])).map(countColumn)

const columnsOf = (rows: readonly StatementRow[]): Column[] => [
  ...(rows[0]?.of.kind === 'adjustment'
    ? [{ header: 'Reason', width: 0, cell: ({ what }: StatementRow) => what }]
    : [
        agentColumn,
        { header: 'For', width: 0, cell: ({ what }: StatementRow) => what },
        rateColumn,
        ...countColumns(rows),
      ]),
  amountColumn,
]

/** A section of a statement: its title, its lines and their sum, and how many sales tiers pay. */
export function drawSection(
  pdf: Pdf,
  section: StatementSection,
  sections: readonly StatementSection[],
  periodEnd: Day,
): void {
  // The title stays on the same page as the first row.
  keep(pdf, 90)
  pdf.y += 10
  write(pdf, [BOLD, 11], section.title, { width: widthOf(pdf) })
  if (section.about)
    write(pdf, [PLAIN, 8.5, DIM], section.about, { y: pdf.y + 1, width: widthOf(pdf) })
  pdf.y += 5
  const paid = section.rows.filter((row) => !isPaidByTier(row))
  if (paid.length > 0) {
    const columns = columnsOf(paid)
    const sums = section.sums.map(({ currency, amount }) =>
      columns.map((_, index) =>
        index === 0 ? 'Sum' : index === columns.length - 1 ? moneyText(amount, currency) : '',
      ),
    )
    const widths = widthsOf(pdf, columns, [...paid.map((row) => cellsOf(columns, row)), ...sums])
    drawTable(pdf, { columns, widths, rows: paid, noteOf: ({ note }) => note, sums: sums.length })
    for (const cells of sums) {
      keep(pdf, SUM)
      drawCells(pdf, cells, columns, widths, [BOLD, 9, INK])
    }
    pdf.y += 6
  }
  const byTier = paidByTierText(section, sections, periodEnd)
  if (byTier === undefined) return
  write(pdf, [PLAIN, 9, DIM], `${byTier}. They are listed at the end.`, {
    y: pdf.y + 2,
    width: widthOf(pdf),
  })
  pdf.y += 5
}

/**
 * After the sums: the sales whose money is in the line of their AVP week, without sums of zero. Before them, the list would
 * push what is paid to the second page.
 */
export function drawPaidByTier(pdf: Pdf, sections: readonly StatementSection[]): void {
  const rows = sections.flatMap((section) => section.rows.filter(isPaidByTier))
  if (rows.length === 0) return
  // The title stays on the same page as the first row, however long its name.
  keep(pdf, 120)
  pdf.y += 16
  write(pdf, [BOLD, 11], 'Paid by tier', { width: widthOf(pdf) })
  pdf.y += 5
  const columns = [
    agentColumn,
    {
      header: 'For',
      width: 0,
      cell: ({ what, note }: StatementRow) => `${what} · ${note}`,
    },
    ...countColumns(rows),
  ]
  const widths = widthsOf(
    pdf,
    columns,
    rows.map((row) => cellsOf(columns, row)),
  )
  drawTable(pdf, { columns, widths, rows, noteOf: () => '', sums: 0 })
  pdf.y += 6
}

const cellsOf = (columns: readonly Column[], row: StatementRow): string[] =>
  columns.map(({ cell }) => cell(row))

/** As wide as the texts need, headings and sums among them. The description takes the rest. */
function widthsOf(
  pdf: Pdf,
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
): number[] {
  const needs = columns.map(({ header, width }, index) => {
    if (width === 0) return 0
    const widest = Math.max(
      ...[header, ...cells.map((row) => row[index] ?? '')].map((one) =>
        widthOfText(pdf, [BOLD, 9], one),
      ),
    )
    // Rounded up, or the widest of them would wrap.
    return Math.min(width, Math.ceil(widest) + 1)
  })
  const rest = needs.reduce((left, need) => left - need, widthOf(pdf) - (columns.length - 1) * GAP)
  return needs.map((need) => need || rest)
}

interface Table {
  columns: readonly Column[]
  widths: readonly number[]
  rows: readonly StatementRow[]
  noteOf: (row: StatementRow) => string
  /** How many lines of sums follow. They stay on the page of the last row. */
  sums: number
}

/** The height of a line of sums, in points. */
const SUM = 16

const NOTE = [PLAIN, 8, DIM] as const

/** Headings, repeated on each new page, and a row for each line with its note below. */
function drawTable(pdf: Pdf, { columns, widths, rows, noteOf, sums }: Table): void {
  const noteAt = columns.findIndex(({ width }) => width === 0)
  const head = () => drawHead(pdf, columns, widths)
  head()
  for (const row of rows) {
    const cells = cellsOf(columns, row)
    const note = noteOf(row)
    const ofNote = note ? heightOfText(pdf, NOTE, note, widths[noteAt] ?? 0) + 4 : 0
    const height = heightOf(pdf, cells, widths) + ofNote
    const below = row === rows.at(-1) ? sums * SUM : 0
    if (keep(pdf, height + 6 + below)) head()
    drawCells(pdf, cells, columns, widths, [PLAIN, 9, INK])
    if (note) {
      const x = MARGIN + widths.slice(0, noteAt).reduce((sum, width) => sum + width + GAP, 0)
      write(pdf, NOTE, note, { x, y: pdf.y - 1, width: widths[noteAt] ?? 0 })
      pdf.y += 2
    }
    rule(pdf)
  }
}
