import { booksEndpoints } from '@tallyroom/contract/pay/books/books'
import type { InputOf } from '@tallyroom/contract/endpoint'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import type { DateRange } from '@tallyroom/domain/periods'
import { call } from '../lib/call.ts'
import { download } from '../lib/download.ts'
import { queryOf, formQueryOf } from '../lib/queries.ts'

const own = { meta: { ownErrors: true } }

export const journalQuery = (month: string) =>
  queryOf(booksEndpoints.journal, { query: { month } }, { ...own, keepPrevious: true })

export const accountsQuery = formQueryOf(booksEndpoints.journalAccounts, {})

export const yearsQuery = (range: DateRange) =>
  queryOf(booksEndpoints.payeeYears, { query: range }, { ...own, keepPrevious: true })

export const yearQuery = (params: Pick<Payee, 'kind'> & { id: string }, range: DateRange) =>
  queryOf(booksEndpoints.payeeYear, { params, query: range }, { ...own, keepPrevious: true })

/** Exports a month of the journal and saves its files. */
export async function exportJournal(
  body: InputOf<typeof booksEndpoints.exportJournal>['body'],
): Promise<void> {
  const { id } = await call(booksEndpoints.exportJournal, { body })
  await saveJournalExport(id)
}

/** Saves the files of an export once more. */
export async function saveJournalExport(id: number): Promise<void> {
  const { files } = await call(booksEndpoints.journalExport, { params: { id: String(id) } })
  for (const { name, text } of files) download(name, text)
}
