import type { DbOrTx } from '../../db/database.ts'
import { ratesOf } from '../../catalogue/index.ts'
import type { SaleLedger } from './ledger.ts'
import { ledgerOf } from './record-sale-event.ts'
import { refused, refuseType } from './refuse.ts'
import type { SaleOutcome, SaleReport } from './report.ts'
import { findTypeByAlias } from './sales.queries.ts'
import { findRepeated } from './write-once.ts'

/** What recording a pending report would lead to without pricing it: why it is refused, or what it repeats. Undefined for a new one. */
export async function findKnownSale(
  db: DbOrTx,
  report: SaleReport,
  { ledger }: { ledger: SaleLedger },
): Promise<SaleOutcome | undefined> {
  const { click, siteId, typeAlias } = report
  const clicked = await ratesOf(db, click.typeId, undefined, report.occurredAt)
  if (clicked?.siteId !== siteId) return refused('click_id', 'belongs to another site')
  const named =
    typeAlias === undefined ? click.typeId : await findTypeByAlias(db, siteId, typeAlias)
  if (named === undefined) return refuseType(db, siteId)
  return findRepeated(db, ledgerOf(report, ledger), report, named, true)
}
