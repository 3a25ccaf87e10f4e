import { type Day, dayOf, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import type { BalanceEntryKind, Currency, OutsideWay } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'

/** An entry of a balance, as it is booked. */
export type Movement = {
  id: number
  kind: BalanceEntryKind
  payee: PayeeKey & { name: string }
  currency: Currency
  /** Of the balance: what is owed more. */
  amount: number
  /** A correction after which nothing is left of the balance. */
  isWriteOff: boolean
  /** The New York day on which it was entered, so that the past never changes. */
  day: Day
  statement: string | null
  run: string | null
  /** That of the transfer. */
  reference: string | null
  bankReference: string | null
  /** The bank's day, if a payment came back. */
  returnedOn: Day | null
  /** A payment outside of runs. */
  outside: { way: OutsideWay; paidOn: Day; voucher: string } | null
  reason: string | null
}

/** The entries of these New York days, of one payee or of all, oldest first. */
export async function findMovements(
  db: DbOrTx,
  { start, end }: DateRange,
  only?: PayeeKey,
): Promise<Movement[]> {
  const { rows } = await sql<
    Omit<Movement, 'payee' | 'day'> & { payeeKind: PayeeKey['kind']; payeeId: number; madeAt: Date }
  >`
    select
      entry.id, entry.kind, entry.payee_kind as "payeeKind", entry.payee_id as "payeeId",
      entry.currency, entry.amount, entry.made_at as "madeAt", statement.number as statement,
      run.number as run, line.reference, result.bank_reference as "bankReference",
      case entry.kind when 'returned' then returned.returned_on end as "returnedOn",
      case when entry.kind = 'outside' then json_build_object(
        'way', proposal.way, 'paidOn', proposal.paid_on, 'voucher', proposal.voucher
      ) end as outside,
      entry.kind = 'correction' and (
        select sum(before.amount) from balance_entries as before
        where before.payee_kind = entry.payee_kind and before.payee_id = entry.payee_id
          and before.currency = entry.currency and before.id <= entry.id
      ) = 0 as "isWriteOff",
      case entry.kind
        when 'failed' then result.reason
        when 'returned' then returned.reason
        else proposal.reason
      end as reason
    from balance_entries as entry
    left join statements as statement on statement.id = entry.statement_id
    left join pay_proposals as proposal on proposal.id = entry.proposal_id
    left join payment_run_lines as line on line.id = entry.run_line_id
    left join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    where entry.made_at >= ${startOfDay(start)} and entry.made_at < ${endOfDayExclusive(end)}
      and ${isOnly(only)}
    order by entry.id
  `.execute(db)
  const names = await findPayeeNames(
    db,
    rows.map(({ payeeKind: kind, payeeId: id }) => ({ kind, id })),
  )
  return rows.map(({ payeeKind: kind, payeeId: id, madeAt, ...row }) => ({
    ...row,
    payee: { kind, id, name: names.get(payeeText({ kind, id })) ?? '' },
    day: dayOf(madeAt),
  }))
}

/** What was owed before a New York day, by payee and currency. */
export async function findBalancesBefore(
  db: DbOrTx,
  day: Day,
  only?: PayeeKey,
): Promise<(PayeeKey & { currency: Currency; balance: number })[]> {
  const { rows } = await sql<PayeeKey & { currency: Currency; balance: number }>`
    select payee_kind as kind, payee_id as id, currency, sum(amount)::bigint as balance
    from balance_entries as entry
    where entry.made_at < ${startOfDay(day)} and ${isOnly(only)}
    group by payee_kind, payee_id, currency
  `.execute(db)
  return rows
}

const isOnly = (only: PayeeKey | undefined) =>
  only ? sql`entry.payee_kind = ${only.kind} and entry.payee_id = ${only.id}` : sql`true`
