import { BOOKED_KINDS, type BookedKind } from '@tallyroom/domain/event-types'
import type { CountsAs, Currency, PayeeKind } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { typeOf } from '../../db/event-types.ts'
import { countsAsOf } from '../ledger/adjustments.queries.ts'
import { isPaidFor, isWhose, type Whose } from './book-events.queries.ts'

type OfPayee = { periodId: number; payeeKind: PayeeKind; payeeId: number }

/** What an event of each kind is earned as. */
export const paidAs = { sale: 'rates', bonus: 'bonuses' } as const satisfies Record<
  BookedKind,
  string
>

/** What rates paid, in centavos. */
export type PaidByRates = OfPayee & Record<(typeof paidAs)[BookedKind] | 'differences', number>

/** What rates paid on the statements of closed periods, by payee. */
export async function findPaidByRates(
  db: DbOrTx,
  periodIds: readonly number[],
  whose: Whose,
): Promise<PaidByRates[]> {
  const paid = (condition: RawBuilder<unknown>) =>
    sql`coalesce(sum(payout_centavos) filter (where ${condition}), 0)::bigint`
  const { rows } = await sql<PaidByRates>`
    select
      period_id as "periodId", payee_kind as "payeeKind", payee_id as "payeeId",
      ${sql.join(BOOKED_KINDS.map((kind) => sql`${paid(sql`quantity <> 0 and event_type = ${typeOf[kind]}`)} as ${sql.ref(paidAs[kind])}`))},
      ${paid(sql`quantity = 0`)} as differences
    from bookings
    where period_id = any(${periodIds}::bigint[]) and ${isWhose(sql`bookings`, whose)}
      and ${isPaidFor(sql`bookings`, whose)}
    group by period_id, payee_kind, payee_id
  `.execute(db)
  return rows
}

/** What people adjusted on the statements of closed periods. */
export async function findBookedAdjustments(
  db: DbOrTx,
  periodIds: readonly number[],
): Promise<(OfPayee & { currency: Currency; amount: number; countsAs: CountsAs })[]> {
  const { rows } = await sql<OfPayee & { currency: Currency; amount: number; countsAs: CountsAs }>`
    select
      statement.period_id as "periodId", statement.payee_kind as "payeeKind",
      statement.payee_id as "payeeId", adjustment.currency, adjustment.amount,
      ${countsAsOf('adjustment')} as "countsAs"
    from booked_adjustments as booked
    join adjustments as adjustment on adjustment.id = booked.adjustment_id
    join statements as statement on statement.id = booked.statement_id
    where statement.period_id = any(${periodIds}::bigint[])
  `.execute(db)
  return rows
}

/** The currencies of the statements of closed periods. */
export async function findStatementCurrencies(
  db: DbOrTx,
  periodIds: readonly number[],
): Promise<(OfPayee & { currency: Currency })[]> {
  const { rows } = await sql<OfPayee & { currency: Currency }>`
    select
      period_id as "periodId", payee_kind as "payeeKind", payee_id as "payeeId", currency
    from statements
    where period_id = any(${periodIds}::bigint[]) and currency <> 'PHP'
  `.execute(db)
  return rows
}
