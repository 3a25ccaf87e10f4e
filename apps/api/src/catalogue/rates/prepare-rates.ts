import { type Day, startOfDay, todayNewYork } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid, notFound } from '../../errors.ts'
import { isPreparedFor } from './dated-rates.queries.ts'
import { addRate, type FeeColumns, findDefaults, findFees } from './office-fees.queries.ts'
import { tellOfRate } from './tell-of-rate.ts'

/** Rates from a future day on. Omitted amounts are those that would be in force on that day. */
export type Preparation = {
  typeId: number
  /** Null for the default rates. */
  officeId: number | null
  /** A New York day after today. */
  day: Day
  /** False: from that day on the office has the default rates. Given amounts are then ignored. */
  enabled?: boolean
  given?: Partial<FeeColumns>
  note?: string
}

/**
 * The instant from which prepared rates are in force.
 * @throws VALIDATION_ERROR for a day that is not in the future.
 */
export function comingMidnight(day: Day, now: Date): Date {
  if (day <= todayNewYork(now)) throw invalid({ validFrom: ['must be a day after today'] })
  return startOfDay(day)
}

/**
 * Adds prepared rates and returns their id. Call it after `lockRates`.
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not in the future, or already has a change.
 */
export async function addPrepared(
  tx: Tx,
  viewer: Viewer,
  { typeId, officeId, day, enabled = true, given = {}, note = '' }: Preparation,
  now: Date,
): Promise<number> {
  const validFrom = comingMidnight(day, now)
  if (!enabled && officeId === null) {
    throw invalid({ enable: ['only an office can drop its own rates'] })
  }
  const amounts = await findAmounts(tx, viewer, { typeId, officeId, at: validFrom })
  if (await isPreparedFor(tx, { typeId, officeId, validFrom })) {
    throw invalid({ validFrom: ['already has a prepared change. Withdraw that one first'] })
  }
  await tellOfRate(tx, viewer, { typeId, officeId, from: validFrom, at: now })
  return addRate(tx, {
    ...amounts,
    ...(enabled && given),
    typeId,
    officeId,
    validFrom,
    enabled,
    note,
    added: { at: now, by: viewer },
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
