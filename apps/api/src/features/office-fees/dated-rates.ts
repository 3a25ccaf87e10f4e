import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  type DatedRate,
  MAX_DATED_RATES,
  type RateOrigin,
  type ratesEndpoints,
} from '@tallyroom/contract/rates'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { startOfDay, todayNewYork } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../sites/index.ts'
import {
  type DatedRateRow,
  findDatedRates,
  insertWithdrawal,
  isPreparedFor,
} from './dated-rates.queries.ts'
import {
  addRate,
  type FeeColumns,
  findDefaults,
  findFees,
  lockRates,
} from './office-fees.queries.ts'
import { columnsOf } from './save-office-fee.ts'

type RatesQuery = RequestOf<typeof ratesEndpoints.rates>['query']
type Preparation = RequestOf<typeof ratesEndpoints.prepareRate>['body']

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
 * Prepares rates from a coming midnight in New York on. A change from now on leaves them standing.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not to come; CONFLICT if that day has a change already.
 */
export function prepareRate(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  { typeId, companyId: officeId, validFrom: day, enable, note, ...given }: Preparation,
): Promise<DatedRate> {
  return inTransaction(db, async (tx) => {
    if (!(await lockRates(tx, typeId))) throw notFound('link type')
    const now = clock.now()
    if (day <= todayNewYork(now)) throw invalid({ validFrom: ['must be a day after today'] })
    if (!enable && officeId === null) {
      throw invalid({ enable: ['only an office can leave its own rates'] })
    }
    const validFrom = startOfDay(day)
    const present = await findAmounts(tx, viewer, { typeId, officeId, at: validFrom })
    if (await isPreparedFor(tx, { typeId, officeId, validFrom })) {
      throw conflict(
        'A change is already prepared for that day. Withdraw it, then prepare this one.',
      )
    }
    const id = await addRate(tx, {
      ...present,
      ...columnsOf(given),
      typeId,
      officeId,
      validFrom,
      enabled: enable,
      note,
      added: { at: now, by: viewer },
    })
    return getRate(tx, viewer, { id, now })
  })
}

/**
 * Withdraws rates before their day. Withdrawing them again changes nothing.
 *
 * @throws NOT_FOUND, or CONFLICT if they are in force, or were.
 */
export function withdrawRate(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  id: number,
): Promise<DatedRate> {
  return inTransaction(db, async (tx) => {
    const { typeId } = await getRate(tx, viewer, { id, now: clock.now() })
    await lockRates(tx, typeId)
    const now = clock.now()
    const rate = await getRate(tx, viewer, { id, now })
    if (rate.state === 'withdrawn') return rate
    if (rate.state !== 'prepared') {
      throw conflict('These rates have begun. To end them, change the rates from now on.')
    }
    await insertWithdrawal(tx, id, { at: now, by: viewer })
    return getRate(tx, viewer, { id, now })
  })
}

/** The amounts that would be in force, as the office's page would show them once own rates are enabled. */
async function findAmounts(
  tx: Tx,
  viewer: Viewer,
  { typeId, officeId, at }: { typeId: number; officeId: number | null; at: Date },
): Promise<FeeColumns> {
  if (officeId === null) {
    const defaults = await findDefaults(tx, { typeId, at })
    if (!defaults) throw notFound('link type')
    return defaults
  }
  const [fee] = await findFees(tx, scopeOf(viewer), { typeId, officeId, at })
  if (!fee) throw notFound('office or link type')
  return fee.own ?? fee.defaults
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
