import { csvText, type CsvValue } from '@tallyroom/domain/csv'
import type { Currency } from '@tallyroom/domain/pay'
import { amountOf, dayParts, vendorsIn } from './books-csv.ts'
import {
  accountName,
  type JournalAccounts,
  type JournalFormat,
  type JournalLine,
} from '@tallyroom/contract/pay/books/books'

/** How many bills one import takes. */
const MOST_BILLS = { quickbooksBills: 100, xeroBills: 500 } as const

/** A statement as the bill of a vendor: what it is for, and its tax as a minus. */
type Bill = {
  /** The statement's. */
  number: string
  vendor: string
  day: string
  currency: Currency
  /** In minor units of the currency, under the name of their account. */
  lines: { account: string; amount: number; text: string }[]
  commissions: number
  notIncome: number
  withheld: number
}

/**
 * A bill for each statement of a journal. Xero and QuickBooks Online have a row for each account of a bill, which are one bill
 * by its number; the other CSV has one row a bill. Bills are due on their day, as statements name no other.
 */
export function billFiles(
  lines: readonly JournalLine[],
  accounts: JournalAccounts,
  format: Extract<JournalFormat, `${string}ills`>,
): { name: string; text: string }[] {
  const bills = billsOf(lines, accounts)
  if (format === 'bills') return [{ name: '-bills', text: csvText(plainRows(bills)) }]
  const most = MOST_BILLS[format]
  const parts = Array.from({ length: Math.ceil(bills.length / most) }, (_, part) =>
    bills.slice(part * most, (part + 1) * most),
  )
  const [name, rowsOf] =
    format === 'xeroBills'
      ? (['xero', xeroRows] as const)
      : (['quickbooks', quickBooksRows] as const)
  return parts.map((part, index) => ({
    name: `-bills-${name}${parts.length > 1 ? `-${index + 1}` : ''}`,
    text: csvText(rowsOf(part, accounts)),
  }))
}

function billsOf(lines: readonly JournalLine[], accounts: JournalAccounts): Bill[] {
  const vendorOf = vendorsIn(accounts)
  return [...Map.groupBy(lines, (line) => line.document)].flatMap(([number, all]) => {
    const own = all.filter(({ account }) => account !== 'payable')
    const [first] = own
    if (!first) return []
    const sum = (of: JournalLine['account']) =>
      own.reduce(
        (total, { account, debit, credit }) => total + (account === of ? debit - credit : 0),
        0,
      )
    return [
      {
        number,
        vendor: vendorOf(first),
        day: first.day,
        currency: first.currency,
        lines: own.map((line) => ({
          account: accountName(accounts, line),
          amount: line.debit - line.credit,
          text: line.text,
        })),
        commissions: sum('commissions'),
        notIncome: sum('reimbursements'),
        withheld: 0 - sum('withheld'),
      },
    ]
  })
}

const plainRows = (bills: readonly Bill[]): CsvValue[][] => [
  [
    'Bill',
    'Vendor',
    'Date',
    'Due date',
    'Currency',
    'Commissions',
    'Not income',
    'Tax withheld',
    'Payable',
  ],
  ...bills.map(({ number, vendor, day, currency, commissions, notIncome, withheld }) => [
    number,
    vendor,
    day,
    day,
    currency,
    ...[commissions, notIncome, withheld, commissions + notIncome - withheld].map(amountOf),
  ]),
]

const quickBooksRows = (bills: readonly Bill[]): CsvValue[][] => [
  [
    'BillNo',
    'Supplier',
    'BillDate',
    'DueDate',
    'Terms',
    'Location',
    'Memo',
    'Account',
    'LineDescription',
    'LineAmount',
    'Currency',
  ],
  ...bills.flatMap(({ number, vendor, day, currency, lines }) =>
    lines.map(({ account, amount, text }) => {
      const date = dayParts(day, (year, month, of) => `${month}/${of}/${year}`)
      return [number, vendor, date, date, '', '', '', account, text, amountOf(amount), currency]
    }),
  ),
]

/** The headings of Xero's template, most of whose columns stay empty. */
const XERO_HEADINGS = [
  '*ContactName',
  'EmailAddress',
  'POAddressLine1',
  'POAddressLine2',
  'POAddressLine3',
  'POAddressLine4',
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
  '*InvoiceNumber',
  '*InvoiceDate',
  '*DueDate',
  'Total',
  'InventoryItemCode',
  'Description',
  '*Quantity',
  '*UnitAmount',
  '*AccountCode',
  '*TaxType',
  'TaxAmount',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
  'Currency',
]

const xeroRows = (bills: readonly Bill[], { taxRate }: JournalAccounts): CsvValue[][] => [
  XERO_HEADINGS,
  ...bills.flatMap(({ number, vendor, day, currency, lines }) =>
    lines.map(({ account, amount, text }) => {
      const date = dayParts(day, (year, month, of) => `${of}/${month}/${year}`)
      const values: Record<string, CsvValue> = {
        '*ContactName': vendor,
        '*InvoiceNumber': number,
        '*InvoiceDate': date,
        '*DueDate': date,
        Description: text,
        '*Quantity': 1,
        '*UnitAmount': amountOf(amount),
        '*AccountCode': account,
        '*TaxType': taxRate,
        Currency: currency,
      }
      return XERO_HEADINGS.map((heading) => values[heading])
    }),
  ),
]
