import type { RequestOf } from '@tallyroom/contract/endpoint'
import type {
  FeeRates,
  OfficeFee,
  officeFeesEndpoints,
} from '@tallyroom/contract/catalogue/office-fees'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import {
  addRate,
  type FeeColumns,
  type FeeRow,
  findFees,
  lockRates,
} from './office-fees.queries.ts'
import { addPrepared } from './prepare-rates.ts'
import { tellOfRate } from './tell-of-rate.ts'

type FeeChange = RequestOf<typeof officeFeesEndpoints.saveOfficeFee>['body']

/** The rates of each office for a link type. @throws NOT_FOUND if the site does not have the link type. */
export async function listOfficeFees(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  { siteId, typeId }: { siteId: number; typeId: number },
): Promise<OfficeFee[]> {
  const rows = await findFees(db, scopeOf(viewer), { siteId, typeId, at: clock.now() })
  if (rows.length === 0) throw notFound('link type')
  return rows.map((row) => presentFee(typeId, row))
}

/**
 * Enables, disables or changes an office's own rates from now on. Every process prices a sale by
 * the time it was made (`ratesOf`), so earlier sales do not change, even if they are reported
 * later. Changes prepared for a future day stay prepared. With `validFrom`, the change is prepared
 * for that day instead.
 * @throws NOT_FOUND; CONFLICT if the row has changed since the version in the request;
 * VALIDATION_ERROR as `addPrepared`.
 */
export function saveOfficeFee(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { typeId, companyId: officeId, enable, validFrom: day, version, ...change }: FeeChange,
): Promise<OfficeFee> {
  const scope = scopeOf(viewer)
  return inTransaction(db, async (tx) => {
    await lockRates(tx, typeId)
    const now = tx.now
    const row = await getFee(tx, scope, { typeId, officeId, at: now })
    refuseStale('rate', row.version, version)
    withChange(presentFee(typeId, row), change, {
      fixed: ['officeName', 'active', 'hidden', 'own', 'defaults'],
    })
    if (day !== undefined) {
      const given = columnsOf(change)
      await addPrepared(tx, viewer, { typeId, officeId, day, enabled: enable, given }, now)
      return presentFee(typeId, await getFee(tx, scope, { typeId, officeId, at: now }))
    }
    if (!enable && !row.enabled) return presentFee(typeId, row)

    const amounts = row.own ?? row.defaults
    await addRate(tx, {
      ...amounts,
      ...(enable && columnsOf(change)),
      typeId,
      officeId,
      validFrom: now,
      enabled: enable,
      added: { at: now, by: viewer },
    })
    await tellOfRate(tx, viewer, { typeId, officeId, from: now, at: now })
    return presentFee(typeId, await getFee(tx, scope, { typeId, officeId, at: now }))
  })
}

async function getFee(
  db: DbOrTx,
  scope: Scope,
  key: { typeId: number; officeId: number; at: Date },
): Promise<FeeRow> {
  const [row] = await findFees(db, scope, key)
  if (!row) throw notFound('office or link type')
  return row
}

type GivenRates = Pick<FeeChange, keyof FeeRates>

/** Only the rates in the request. */
export function columnsOf(given: GivenRates): Partial<FeeColumns> {
  const columns = {
    earning_cents: minorUnits(given.earning),
    payout_centavos: minorUnits(given.payout),
    lpp: given.lpp,
    bonus_earning_cents: minorUnits(given.bonusEarning),
    bonus_payout_centavos: minorUnits(given.bonusPayout),
    bonus_lpp: given.bonusLpp,
  } satisfies Record<keyof FeeColumns, number | undefined>
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const minorUnits = (amount: number | undefined) =>
  amount === undefined ? undefined : minorUnitsOf(amount)

function presentFee(typeId: number, row: FeeRow): OfficeFee {
  const defaults = presentRates(row.defaults)
  const own = row.own ? presentRates(row.own) : null
  return {
    typeId,
    companyId: row.officeId,
    officeName: row.officeName,
    active: row.active,
    hidden: row.hidden,
    enable: row.enabled,
    ...(row.enabled && own ? own : defaults),
    own,
    defaults,
    version: row.version,
  }
}

const presentRates = (columns: FeeColumns): FeeRates => ({
  earning: fromMinorUnits(columns.earning_cents),
  payout: fromMinorUnits(columns.payout_centavos),
  lpp: columns.lpp,
  bonusEarning: fromMinorUnits(columns.bonus_earning_cents),
  bonusPayout: fromMinorUnits(columns.bonus_payout_centavos),
  bonusLpp: columns.bonus_lpp,
})
