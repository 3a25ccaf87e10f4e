import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findOptions, upsertOptions } from './options.queries.ts'

export const optionsRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(optionsEndpoints.options, () => findOptions(db)),

  route(optionsEndpoints.saveOptions, async ({ body }) => {
    await inTransaction(db, async (tx) => {
      await upsertOptions(tx, body, tx.now)
      await announceChange(tx, 'options')
    })
  }),
]
