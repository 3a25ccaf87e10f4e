import type { DbOrTx } from '../../db/database.ts'
import type { SaleOutcome } from './report.ts'
import { findTypeAliases } from './sales.queries.ts'

export const refused = (field: string, message: string): SaleOutcome => ({
  outcome: 'refused',
  data: { [field]: [message] },
})

/** Lists the existing types. */
export async function refuseType(db: DbOrTx, siteId: number): Promise<SaleOutcome> {
  const names = await findTypeAliases(db, siteId)
  const use = names.length > 0 ? `. Use one of ${names.join(', ')}` : ''
  return refused('type', `is not a link type of this site${use}`)
}

export const refusedAsOfClick = refused(
  'click_id',
  'is not one of our click ids, and its order came by a click',
)
