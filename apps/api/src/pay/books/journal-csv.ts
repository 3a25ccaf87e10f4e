import { csvText, type CsvValue } from '@tallyroom/domain/csv'
import { billFiles } from './bills-csv.ts'
import { amountOf, dayParts, vendorsIn } from './books-csv.ts'
import {
  accountName,
  BESIDE_BILLS,
  isBesideBills,
  isLeftOutOfXero,
  type JournalAccounts,
  type JournalFormat,
  type JournalLine,
} from '@tallyroom/contract/pay/books/books'

/** Xero imports no more lines at once. */
const MOST_XERO_LINES = 300

/**
 * The files of a journal, by what follows in their names.
 *
 * QuickBooks Online imports journal entries by their headings, with days as MM/DD/YYYY; names are those of its vendors. Xero
 * imports manual journals in the currency of its books, which no column names, so its files have pesos alone, at most 300
 * lines at once, with days as DD/MM/YYYY and credits as negative amounts; lines with the same narration and day are one journal.
 */
export function journalFiles(
  lines: readonly JournalLine[],
  accounts: JournalAccounts,
  format: JournalFormat,
): { name: string; text: string }[] {
  if (isBesideBills(format))
    return journalFiles(lines, accounts, BESIDE_BILLS[format].as).map(({ name, text }) => ({
      name: `-without-bills${name}`,
      text,
    }))
  if (format === 'plain') return [{ name: '', text: csvText(plainRows(lines, accounts)) }]
  if (format === 'quickbooks')
    return [{ name: '-quickbooks', text: csvText(quickBooksRows(lines, accounts)) }]
  if (format !== 'xero') return billFiles(lines, accounts, format)
  const parts = inParts(lines.filter((line) => !isLeftOutOfXero(line)))
  return parts.map((part, index) => ({
    name: `-xero-PHP${parts.length > 1 ? `-${index + 1}` : ''}`,
    text: csvText(xeroRows(part, accounts)),
  }))
}

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
    accountName(accounts, line),
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

function quickBooksRows(lines: readonly JournalLine[], accounts: JournalAccounts): CsvValue[][] {
  const vendorOf = vendorsIn(accounts)
  return [
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
      accountName(accounts, line),
      sideOf(line.debit),
      sideOf(line.credit),
      line.text,
      vendorOf(line),
      line.currency,
    ]),
  ]
}

const xeroRows = (lines: readonly JournalLine[], accounts: JournalAccounts): CsvValue[][] => [
  ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
  ...lines.map((line) => [
    `T${line.entry} ${line.text}`,
    dayParts(line.day, (year, month, day) => `${day}/${month}/${year}`),
    line.payee,
    accountName(accounts, line),
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

const sideOf = (units: number): CsvValue => (units === 0 ? '' : amountOf(units))
