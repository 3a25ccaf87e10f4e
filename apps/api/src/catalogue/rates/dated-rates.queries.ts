import type { RateState } from '@tallyroom/contract/catalogue/rates'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { FeeColumns } from './office-fees.queries.ts'
import { inForceOf } from './rates.queries.ts'

export type DatedRateRow = FeeColumns & {
  id: number
  typeId: number
  officeId: number | null
  officeName: string | null
  validFrom: Date | null
  state: RateState
  enabled: boolean
  note: string
  addedAt: Date | null
  addedBy: string | null
  withdrawnAt: Date | null
  withdrawnBy: string | null
}

/** Which rows. `officeId` null means the default rates. */
export type RatesAsked = {
  id?: number
  siteId?: number
  typeId?: number | undefined
  officeId?: number | null | undefined
  preparedOnly?: boolean
  now: Date
  limit: number
}

/** Rows of rates in scope, newest first: by start, then by when they were added. */
export async function findDatedRates(
  db: DbOrTx,
  scope: Scope,
  { id, siteId, typeId, officeId, preparedOnly, now, limit }: RatesAsked,
): Promise<DatedRateRow[]> {
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<DatedRateRow>`
    select
      rate.id, rate.type_id as "typeId", rate.office_id as "officeId", office.name as "officeName",
      rate.valid_from as "validFrom", rate.enabled, rate.note,
      rate.payout_centavos, rate.earning_cents, rate.lpp,
      rate.bonus_payout_centavos, rate.bonus_earning_cents, rate.bonus_lpp,
      rate.added_at as "addedAt", rate.added_by_name as "addedBy",
      withdrawal.withdrawn_at as "withdrawnAt", withdrawal.withdrawn_by_name as "withdrawnBy",
      case
        when withdrawal.rate_id is not null then 'withdrawn'
        when rate.valid_from > ${at} then 'prepared'
        when rate.id = ${inForceOf(sql`rate`, at)} then 'in force'
        else 'over'
      end as state
    from rates as rate
    join link_types as type on type.id = rate.type_id and type.deleted_at is null
    join sites as site on site.id = type.site_id and site.deleted_at is null
    left join offices as office on office.id = rate.office_id
    left join rate_withdrawals as withdrawal on withdrawal.rate_id = rate.id
    where true
      ${id === undefined ? sql`` : sql`and rate.id = ${id}`}
      ${siteId === undefined ? sql`` : sql`and type.site_id = ${siteId}`}
      ${typeId === undefined ? sql`` : sql`and rate.type_id = ${typeId}`}
      ${officeId === undefined ? sql`` : officeId === null ? sql`and rate.office_id is null` : sql`and rate.office_id = ${officeId}`}
      ${preparedOnly ? sql`and rate.valid_from > ${at} and withdrawal.rate_id is null` : sql``}
      ${scope.sees === 'everything' ? sql`` : sql`and rate.office_id = ${scope.officeId}`}
    order by rate.valid_from desc nulls last, rate.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** The link type whose rates they are; undefined if there are none. */
export async function findTypeOfRate(tx: Tx, id: number): Promise<number | undefined> {
  const row = await tx.selectFrom('rates').select('type_id').where('id', '=', id).executeTakeFirst()
  return row?.type_id
}

/** A subquery: the rows that are prepared at a point in time. */
export const preparedRates = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select rates.*
  from rates
  left join rate_withdrawals as withdrawal on withdrawal.rate_id = rates.id
  where rates.valid_from > ${at} and withdrawal.rate_id is null
)`

/** Whether a change is prepared for exactly this instant. */
export async function isPreparedFor(
  tx: Tx,
  { typeId, officeId, validFrom }: { typeId: number; officeId: number | null; validFrom: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select
    from rates
    left join rate_withdrawals as withdrawal on withdrawal.rate_id = rates.id
    where rates.type_id = ${typeId} and rates.office_id is not distinct from ${officeId}::bigint
      and rates.valid_from = ${validFrom}::timestamptz and withdrawal.rate_id is null
  `.execute(tx)
  return rows.length > 0
}

/** Withdraws a row. The caller seals it. */
export const insertWithdrawal = (
  tx: Tx,
  rateId: number,
  { at, by }: { at: Date; by: { accountId: number; username: string } },
) =>
  tx
    .insertInto('rate_withdrawals')
    .values({
      rate_id: rateId,
      withdrawn_at: at,
      withdrawn_by: by.accountId,
      withdrawn_by_name: by.username,
    })
    .execute()
