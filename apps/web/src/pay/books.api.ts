import { booksEndpoints } from '@tallyroom/contract/pay/books'
import type { Payee } from '@tallyroom/contract/pay/statement'
import type { DateRange } from '@tallyroom/domain/periods'
import { queryOf, formQueryOf } from '../lib/queries.ts'

const own = { meta: { ownErrors: true } }

export const journalQuery = (month: string) =>
  queryOf(booksEndpoints.journal, { query: { month } }, { ...own, keepPrevious: true })

export const accountsQuery = formQueryOf(booksEndpoints.journalAccounts, {})

export const yearsQuery = (range: DateRange) =>
  queryOf(booksEndpoints.payeeYears, { query: range }, { ...own, keepPrevious: true })

export const yearQuery = (params: Pick<Payee, 'kind'> & { id: string }, range: DateRange) =>
  queryOf(booksEndpoints.payeeYear, { params, query: range }, { ...own, keepPrevious: true })
