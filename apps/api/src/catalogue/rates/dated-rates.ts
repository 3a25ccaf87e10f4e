import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  type DatedRate,
  MAX_DATED_RATES,
  type RateOrigin,
  type ratesEndpoints,
} from '@tallyroom/contract/catalogue/rates'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { sealRows } from '../../seals/index.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { AppError, conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../sites/sites.queries.ts'
import {
  type DatedRateRow,
  findDatedRates,
  findTypeOfRate,
  insertWithdrawal,
} from './dated-rates.queries.ts'
import { lockRates } from './office-fees.queries.ts'
import { addPrepared, comingMidnight } from './prepare-rates.ts'
import { columnsOf } from './save-office-fee.ts'

type RatesQuery = RequestOf<typeof ratesEndpoints.rates>['query']
type RateToPrepare = RequestOf<typeof ratesEndpoints.prepareRate>['body']
type RatesToPrepare = RequestOf<typeof ratesEndpoints.prepareRates>['body']

/** Rates with their dates, newest first. @throws NOT_FOUND for an unknown site. */
export async function listRates(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  { siteId, typeId, companyId, prepared }: RatesQuery,
): Promise<DatedRate[]> {
  const scope = scopeOf(viewer)
  if (!(await isSiteInScope(db, scope, siteId))) throw notFound('site')
  const rows = await findDatedRates(db, scope, {
    siteId,
    typeId,
    officeId: companyId === 'none' ? null : companyId,
    preparedOnly: prepared === 'true',
    now: clock.now(),
    limit: MAX_DATED_RATES,
  })
  return rows.map((row) => presentRate(viewer, row))
}

/**
 * Prepares rates from a future midnight in New York on. A later change "from now on" leaves them in
 * place.
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not in the future, or already has a change.
 */
export function prepareRate(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { typeId, companyId: officeId, validFrom: day, enable, note, ...given }: RateToPrepare,
): Promise<DatedRate> {
  return inTransaction(db, async (tx) => {
    if (!(await lockRates(tx, typeId))) throw notFound('link type')
    const now = tx.now
    const preparation = { typeId, officeId, day, enabled: enable, note, given: columnsOf(given) }
    return getRate(tx, viewer, { id: await addPrepared(tx, viewer, preparation, now), now })
  })
}

/**
 * Prepares several changes at once, all or none.
 * @throws NOT_FOUND; VALIDATION_ERROR whose fields are the positions of the refused ones:
 * `rates.0`.
 */
export function prepareRates(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { validFrom: day, note, rates }: RatesToPrepare,
): Promise<DatedRate[]> {
  return inTransaction(db, async (tx) => {
    // Always in the same order, so that concurrent calls for the same rates do not deadlock.
    const typeIds = [...new Set(rates.map(({ typeId }) => typeId))].toSorted((a, b) => a - b)
    for (const typeId of typeIds) if (!(await lockRates(tx, typeId))) throw notFound('link type')
    const now = tx.now
    comingMidnight(day, now)
    const problems: FieldMessages = {}
    const prepared: DatedRate[] = []
    for (const [place, { typeId, companyId: officeId, enable, ...given }] of rates.entries()) {
      const preparation = { typeId, officeId, day, enabled: enable, note, given: columnsOf(given) }
      try {
        const id = await addPrepared(tx, viewer, preparation, now)
        prepared.push(await getRate(tx, viewer, { id, now }))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
        problems[`rates.${place}`] = Object.values(error.data ?? {}).flat()
      }
    }
    if (Object.keys(problems).length > 0) throw invalid(problems)
    return prepared
  })
}

/**
 * Withdraws rates before their day. Withdrawing them again has no effect.
 * @throws NOT_FOUND, or CONFLICT if they are or were in force.
 */
export function withdrawRate(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<DatedRate> {
  return inTransaction(db, async (tx) => {
    const typeId = await findTypeOfRate(tx, id)
    if (typeId === undefined) throw notFound('rate')
    await lockRates(tx, typeId)
    // The transaction's instant begins here: they may have come into force while it waited.
    const { now } = tx
    const rate = await getRate(tx, viewer, { id, now })
    if (rate.state === 'withdrawn') return rate
    if (rate.state !== 'prepared') {
      throw conflict('These rates are already in force. To end them, change the rates from now on.')
    }
    await insertWithdrawal(tx, id, { at: now, by: viewer })
    await sealRows(tx, 'rate_withdrawals', { rate_id: id })
    return getRate(tx, viewer, { id, now })
  })
}

async function getRate(
  tx: Tx,
  viewer: Viewer,
  { id, now }: { id: number; now: Date },
): Promise<DatedRate> {
  const [row] = await findDatedRates(tx, scopeOf(viewer), { id, now, limit: 1 })
  if (!row) throw notFound('rate')
  return presentRate(viewer, row)
}

/** Where the rate of a sale came from. Only staff see who set it. */
export const presentOrigin = (viewer: Viewer, from: Date, by: string | null): RateOrigin => ({
  validFrom: from.toISOString(),
  ...(can(viewer, 'link-types.view') && { addedBy: by }),
})

const presentRate = (viewer: Viewer, row: DatedRateRow): DatedRate => ({
  id: row.id,
  typeId: row.typeId,
  companyId: row.officeId,
  officeName: row.officeName,
  validFrom: row.validFrom?.toISOString() ?? null,
  state: row.state,
  enable: row.enabled,
  payout: fromMinorUnits(row.payout_centavos),
  lpp: row.lpp,
  bonusPayout: fromMinorUnits(row.bonus_payout_centavos),
  bonusLpp: row.bonus_lpp,
  ...(can(viewer, 'earning.see') && {
    earning: fromMinorUnits(row.earning_cents),
    bonusEarning: fromMinorUnits(row.bonus_earning_cents),
  }),
  note: row.note,
  addedAt: row.addedAt?.toISOString() ?? null,
  addedBy: row.addedBy,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  withdrawnBy: row.withdrawnBy,
})
