import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** Cents, centavos and points, for a sale and its bonus. */
export type FeeColumns = {
  earning_cents: number
  payout_centavos: number
  lpp: number
  bonus_earning_cents: number
  bonus_payout_centavos: number
  bonus_lpp: number
}

/** An office's rates for a link type. `own` is undefined until first enabled. */
export type FeeRow = {
  officeId: number
  officeName: string
  active: boolean
  hidden: boolean
  enabled: boolean
  version: number
  defaults: FeeColumns
  own: FeeColumns | undefined
}

/**
 * A row for each office in scope, by name, including hidden ones. Empty if the site does not have the link type
 * (any more), or if the office does not exist.
 */
export async function findFees(
  db: DbOrTx,
  scope: Scope,
  { typeId, siteId, officeId }: { typeId: number; siteId?: number; officeId?: number },
): Promise<FeeRow[]> {
  const { rows } = await sql<FlatRow>`
    select
      office.id as "officeId",
      office.name as "officeName",
      office.active,
      office.hidden,
      coalesce(fee.enabled, false) as enabled,
      coalesce(fee.version, 0) as version,
      type.earning_cents,
      type.payout_centavos,
      type.lpp,
      type.bonus_earning_cents,
      type.bonus_payout_centavos,
      type.bonus_lpp,
      fee.earning_cents as own_earning_cents,
      fee.payout_centavos as own_payout_centavos,
      fee.lpp as own_lpp,
      fee.bonus_earning_cents as own_bonus_earning_cents,
      fee.bonus_payout_centavos as own_bonus_payout_centavos,
      fee.bonus_lpp as own_bonus_lpp
    from link_types as type
    join sites as site on site.id = type.site_id and site.deleted_at is null
    cross join offices as office
    left join office_fees as fee on fee.type_id = type.id and fee.office_id = office.id
    where type.id = ${typeId}
      and type.deleted_at is null
      ${siteId === undefined ? sql`` : sql`and type.site_id = ${siteId}`}
      ${officeId === undefined ? sql`` : sql`and office.id = ${officeId}`}
      ${scope.sees === 'everything' ? sql`` : sql`and office.id = ${scope.officeId}`}
    order by lower(office.name) collate "C", office.id
  `.execute(db)
  return rows.map(toFeeRow)
}

type OwnColumns = { [Name in keyof FeeColumns as `own_${Name}`]: FeeColumns[Name] }

type FlatRow = Omit<FeeRow, 'defaults' | 'own'> &
  FeeColumns &
  (OwnColumns | { [Name in keyof OwnColumns]: null })

const toFeeRow = (row: FlatRow): FeeRow => ({
  officeId: row.officeId,
  officeName: row.officeName,
  active: row.active,
  hidden: row.hidden,
  enabled: row.enabled,
  version: row.version,
  defaults: {
    earning_cents: row.earning_cents,
    payout_centavos: row.payout_centavos,
    lpp: row.lpp,
    bonus_earning_cents: row.bonus_earning_cents,
    bonus_payout_centavos: row.bonus_payout_centavos,
    bonus_lpp: row.bonus_lpp,
  },
  own:
    row.own_earning_cents === null
      ? undefined
      : {
          earning_cents: row.own_earning_cents,
          payout_centavos: row.own_payout_centavos,
          lpp: row.own_lpp,
          bonus_earning_cents: row.own_bonus_earning_cents,
          bonus_payout_centavos: row.own_bonus_payout_centavos,
          bonus_lpp: row.own_bonus_lpp,
        },
})

/** Identifies the row and its expected version: 0 if it does not exist yet. */
export type FeeKey = { typeId: number; officeId: number; version: number; now: Date }

/** Saves an office's own rates and enables them. False if somebody else was faster. */
export async function enableFee(
  tx: Tx,
  { typeId, officeId, version, now }: FeeKey,
  rates: FeeColumns,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('office_fees')
    .values({ type_id: typeId, office_id: officeId, enabled: true, changed_at: now, ...rates })
    .onConflict((taken) =>
      taken
        .columns(['type_id', 'office_id'])
        .doUpdateSet(({ ref }) => ({
          earning_cents: ref('excluded.earning_cents'),
          payout_centavos: ref('excluded.payout_centavos'),
          lpp: ref('excluded.lpp'),
          bonus_earning_cents: ref('excluded.bonus_earning_cents'),
          bonus_payout_centavos: ref('excluded.bonus_payout_centavos'),
          bonus_lpp: ref('excluded.bonus_lpp'),
          enabled: ref('excluded.enabled'),
          changed_at: ref('excluded.changed_at'),
          version: sql`office_fees.version + 1`,
        }))
        .where('office_fees.version', '=', version),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Disables an office's own rates but keeps them. False if somebody else was faster. */
export async function disableFee(
  tx: Tx,
  { typeId, officeId, version, now }: FeeKey,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('office_fees')
    .set({ enabled: false, changed_at: now, version: sql`version + 1` })
    .where('type_id', '=', typeId)
    .where('office_id', '=', officeId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
