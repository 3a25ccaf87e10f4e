import { randomUUID } from 'node:crypto'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  type BackdatingPreview,
  MAX_SALES_AT_ONCE,
  type RateBackdating,
  type rateBackdatingEndpoints,
} from '@tallyroom/contract/pay/backdating/backdating'
import { formatCount } from '@tallyroom/domain/money'
import { startOfDay, todayNewYork } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { addRate, columnsOf, insertWithdrawal, tellOfRate } from '../../catalogue/index.ts'
import { sealRows } from '../../seals/index.ts'
import { isOfficeInScope } from '../../people/index.ts'
import { reprice, type Stores } from '../../tracking/index.ts'
import {
  countChanges,
  findBackdatings,
  findSiteOfType,
  findStandingRates,
  insertBackdating,
  takeId,
} from './backdating.queries.ts'
import { findBackdating, getBackdating, presentBackdating } from './read-backdatings.ts'
import { type Plan, planBackdating, planOfBackdating, planUndo } from './plan.ts'
import { type Asked, previewOf } from './preview.ts'

export type Dependencies = Pick<Services & Stores, 'db' | 'ledger'>
type Rate = RequestOf<typeof rateBackdatingEndpoints.previewBackdating>['body']
type Confirmed = RequestOf<typeof rateBackdatingEndpoints.backdateRate>['body']
type Undoing = RequestOf<typeof rateBackdatingEndpoints.undoBackdating>['body']

/** What backdating would change. @throws NOT_FOUND; VALIDATION_ERROR for a future day. */
export const previewBackdating = (
  { db }: Dependencies,
  viewer: Viewer,
  rate: Rate,
): Promise<BackdatingPreview> =>
  inTransaction(
    db,
    async (tx) => {
      const { plan, asked } = await planOf(tx, viewer, rate, tx.now)
      const preview = await previewOf(tx, viewer, asked, plan)
      refuseTooMany(preview.sales)
      return preview
    },
    { isolation: 'repeatable read' },
  )

/**
 * Adds the rates and writes the difference for each live sale since, in one transaction that blocks new sales of the
 * link type. Idempotent: repeating a request returns its first answer.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a future day; CONFLICT if the rates have changed since the preview.
 */
export const backdateRate = (
  { db, ledger }: Dependencies,
  viewer: Viewer,
  { reason, version, requestId, ...rate }: Confirmed,
): Promise<RateBackdating> =>
  inTransaction(db, async (tx) => {
    await ledger.stopSales(tx, rate.typeId)
    const [done] = await findBackdatings(tx, scopeOf(viewer), { requestId, limit: 1 })
    if (done) return presentBackdating(viewer, done)

    const now = tx.now
    const { plan, asked } = await planOf(tx, viewer, rate, now)
    await refuseOldPreview(tx, rate.typeId, version)
    await liftStatementTimeout(tx)
    const id = await takeId(tx)
    const made = { at: now, by: viewer }
    for (const validFrom of plan.starts) {
      await addRate(tx, {
        ...plan.amounts,
        typeId: rate.typeId,
        officeId: rate.companyId,
        validFrom,
        enabled: rate.enable,
        note: reason,
        backdatingId: id,
        added: made,
      })
    }
    // Read again, because differences refer to the new rows by id.
    const added = planOfBackdating(await findStandingRates(tx, rate.typeId), id)
    const sums = await reprice(tx, { ...asked, ...added }, { backdatingId: id, at: now })
    refuseTooMany(sums.sales)
    await insertBackdating(tx, {
      id,
      typeId: rate.typeId,
      officeId: rate.companyId,
      validFrom: startOfDay(rate.from),
      reason,
      requestId,
      made,
      sums,
    })
    await sealRows(tx, 'rates', { backdating_id: id })
    await sealRows(tx, 'rate_backdatings', { id })
    const { typeId, companyId: officeId } = rate
    await tellOfRate(tx, viewer, { typeId, officeId, from: startOfDay(rate.from), at: now })
    return getBackdating(tx, viewer, id)
  })

