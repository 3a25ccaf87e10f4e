import { booksEndpoints } from '@tallyroom/contract/pay/books/books'
import { withholdingEndpoints } from '@tallyroom/contract/pay/books/withholding'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { findAlphalist } from './alphalist.ts'
import { closeMonth, getJournal } from './journal.ts'
import { getJournalAccounts, saveJournalAccounts } from './journal-accounts.ts'
import { exportJournal, getJournalExport } from './journal-exports.ts'
import { getPayeeYear, listPayeeYears } from './payee-year.ts'
import { getTaxQuarter, listTaxCertificates } from './withholding.ts'

export const booksRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(booksEndpoints.journal, ({ query }) => getJournal(services, query.month)),
  route(booksEndpoints.closeMonth, ({ viewer, body }) => closeMonth(services, viewer, body)),
  route(booksEndpoints.exportJournal, ({ viewer, body }) => exportJournal(services, viewer, body)),
  route(booksEndpoints.journalExport, ({ params }) => getJournalExport(services, params.id)),
  route(booksEndpoints.journalAccounts, () => getJournalAccounts(services.db)),
  route(booksEndpoints.saveJournalAccounts, ({ viewer, body }) =>
    saveJournalAccounts(services, viewer, body),
  ),
  route(booksEndpoints.payeeYears, ({ query }) => listPayeeYears(services, query)),
  route(booksEndpoints.payeeYear, ({ viewer, params, query }) =>
    getPayeeYear(services, viewer, params, query),
  ),
  route(withholdingEndpoints.taxQuarter, ({ query }) => getTaxQuarter(services, query.quarter)),
  route(withholdingEndpoints.alphalist, async ({ query }) => {
    const { problem, notes } = await inSnapshot(services.db, (tx) =>
      findAlphalist(tx, query.quarter),
    )
    return { problem, notes }
  }),
  route(withholdingEndpoints.taxCertificates, ({ viewer, params }) =>
    listTaxCertificates(services, viewer, params),
  ),
]
