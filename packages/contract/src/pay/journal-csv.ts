import { csvText, type CsvValue } from '@tallyroom/domain/csv'
import type { JournalAccounts, JournalFormat, JournalLine } from './books.ts'

/** Xero imports no more lines at once. */
const MOST_XERO_LINES = 300

/**
 * The files of a journal, by what follows in their names.
 *
 * QuickBooks Online imports journal entries by their headings, with days as MM/DD/YYYY. Xero imports manual journals in the
 * currency of its books, which no column names, so its files have pesos alone, at most 300 lines at once, with days as
 * DD/MM/YYYY and credits as negative amounts; lines with the same narration and day are one journal.
 */
export function journalFiles(
  lines: readonly JournalLine[],
  accounts: JournalAccounts,
  format: JournalFormat,
): { name: string; text: string }[] {
  if (format === 'plain') return [{ name: '', text: csvText(plainRows(lines, accounts)) }]
  if (format === 'quickbooks')
    return [{ name: '-quickbooks', text: csvText(quickBooksRows(lines, accounts)) }]
  const parts = inParts(lines.filter((line) => !isLeftOutOfXero(line)))
  return parts.map((part, index) => ({
    name: `-xero-PHP${parts.length > 1 ? `-${index + 1}` : ''}`,
    text: csvText(xeroRows(part, accounts)),
  }))
}

/** Dollars would be booked as pesos there. */
export const isLeftOutOfXero = ({ currency }: Pick<JournalLine, 'currency'>): boolean =>
  currency !== 'PHP'

const plainRows = (lines: readonly JournalLine[], accounts: JournalAccounts): CsvValue[][] => [
  [
    'Date',
    'Account',
    'Debit',
    'Credit',
    'Currency',
    'Payee',
    'Reference',
    'Document',
    'Text',
    'Entry',
    'Belongs to',
  ],
  ...lines.map((line) => [
    line.day,
    accounts[line.account],
    sideOf(line.debit),
    sideOf(line.credit),
    line.currency,
    line.payee,
    line.reference,
    line.document,
    line.text,
    line.entry,
    line.belongs,
  ]),
]

const quickBooksRows = (lines: readonly JournalLine[], accounts: JournalAccounts): CsvValue[][] => [
  [
    'JournalNo',
    'JournalDate',
    'AccountName',
    'Debits',
    'Credits',
    'Description',
    'Name',
    'Currency',
  ],
  ...lines.map((line) => [
    `T${line.entry}`,
    dayParts(line.day, (year, month, day) => `${month}/${day}/${year}`),
    accounts[line.account],
    sideOf(line.debit),
    sideOf(line.credit),
    line.text,
    line.payee,
    line.currency,
  ]),
]

const xeroRows = (lines: readonly JournalLine[], accounts: JournalAccounts): CsvValue[][] => [
  ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
  ...lines.map((line) => [
    `T${line.entry} ${line.text}`,
    dayParts(line.day, (year, month, day) => `${day}/${month}/${year}`),
    line.payee,
    accounts[line.account],
    accounts.taxRate,
    amountOf(line.debit - line.credit),
  ]),
]

/** Lines in parts that one import takes; no entry is torn apart. */
function inParts(lines: readonly JournalLine[]): JournalLine[][] {
  const parts: JournalLine[][] = []
  for (const entry of Map.groupBy(lines, (line) => line.entry).values()) {
    const last = parts.at(-1)
    if (last && last.length + entry.length <= MOST_XERO_LINES) last.push(...entry)
    else parts.push([...entry])
  }
  return parts
}

const dayParts = (day: string, write: (year: string, month: string, day: string) => string) => {
  const [year = '', month = '', date = ''] = day.split('-')
  return write(year, month, date)
}

/** A number: text that begins with a minus would look like a formula. */
const amountOf = (units: number): CsvValue => ({ number: (units / 100).toFixed(2) })

const sideOf = (units: number): CsvValue => (units === 0 ? '' : amountOf(units))
