import type { Statement } from '@tallyroom/contract/pay/statements/statements'
import {
  carriedInRunsText,
  COUNT_HEADERS,
  COUNT_NAMES,
  type CountName,
  CURRENCY_NAMES,
  documentWords,
  NO_COUNTS,
  rateText,
  statementSections,
  type StatementRow,
  statementSums,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { formatClock } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import { rangeInWords } from '@tallyroom/domain/periods'
import { type Cell, cellsOf, type ColumnOf, type Sheet } from '../../http/sheets/sheet.ts'

/**
 * A statement as a table: one row for each line, for the tax and for the carried balance, so that the
 * column of its currency adds up to the amount due. A conversion takes the sum out of one column
 * and puts it into the other.
 */
export function statementSheet(statement: Statement): Sheet {
  const { content, contentHash, isPart } = statement
  const rows = [
    ...documentRows(content),
    ...linesOf(content),
    ...(isPart ? [] : carriedRows(statement)),
  ]
  const currencies = CURRENCIES.filter(
    (currency) => currency === content.currency || rows.some((row) => row.currency === currency),
  )
  const texts = textColumnsOf(rows)
  const columns = [
    ...texts,
    ...currencies.map((currency): ColumnOf<Line> => ({
      header: currency === 'PHP' ? 'Sum ₱' : 'Sum $',
      kind: 'money',
      value: (row) => (row.currency === currency ? fromMinorUnits(row.amount) : undefined),
    })),
  ]
  const sumOf = (currency: Currency) =>
    rows.reduce((sum, row) => sum + (row.currency === currency ? row.amount : 0), 0)
  const totals: Cell[] = columns.map((_, index) => (index === 0 ? 'Total' : undefined))
  for (const [index, currency] of currencies.entries())
    totals[texts.length + index] = fromMinorUnits(sumOf(currency))
  return {
    title: 'Statement',
    about: [content.number, content.payee.name],
    facts: [
      ['Statement', content.number],
      ['Payee', content.payee.name],
      ...factsOf(content),
      ['SHA-256', contentHash],
    ],
    columns,
    rows: [rows.map((row) => cellsOf(columns, row))],
    totals,
  }
}

/** The heading of a statement’s files, as labels and texts. */
export const factsOf = (content: Statement['content']): [label: string, text: string][] => [
  ['Period', `${content.period.name}: ${rangeInWords(content.period)}`],
  ['Closed', `${formatClock(new Date(content.closedAt))} by ${content.closedBy}`],
  ['Time zone', content.zone],
]

type Line = Pick<
  StatementRow,
  'what' | 'note' | 'rate' | CountName | 'differences' | 'parts' | 'amount'
> & {
  section: string
  agent: string
  office: string
  /** Null for a line without an amount. */
  currency: Currency | null
}

const linesOf = (content: Statement['content']): Line[] =>
  statementSections(content).flatMap(({ title, rows }) =>
    rows.map((row) => ({
      ...row,
      section: title,
      agent: row.agent?.name ?? '',
      office: row.office?.name ?? '',
    })),
  )

const line = (section: string, what: string, amount: number, currency: Currency | null): Line => ({
  section,
  what,
  amount,
  currency,
  agent: '',
  office: '',
  note: '',
  ...NO_COUNTS,
})

/** What makes it a self-billed document comes first. */
function documentRows(content: Statement['content']): Line[] {
  const document = documentWords(content)
  if (!document) return []
  const { title, about, parties } = document
  return [
    { ...line('Document', title, 0, null), note: about },
    ...parties.map(({ role, name, taxNumber, address }) => ({
      ...line(role, name, 0, null),
      note: `${taxNumber}, ${address}`,
    })),
  ]
}

/** Rows that are not lines: the conversion, the tax, the balance before, and what is taken back of advances. */
function carriedRows({ content, carriedInRuns }: Statement): Line[] {
  const { conversion, currency, carried } = content
  const exchanged = conversion
    ? [
        line(
          'Exchange',
          `Exchanged to ${CURRENCY_NAMES[currency]}`,
          -conversion.amount,
          conversion.from,
        ),
        line(
          'Exchange',
          `${rateText(conversion.pesosE4)} (${conversion.source})`,
          conversion.converted,
          currency,
        ),
      ]
    : []
  const sums = statementSums(content)
  const before = sums.find(({ key }) => key === 'carried')
  const instalments = sums
    .filter(({ key }) => key.startsWith('instalment.'))
    .map(({ label, amount }) => line('Advance', label, amount, currency))
  const tax = sums
    .filter(({ key }) => key === 'tax')
    .map(({ label, amount }) => line('Tax', label, amount, currency))
  const balance = {
    ...line('Carried', before?.label ?? '', carried, currency),
    note: carriedInRunsText(carriedInRuns, currency),
  }
  return [...exchanged, ...tax, balance, ...instalments]
}

const textColumnsOf = (rows: readonly Line[]): ColumnOf<Line>[] => [
  { header: 'Part', kind: 'text', value: ({ section }) => section },
  { header: 'Agent', kind: 'text', value: ({ agent }) => agent },
  { header: 'Office', kind: 'text', value: ({ office }) => office },
  { header: 'For', kind: 'text', value: ({ what }) => what },
  { header: 'Note', kind: 'text', value: ({ note }) => note },
  {
    header: 'Rate',
    kind: 'money',
    value: ({ rate }) => (rate === null ? undefined : fromMinorUnits(rate)),
  },
  ...COUNT_NAMES.filter(
    (name) => isAlwaysThere(name) || rows.some((row) => row[name] !== null),
  ).map((name): ColumnOf<Line> => ({
    header: COUNT_HEADERS[name],
    kind: 'count',
    value: (row) => row[name] ?? undefined,
  })),
  { header: 'Differences', kind: 'count', value: ({ differences }) => differences ?? undefined },
  { header: 'Refunded parts', kind: 'count', value: ({ parts }) => parts ?? undefined },
]

/** Only statements with sites that used approve-sale have columns for their days. */
const isAlwaysThere = (name: CountName): boolean => name !== 'dayOne' && name !== 'dayTwo'
