import { type Day, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { typeOf } from '../../db/event-types.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { weekOf } from '../../totals/index.ts'
import { isPaidFor, isWhose, type Whose } from './book-events.queries.ts'

/** AVP sales of an agent for an office in a week. */
export type WeekCount = {
  agentId: number
  officeId: number
  week: Day
  /** All booked sales. With those for other offices, they decide the tier. */
  sales: number
  /** The paid ones among them. Reversals of sales settled outside Tallyroom are not paid. */
  paidSales: number
  agentName: string
  officeName: string
}

/** A line that paid for an AVP week. */
export type TierPayment = WeekCount & {
  id: number
  statementId: number
  tier: number
  rateCentavos: number
  rateCents: number
  centavos: number
  cents: number
  currency: Currency
  payeeKind: PayeeKind
  payeeId: number
  periodId: number
}

/** The weeks of a closing: those that end in its period, and earlier weeks with late events. */
export type DueWeeks = {
  firstMonday: Day
  lastMonday: Day
  late: readonly { week: Day; agentId: number }[]
}

/** What earlier periods booked in these weeks. */
export async function findWeekCounts(
  db: DbOrTx,
  { firstMonday, lastMonday, late }: DueWeeks,
  exceptPeriodId: number,
  agents: Pick<Whose, 'agentIds'>,
): Promise<WeekCount[]> {
  const { rows } = await sql<WeekCount>`
    select
      agent_id as "agentId", office_id as "officeId", avp_week as week,
      sum(quantity)::integer as sales,
      coalesce(sum(quantity) filter (where not settled_outside), 0)::integer as "paidSales",
      max(agent_name) as "agentName", max(office_name) as "officeName"
    from bookings
    where avp_week is not null and period_id <> ${exceptPeriodId}
      and ${isWhose(sql`bookings`, agents)} and (
      avp_week between ${firstMonday}::date and ${lastMonday}::date
      or (
        avp_week = any(${late.map(({ week }) => week)}::date[])
        and agent_id = any(${late.map(({ agentId }) => agentId)}::integer[])
      )
    )
    group by agent_id, office_id, avp_week
  `.execute(db)
  return rows
}

/** AVP sales recorded before pay was switched on. They count towards the tier, but are not paid. */
export const findOutsideCounts = (
  db: DbOrTx,
  { firstMonday, lastMonday, late }: DueWeeks,
  startedAt: Date,
  agents: Pick<Whose, 'agentIds'>,
): Promise<WeekSales[]> =>
  selectWeekSales(
    db,
    sql`event.recorded_at < ${startedAt} and ${isWhose(sql`event`, agents)}`,
    sql`
      week between ${firstMonday}::date and ${lastMonday}::date
      or week = any(${late.map(({ week }) => week)}::date[])
    `,
  )

/** All AVP sales of agents in weeks, by their Mondays. No event of a week is older than it. */
export async function countAvpWeeks(
  db: DbOrTx,
  { agentIds, weeks }: { agentIds: readonly number[]; weeks: readonly Day[] },
): Promise<WeekSales[]> {
  const first = weeks.toSorted()[0]
  if (first === undefined) return []
  return selectWeekSales(
    db,
    sql`${isWhose(sql`event`, { agentIds })} and event.occurred_at >= ${startOfDay(first)}`,
    sql`week = any(${weeks}::date[])`,
  )
}

type WeekSales = { agentId: number; week: Day; sales: number }

/** A reversal counts in the week in which the sale was made. */
async function selectWeekSales(
  db: DbOrTx,
  events: RawBuilder<unknown>,
  weeks: RawBuilder<unknown>,
): Promise<WeekSales[]> {
  const { rows } = await sql<WeekSales>`
    select agent_id as "agentId", week, sum(quantity)::integer as sales
    from (
      select
        event.agent_id, event.quantity,
        ${weekOf(sql`(coalesce(original.occurred_at, event.occurred_at) at time zone ${sql.lit(NEW_YORK)})::date`)}
          as week
      from sale_events as event
      left join sale_events as original
        on original.agent_id = event.agent_id and original.id = coalesce(event.of_sale, event.reverses)
      where ${events} and event.event_type = ${typeOf.sale} and event.avp
    ) as sold
    where ${weeks}
    group by agent_id, week
  `.execute(db)
  return rows
}

/** What was paid for these weeks so far, oldest first. */
export const findTierPayments = (
  db: DbOrTx,
  { firstMonday, lastMonday, late }: DueWeeks,
  agents: Pick<Whose, 'agentIds'>,
) =>
  selectTierPayments(
    db,
    sql`${isWhose(sql`payment`, agents)} and (
      payment.week between ${firstMonday}::date and ${lastMonday}::date
      or payment.week = any(${late.map(({ week }) => week)}::date[])
    )`,
  )

/** What tiers pay on the statements of these periods. */
export const findTiersOfPeriods = (db: DbOrTx, periodIds: readonly number[], whose: Whose) =>
  selectTierPayments(
    db,
    sql`
      ${isWhose(sql`payment`, whose)} and ${isPaidFor(sql`statement`, whose)}
      and statement.period_id = any(${periodIds}::bigint[])
    `,
  )

/**
 * The agents whose AVP sales for an office were booked in these weeks, or paid for in any. What such an agent's other
 * offices book late for an old week can change its tier, and so what this office is paid for it.
 */
export async function findAgentsOfWeeks(
  db: DbOrTx,
  { start, end }: DateRange,
  officeId: number,
): Promise<number[]> {
  const { rows } = await sql<{ agentId: number }>`
    select agent_id as "agentId"
    from bookings
    where avp_week between ${start}::date and ${end}::date and office_id = ${officeId}
    union
    select agent_id from tier_payments where office_id = ${officeId}
  `.execute(db)
  return rows.map(({ agentId }) => agentId)
}

/** What was ever paid for any week, oldest first. */
export const findAllTierPayments = (db: DbOrTx) => selectTierPayments(db, sql`true`)

async function selectTierPayments(
  db: DbOrTx,
  condition: RawBuilder<unknown>,
): Promise<TierPayment[]> {
  const { rows } = await sql<TierPayment>`
    select
      payment.id, payment.statement_id as "statementId", payment.agent_id as "agentId",
      payment.office_id as "officeId", payment.week, payment.sales, payment.paid_sales as "paidSales",
      payment.tier, payment.rate_centavos as "rateCentavos", payment.rate_cents as "rateCents",
      payment.centavos, payment.cents, payment.currency, payment.agent_name as "agentName",
      statement.period_id as "periodId",
      payment.office_name as "officeName", statement.payee_kind as "payeeKind",
      statement.payee_id as "payeeId"
    from tier_payments as payment
    join statements as statement on statement.id = payment.statement_id
    where ${condition}
    order by payment.id
  `.execute(db)
  return rows
}

export type NewTierPayment = Omit<TierPayment, 'id' | 'payeeKind' | 'payeeId' | 'periodId'>

export const insertTierPayments = (tx: Tx, payments: readonly NewTierPayment[]) =>
  insertRows(
    tx,
    'tier_payments',
    payments.map((payment) => ({
      statement_id: payment.statementId,
      agent_id: payment.agentId,
      office_id: payment.officeId,
      week: payment.week,
      sales: payment.sales,
      paid_sales: payment.paidSales,
      tier: payment.tier,
      rate_centavos: payment.rateCentavos,
      rate_cents: payment.rateCents,
      centavos: payment.centavos,
      cents: payment.cents,
      currency: payment.currency,
      agent_name: payment.agentName,
      office_name: payment.officeName,
    })),
  )
