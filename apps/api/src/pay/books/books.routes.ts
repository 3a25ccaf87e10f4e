import { booksEndpoints } from '@tallyroom/contract/pay/books'
import { withholdingEndpoints } from '@tallyroom/contract/pay/withholding'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { closeMonth, getJournal, getJournalAccounts, saveJournalAccounts } from './journal.ts'
import { getPayeeYear, listPayeeYears } from './payee-year.ts'
import { getTaxQuarter, listTaxCertificates } from './withholding.ts'

export const booksRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(booksEndpoints.journal, ({ query }) => getJournal(services, query.month)),
  route(booksEndpoints.closeMonth, ({ viewer, body }) => closeMonth(services, viewer, body.month)),
  route(booksEndpoints.journalAccounts, () => getJournalAccounts(services.db)),
  route(booksEndpoints.saveJournalAccounts, ({ viewer, body }) =>
    saveJournalAccounts(services, viewer, body),
  ),
  route(booksEndpoints.payeeYears, ({ query }) => listPayeeYears(services, query)),
  route(booksEndpoints.payeeYear, ({ viewer, params, query }) =>
    getPayeeYear(services, viewer, params, query),
  ),
  route(withholdingEndpoints.taxQuarter, ({ query }) => getTaxQuarter(services, query.quarter)),
  route(withholdingEndpoints.taxCertificates, ({ viewer, params }) =>
    listTaxCertificates(services, viewer, params),
  ),
]
