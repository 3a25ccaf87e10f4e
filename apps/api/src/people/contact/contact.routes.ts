import { contactEndpoints } from '@tallyroom/contract/people/contact'
import { inTransaction } from '../../db/transaction.ts'
import { refuseStale, withChange } from '../../forms.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findContact, lockContact, updateContact } from './contact.queries.ts'

export const contactRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(contactEndpoints.contact, () => findContact(db)),

  formRoute(contactEndpoints.saveContact, ({ body }) =>
    inTransaction(db, async (tx) => {
      const present = await lockContact(tx)
      refuseStale('page', present.version, body.version)
      await updateContact(tx, withChange(present, body, { fixed: ['version'] }))
    }),
  ),
]
