import type { CsvValue } from '@tallyroom/domain/csv'
import type { JournalAccounts, JournalLine } from '@tallyroom/contract/pay/books/books'
import { payeeText } from '../terms/payees.queries.ts'

/** What the software calls the payee of a line. */
export const vendorsIn = ({ vendors }: JournalAccounts) => {
  const names = new Map(vendors.map((vendor) => [payeeText(vendor), vendor.name]))
  return ({ payeeKey, payee }: JournalLine): string => names.get(payeeText(payeeKey)) ?? payee
}

export const dayParts = (
  day: string,
  write: (year: string, month: string, day: string) => string,
) => {
  const [year = '', month = '', date = ''] = day.split('-')
  return write(year, month, date)
}

/** A number: text that begins with a minus would look like a formula. */
export const amountOf = (units: number): CsvValue => ({ number: (units / 100).toFixed(2) })
