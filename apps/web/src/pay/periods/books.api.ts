import { booksEndpoints } from '@tallyroom/contract/pay/books'
import type { Payee } from '@tallyroom/contract/pay/statement'
import { queryOptions } from '@tanstack/react-query'
import type { DateRange } from '@tallyroom/domain/periods'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const own = { meta: { ownErrors: true } }

export const journalQuery = (month: string) =>
  queryOf(booksEndpoints.journal, { query: { month } }, { ...own, keepPrevious: true })

export const accountsQuery = queryOptions({
  queryKey: [booksEndpoints.journalAccounts.path, 'form'] as const,
  queryFn: ({ signal }) => call(booksEndpoints.journalAccounts, {}, { signal }),
  ...FOR_FORM,
})

export const yearsQuery = (range: DateRange) =>
  queryOf(booksEndpoints.payeeYears, { query: range }, { ...own, keepPrevious: true })

export const yearQuery = (params: Pick<Payee, 'kind'> & { id: string }, range: DateRange) =>
  queryOf(booksEndpoints.payeeYear, { params, query: range }, { ...own, keepPrevious: true })
