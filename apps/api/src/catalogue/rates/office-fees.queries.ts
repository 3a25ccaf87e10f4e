import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { sealRows } from '../../seals/index.ts'
import { defaultRateId, ownRateId, inForceOf } from './rates.queries.ts'

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
  /** How many rows of rates it has, prepared ones included. */
  version: number
  defaults: FeeColumns
  own: FeeColumns | undefined
}

type Asked = {
  typeId: number
  siteId?: number | undefined
  officeId?: number | undefined
  /** The time for which rates are requested. */
  at: Date
}

/**
 * A row for each office in scope, by name, including hidden ones. Empty if the site does not have the link type
 * (any more), or if the office does not exist.
 */
export async function findFees(
  db: DbOrTx,
  scope: Scope,
  { typeId, siteId, officeId, at }: Asked,
): Promise<FeeRow[]> {
  const moment = { typeId: sql`type.id`, at: sql`${at}::timestamptz` }
  const { rows } = await sql<FlatRow>`
    select
      office.id as "officeId",
      office.name as "officeName",
      office.active,
      office.hidden,
      coalesce(own.enabled, false) as enabled,
      (
        select count(*) from rates where rates.type_id = type.id and rates.office_id = office.id
      ) as version,
      standard.earning_cents,
      standard.payout_centavos,
      standard.lpp,
      standard.bonus_earning_cents,
      standard.bonus_payout_centavos,
      standard.bonus_lpp,
      own.earning_cents as own_earning_cents,
      own.payout_centavos as own_payout_centavos,
      own.lpp as own_lpp,
      own.bonus_earning_cents as own_bonus_earning_cents,
      own.bonus_payout_centavos as own_bonus_payout_centavos,
      own.bonus_lpp as own_bonus_lpp
    from link_types as type
    join sites as site on site.id = type.site_id and site.deleted_at is null
    join rates as standard on standard.id = ${defaultRateId(moment)}
    cross join offices as office
    left join rates as own on own.id = ${ownRateId({ ...moment, officeId: sql`office.id` })}
    where type.id = ${typeId}
      and type.deleted_at is null
      ${siteId === undefined ? sql`` : sql`and type.site_id = ${siteId}`}
      ${officeId === undefined ? sql`` : sql`and office.id = ${officeId}`}
      ${scope.sees === 'everything' ? sql`` : sql`and office.id = ${scope.officeId}`}
    order by lower(office.name) collate "C", office.id
  `.execute(db)
  return rows.map(toFeeRow)
}

/** Offices whose own rates are in force at a point in time, by link type. */
export async function findOwnRateOffices(db: DbOrTx, typeIds: readonly number[], at: Date) {
  const { rows } = await sql<{ typeId: number; officeId: number }>`
    select own.type_id as "typeId", own.office_id as "officeId"
    from rates as own
    where own.office_id is not null and own.enabled
      and own.type_id = any(${typeIds}::integer[])
      and own.id = ${inForceOf(sql`own`, sql`${at}::timestamptz`)}
  `.execute(db)
  return rows
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
  defaults: amountsOf(row),
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

/** The amounts of a row. */
const amountsOf = (row: FeeColumns): FeeColumns => ({
  earning_cents: row.earning_cents,
  payout_centavos: row.payout_centavos,
  lpp: row.lpp,
  bonus_earning_cents: row.bonus_earning_cents,
  bonus_payout_centavos: row.bonus_payout_centavos,
  bonus_lpp: row.bonus_lpp,
})

/** The default rates, at a point in time, of a link type that is not deleted. */
export async function findDefaults(
  db: DbOrTx,
  { typeId, at }: Pick<Asked, 'typeId' | 'at'>,
): Promise<FeeColumns | undefined> {
  const { rows } = await sql<FeeColumns>`
    select rate.*
    from link_types as type
    join sites as site on site.id = type.site_id and site.deleted_at is null
    join rates as rate on rate.id = ${defaultRateId({ typeId: sql`type.id`, at: sql`${at}::timestamptz` })}
    where type.id = ${typeId} and type.deleted_at is null
  `.execute(db)
  return rows[0] && amountsOf(rows[0])
}

/**
 * Serializes additions and withdrawals of a link type's rates. False if there is no such link type.
 */
export async function lockRates(tx: Tx, typeId: number): Promise<boolean> {
  const type = await tx
    .selectFrom('link_types')
    .select('id')
    .where('id', '=', typeId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return type !== undefined
}

export type NewRate = FeeColumns & {
  typeId: number
  /** Null for the default rates. */
  officeId: number | null
  /** Null if it has always been in force. */
  validFrom: Date | null
  enabled?: boolean
  note?: string
  /** The backdating to which it belongs. */
  backdatingId?: number
  added: { at: Date; by: { accountId: number; username: string } }
}

/**
 * Adds a row of rates and returns its id. Rows are never changed. Those of a backdating, which may take long, are sealed at
 * its end by the caller.
 */
export async function addRate(
  tx: Tx,
  {
    typeId,
    officeId,
    validFrom,
    enabled = true,
    note = '',
    backdatingId,
    added,
    ...amounts
  }: NewRate,
): Promise<number> {
  const id = await insertRow(tx, 'rates', {
    type_id: typeId,
    office_id: officeId,
    valid_from: validFrom,
    enabled,
    ...amountsOf(amounts),
    note,
    backdating_id: backdatingId ?? null,
    added_at: added.at,
    added_by: added.by.accountId,
    added_by_name: added.by.username,
  })
  if (backdatingId === undefined) await sealRows(tx, 'rates', { id })
  return id
}
