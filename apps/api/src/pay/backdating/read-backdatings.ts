import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  MAX_BACKDATINGS,
  type RateBackdating,
  type rateBackdatingEndpoints,
} from '@tallyroom/contract/pay/backdating/backdating'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../../catalogue/index.ts'
import { type BackdatingRow, findBackdatings } from './backdating.queries.ts'

type Query = RequestOf<typeof rateBackdatingEndpoints.rateBackdatings>['query']

/**
 * The backdatings of a site, newest first.
 * @throws NOT_FOUND for an unknown site.
 */
export async function listBackdatings(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { siteId, typeId, companyId }: Query,
): Promise<RateBackdating[]> {
  const scope = scopeOf(viewer)
  if (!(await isSiteInScope(db, scope, siteId))) throw notFound('site')
  const officeId = companyId === 'none' ? null : companyId
  const rows = await findBackdatings(db, scope, {
    siteId,
    typeId,
    officeId,
    limit: MAX_BACKDATINGS,
  })
  return rows.map((row) => presentBackdating(viewer, row))
}

/** @throws NOT_FOUND */
export async function findBackdating(
  db: DbOrTx,
  viewer: Viewer,
  id: number,
): Promise<BackdatingRow> {
  const [row] = await findBackdatings(db, scopeOf(viewer), { id, limit: 1 })
  if (!row) throw notFound('backdating')
  return row
}

/** @throws NOT_FOUND */
export const getBackdating = async (tx: Tx, viewer: Viewer, id: number): Promise<RateBackdating> =>
  presentBackdating(viewer, await findBackdating(tx, viewer, id))

/** A backdating, without earnings if the viewer may not see them. */
export function presentBackdating(viewer: Viewer, row: BackdatingRow): RateBackdating {
  const seesEarning = can(viewer, 'earning.see')
  const sums = (sales: number, payoutCentavos: number, earningCents: number) => ({
    sales,
    payout: fromMinorUnits(payoutCentavos),
    ...(seesEarning && { earning: fromMinorUnits(earningCents) }),
  })
  return {
    id: row.id,
    typeId: row.typeId,
    companyId: row.officeId,
    officeName: row.officeName,
    from: dayOf(row.validFrom),
    enable: row.enabled,
    ratePayout: fromMinorUnits(row.ratePayoutCentavos),
    ...(seesEarning && { rateEarning: fromMinorUnits(row.rateEarningCents) }),
    reason: row.reason,
    madeAt: row.madeAt.toISOString(),
    madeBy: row.madeBy,
    ...sums(row.sales, row.payoutCentavos, row.earningCents),
    undone: row.undoneAt && {
      at: row.undoneAt.toISOString(),
      by: row.undoneBy ?? '',
      reason: row.undoReason ?? '',
      ...sums(row.undoneSales ?? 0, row.undonePayoutCentavos ?? 0, row.undoneEarningCents ?? 0),
    },
  }
}
