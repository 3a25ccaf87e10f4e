import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { FeeColumns } from '../../catalogue/index.ts'
import type { StandingRate } from './plan.ts'

/** The site of a link type; undefined if the link type is deleted. */
export async function findSiteOfType(db: DbOrTx, typeId: number): Promise<number | undefined> {
  const { rows } = await sql<{ siteId: number }>`
    select type.site_id as "siteId"
    from link_types as type
    join sites as site on site.id = type.site_id and site.deleted_at is null
    where type.id = ${typeId} and type.deleted_at is null
  `.execute(db)
  return rows[0]?.siteId
}

/** All rows of a link type that were not withdrawn, in the order in which they were added. */
export async function findStandingRates(db: DbOrTx, typeId: number): Promise<StandingRate[]> {
  const { rows } = await sql<Omit<StandingRate, 'amounts'> & FeeColumns>`
    select
      rate.id as "rateId", rate.office_id as "officeId", rate.valid_from as "from", rate.enabled,
      rate.added_at is null as "isUndated", rate.backdating_id as "backdatingId",
      rate.earning_cents, rate.payout_centavos, rate.lpp,
      rate.bonus_earning_cents, rate.bonus_payout_centavos, rate.bonus_lpp
    from rates as rate
    left join rate_withdrawals as withdrawal on withdrawal.rate_id = rate.id
    where rate.type_id = ${typeId} and withdrawal.rate_id is null
    order by rate.id
  `.execute(db)
  return rows.map(({ rateId, officeId, from, enabled, isUndated, backdatingId, ...amounts }) => ({
    rateId,
    officeId,
    from,
    enabled,
    isUndated,
    backdatingId,
    amounts,
  }))
}

/** How often a link type's rates were changed or withdrawn. */
export async function countChanges(db: DbOrTx, typeId: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select count(*) + count(withdrawal.rate_id) as changes
    from rates
    left join rate_withdrawals as withdrawal on withdrawal.rate_id = rates.id
    where rates.type_id = ${typeId}
  `.execute(db)
  return rows[0]?.changes ?? 0
}

export type BackdatingRow = {
  id: number
  typeId: number
  siteId: number
  officeId: number | null
  officeName: string | null
  validFrom: Date
  enabled: boolean
  ratePayoutCentavos: number
  rateEarningCents: number
  reason: string
  madeAt: Date
  madeBy: string
  sales: number
  payoutCentavos: number
  earningCents: number
  undoneAt: Date | null
  undoneBy: string | null
  undoReason: string | null
  undoneSales: number | null
  undonePayoutCentavos: number | null
  undoneEarningCents: number | null
}

type BackdatingsAsked = {
  id?: number
  requestId?: string
  siteId?: number
  typeId?: number | undefined
  officeId?: number | null | undefined
  limit: number
}

/** Backdatings in scope, newest first, and whether they were undone. `siteId` leaves out deleted link types. */
export async function findBackdatings(
  db: DbOrTx,
  scope: Scope,
  { id, requestId, siteId, typeId, officeId, limit }: BackdatingsAsked,
): Promise<BackdatingRow[]> {
  const { rows } = await sql<BackdatingRow>`
    select
      made.id, made.type_id as "typeId", type.site_id as "siteId", made.office_id as "officeId",
      office.name as "officeName", made.valid_from as "validFrom", rate.enabled,
      rate.payout_centavos as "ratePayoutCentavos", rate.earning_cents as "rateEarningCents",
      made.reason, made.made_at as "madeAt", made.made_by_name as "madeBy", made.sales,
      made.payout_centavos as "payoutCentavos", made.earning_cents as "earningCents",
      undone.made_at as "undoneAt", undone.made_by_name as "undoneBy", undone.reason as "undoReason",
      undone.sales as "undoneSales", undone.payout_centavos as "undonePayoutCentavos",
      undone.earning_cents as "undoneEarningCents"
    from rate_backdatings as made
    join link_types as type on type.id = made.type_id
    join sites as site on site.id = type.site_id
    join rates as rate on rate.backdating_id = made.id and rate.valid_from = made.valid_from
    left join offices as office on office.id = made.office_id
    left join rate_backdatings as undone on undone.undoes = made.id
    where made.undoes is null
      ${id === undefined ? sql`` : sql`and made.id = ${id}`}
      ${requestId === undefined ? sql`` : sql`and made.request_id = ${requestId}`}
      ${siteId === undefined ? sql`` : sql`and type.site_id = ${siteId} and type.deleted_at is null and site.deleted_at is null`}
      ${typeId === undefined ? sql`` : sql`and made.type_id = ${typeId}`}
      ${officeId === undefined ? sql`` : officeId === null ? sql`and made.office_id is null` : sql`and made.office_id = ${officeId}`}
      ${scope.sees === 'everything' ? sql`` : sql`and made.office_id = ${scope.officeId}`}
    order by made.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** Reserves the id of a backdating, whose row is inserted once its sums are known. */
export async function takeId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('rate_backdatings', 'id')) as id
  `.execute(tx)
  if (!rows[0]) throw new Error('a select without from always has a row')
  return rows[0].id
}

export type NewBackdating = {
  id: number
  typeId: number
  officeId: number | null
  validFrom: Date
  reason: string
  undoes?: number
  requestId: string
  made: { at: Date; by: { accountId: number; username: string } }
  sums: { sales: number; payoutCentavos: number; earningCents: number }
}

export const insertBackdating = (
  tx: Tx,
  { id, typeId, officeId, validFrom, reason, undoes, requestId, made, sums }: NewBackdating,
) =>
  insertRows(tx, 'rate_backdatings', {
    id,
    type_id: typeId,
    office_id: officeId,
    valid_from: validFrom,
    reason,
    payees_read: true,
    undoes: undoes ?? null,
    request_id: requestId,
    sales: sums.sales,
    payout_centavos: sums.payoutCentavos,
    earning_cents: sums.earningCents,
    made_at: made.at,
    made_by: made.by.accountId,
    made_by_name: made.by.username,
  })

/** Offices' and agents' names by id. Deleted ones are missing. */
export async function findNamesOf(
  db: DbOrTx,
  ids: { offices: readonly number[]; agents: readonly number[] },
): Promise<{ offices: Map<number, string>; agents: Map<number, string> }> {
  const { rows } = await sql<{ kind: 'office' | 'agent'; id: number; name: string }>`
    select 'office' as kind, id::integer, name from offices where id = any(${ids.offices}::integer[])
    union all
    select 'agent', agent_id::integer, username from accounts where agent_id = any(${ids.agents}::integer[])
  `.execute(db)
  const of = (wanted: 'office' | 'agent') =>
    new Map(rows.filter(({ kind }) => kind === wanted).map(({ id, name }) => [id, name]))
  return { offices: of('office'), agents: of('agent') }
}