/** What undoing would change. @throws NOT_FOUND, or CONFLICT if it was undone before. */
export const previewUndo = (
  { db }: Dependencies,
  viewer: Viewer,
  id: number,
): Promise<BackdatingPreview> =>
  inTransaction(
    db,
    async (tx) => {
      const row = await findBackdating(tx, viewer, id)
      if (row.undoneAt) throw conflict('This backdating is undone.')
      const plan = planUndo(await findStandingRates(tx, row.typeId), id)
      return previewOf(tx, viewer, row, { ...plan, laterChanges: 0 })
    },
    { isolation: 'repeatable read' },
  )

/**
 * Withdraws the rates of a backdating and restores the price of each live sale without them. Idempotent.
 *
 * @throws NOT_FOUND; CONFLICT if the rates have changed since the preview.
 */
export const undoBackdating = (
  { db, ledger }: Dependencies,
  viewer: Viewer,
  id: number,
  { reason, version }: Undoing,
): Promise<RateBackdating> =>
  inTransaction(db, async (tx) => {
    const { typeId } = await findBackdating(tx, viewer, id)
    await ledger.stopSales(tx, typeId)
    const row = await findBackdating(tx, viewer, id)
    if (row.undoneAt) return presentBackdating(viewer, row)
    if (version !== undefined) await refuseOldPreview(tx, typeId, version)

    await liftStatementTimeout(tx)
    const made = { at: tx.now, by: viewer }
    const rates = await findStandingRates(tx, typeId)
    const plan = planUndo(rates, id)
    const withdrawn = rates.flatMap(({ rateId, backdatingId }) =>
      backdatingId === id && rateId !== null ? [rateId] : [],
    )
    for (const rateId of withdrawn) await insertWithdrawal(tx, rateId, made)
    const undoId = await takeId(tx)
    const sums = await reprice(tx, { ...row, ...plan }, { backdatingId: undoId, at: made.at })
    await insertBackdating(tx, {
      ...row,
      id: undoId,
      reason,
      undoes: id,
      requestId: randomUUID(),
      made,
      sums,
    })
    await sealRows(tx, 'rate_withdrawals', { rate_id: withdrawn })
    await sealRows(tx, 'rate_backdatings', { id: undoId })
    return getBackdating(tx, viewer, id)
  })

/** @throws NOT_FOUND; VALIDATION_ERROR */
async function planOf(
  tx: Tx,
  viewer: Viewer,
  { typeId, companyId: officeId, from: day, enable, replaceLater, ...given }: Rate,
  now: Date,
): Promise<{ plan: Plan; asked: Asked }> {
  if (day > todayNewYork(now)) throw invalid({ from: ['must be today or earlier'] })
  if (!enable && officeId === null) {
    throw invalid({ enable: ['only an office can leave its own rates'] })
  }
  const siteId = await findSiteOfType(tx, typeId)
  if (siteId === undefined) throw notFound('link type')
  if (officeId !== null && !(await isOfficeInScope(tx, scopeOf(viewer), officeId)))
    throw notFound('office')
  const from = startOfDay(day)
  const plan = planBackdating(
    await findStandingRates(tx, typeId),
    { officeId, from, enabled: enable, amounts: columnsOf(given), replaceLater },
    now,
  )
  return { plan, asked: { typeId, siteId, officeId } }
}

/** @throws CONFLICT */
async function refuseOldPreview(tx: Tx, typeId: number, version: number): Promise<void> {
  if (version === (await countChanges(tx, typeId))) return
  throw conflict('The rates have changed since this preview. Look at the new one, then confirm.')
}

/** @throws VALIDATION_ERROR */
function refuseTooMany(sales: number): void {
  if (sales <= MAX_SALES_AT_ONCE) return
  const most = `${formatCount(MAX_SALES_AT_ONCE)} at once`
  throw invalid({
    from: [`changes ${formatCount(sales)} sales, more than ${most}: choose a later day`],
  })
}
