import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { bonusAt, siteValueAt } from '../sites/former-flags.queries.ts'

/** The value of one event: US cents, Philippine centavos, points. */
export type Price = { earningCents: number; payoutCentavos: number; lpp: number }

/** The rates of a link type for an office at some moment. */
export type Rates = {
  /** The row of `rates` that has them. */
  rateId: number
  /** How many times the link type's rates have been backdated. */
  backdated: number
  siteId: number
  /** Whether the link type's site counted for AVP then. */
  avp: boolean
  /** Whether it used approve-sale then. */
  useApproveSale: boolean
  /** The source of the rates: the office's own while enabled, otherwise the link type's. */
  source: 'default' | 'office'
  sale: Price
  /** For a bonus, or the Day#2 Sale of an approve-sale site. */
  bonus: Price
  /** Whether the link type paid a bonus on a site without approve-sale then. */
  hasBonus: boolean
  /** Whether the agent is suspended by now. */
  isSuspended: boolean
}

/**
 * The rates and flags in force when a sale happened. Undefined if the link type never existed. Suspended and deleted ones have
 * rates, because their sales may still arrive. Without an office, the default rates. Without an agent, nobody is suspended.
 */
export async function ratesOf(
  db: DbOrTx,
  typeId: number,
  officeId: number | undefined,
  at: Date,
  agentId?: number,
): Promise<Rates | undefined> {
  const office = { id: sql`${officeId ?? null}::bigint`, join: sql``, columns: sql`` }
  return (await ratesFor(db, { typeId, office, at, agentId }))?.rates
}

/**
 * {@link ratesOf} for the office of a row that the same statement finds.
 *
 * @param office `id`: its id in that row; `join`: the join that finds the row; `columns`: what is returned of it, as `, a, b`
 */
export async function ratesFor<Row>(
  db: DbOrTx,
  {
    typeId,
    office,
    at,
    agentId,
  }: {
    typeId: number
    office: { id: RawBuilder<unknown>; join: RawBuilder<unknown>; columns: RawBuilder<Row> }
    at: Date
    agentId: number | undefined
  },
): Promise<{ rates: Rates; row: Row } | undefined> {
  const moment = sql`${at}::timestamptz`
  const { rows } = await sql<RatesRow & Row>`
    ${prepared}
    select
      rate.id as "rateId",
      type.backdated,
      type.site_id as "siteId",
      ${siteValueAt('avp', 'site', moment)} as avp,
      ${siteValueAt('use_approve_sale', 'site', moment)} as "useApproveSale",
      ${bonusAt('type', moment)} as "hasBonus",
      case when rate.office_id is null then 'default' else 'office' end as source,
      rate.earning_cents as "earningCents",
      rate.payout_centavos as "payoutCentavos",
      rate.lpp,
      rate.bonus_earning_cents as "bonusEarningCents",
      rate.bonus_payout_centavos as "bonusPayoutCentavos",
      rate.bonus_lpp as "bonusLpp",
      exists (
        select from agents where id = ${agentId ?? null}::integer and not active
      ) as "isSuspended"
      ${office.columns}
    from link_types as type
    join sites as site on site.id = type.site_id
    ${office.join}
    join rates as rate
      on rate.id = ${payingRateId({ typeId: sql`type.id`, officeId: office.id, at: moment })}
    where type.id = ${typeId}
  `.execute(db)
  return rows[0] && { rates: presentRates(rows[0]), row: rows[0] }
}

/** Whose rates, and at what time. Each is an SQL expression. */
type Moment = {
  typeId: RawBuilder<unknown>
  officeId: RawBuilder<unknown>
  at: RawBuilder<unknown>
}

/**
 * The id of the row that prices an office's sale at a time: its own rates while enabled, otherwise
 * the default.
 */
export const payingRateId = (moment: Moment): RawBuilder<number> =>
  sql`coalesce(${ownRateId(moment, sql`case when rates.enabled then rates.id end`)}, ${defaultRateId(moment)})`

/** The id of an office's own rates at a time, enabled or not; null if it had none. */
export const ownRateId = (
  { typeId, officeId, at }: Moment,
  id = sql<number>`rates.id`,
): RawBuilder<number> =>
  inForce(id, sql`rates.type_id = ${typeId} and rates.office_id = ${officeId}`, at)

/** The id of a link type's default rates at a time. */
export const defaultRateId = ({ typeId, at }: Omit<Moment, 'officeId'>): RawBuilder<number> =>
  inForce(sql`rates.id`, sql`rates.type_id = ${typeId} and rates.office_id is null`, at)

/**
 * The id of the row in force, among rows with the same link type and office as a row of `rates`.
 */
export const inForceOf = (row: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<number> =>
  inForce(
    sql`rates.id`,
    sql`rates.type_id = ${row}.type_id and rates.office_id is not distinct from ${row}.office_id`,
    at,
  )

const inForce = (
  id: RawBuilder<unknown>,
  whose: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<number> => sql`(
  select ${id}
  from rates
  where ${whose}
    and (rates.valid_from is null or rates.valid_from <= ${at})
    and not exists (
      select from rate_withdrawals as withdrawal where withdrawal.rate_id = rates.id
    )
  order by rates.valid_from desc nulls last, rates.id desc
  limit 1
)`

type RatesRow = Pick<
  Rates,
  | 'rateId'
  | 'backdated'
  | 'siteId'
  | 'avp'
  | 'useApproveSale'
  | 'source'
  | 'hasBonus'
  | 'isSuspended'
> &
  Price & {
    bonusEarningCents: number
    bonusPayoutCentavos: number
    bonusLpp: number
  }

const presentRates = (row: RatesRow): Rates => ({
  rateId: row.rateId,
  backdated: row.backdated,
  siteId: row.siteId,
  avp: row.avp,
  useApproveSale: row.useApproveSale,
  source: row.source,
  sale: { earningCents: row.earningCents, payoutCentavos: row.payoutCentavos, lpp: row.lpp },
  bonus: {
    earningCents: row.bonusEarningCents,
    payoutCentavos: row.bonusPayoutCentavos,
    lpp: row.bonusLpp,
  },
  hasBonus: row.hasBonus,
  isSuspended: row.isSuspended,
})
