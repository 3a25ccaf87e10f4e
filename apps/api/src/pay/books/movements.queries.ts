import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import type { BalanceEntryKind, Currency, MoneyWay } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { countsAsOf } from '../ledger/adjustments.queries.ts'
import { expectedDayOf, sentAtOf } from '../ledger/payment-days.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'

/** An entry of a balance, as it is booked. */
export type Movement = BookDays & {
  id: number
  kind: BalanceEntryKind
  payee: PayeeKey & { name: string }
  currency: Currency
  /** Of the balance: what is owed more. */
  amount: number
  /** What of it is not income: of a statement or a correction. */
  notIncome: number
  /** A correction after which nothing is left of the balance. */
  isWriteOff: boolean
  statement: string | null
  run: string | null
  /** That of the transfer. */
  reference: string | null
  bankReference: string | null
  /** The bank's day, if a payment came back. */
  returnedOn: Day | null
  /** A payment outside payment runs, or money received, with what of it ends an advance, or was given up. */
  outside: { way: MoneyWay; paidOn: Day; voucher: string } | null
  /** Whether it is about an advance, of which it is or ends a part. */
  isOfAdvance: boolean
  reason: string | null
}

type BookDays = {
  /** The New York day on which it was entered. */
  entered: Day
  /**
   * The day to which it belongs: of a statement, its tax and its instalments the period's last day; where money moved, the bank's
   * or the voucher's; else the day on which it was entered. Null of a transfer that has not left.
   */
  belongs: Day | null
  /** The day on which it is booked: `belongs`, but for what was entered after that month was closed the first open day. */
  day: Day | null
  /** Of a transfer: it failed or was cancelled before the bank carried it out, or the bank refused its file, so it never was there. */
  neverLeft: boolean
  /** It was booked on the day of its entry before months were closed, and stays so: see `closed_months.as_entered`. */
  isAsEntered: boolean
}

/** The entries that are booked on these days, of one payee or of all, in the order in which they were entered. */
export const findMovements = (
  db: DbOrTx,
  { start, end }: DateRange,
  only?: PayeeKey,
): Promise<(Movement & { day: Day; belongs: Day })[]> =>
  selectMovements<{ day: Day; belongs: Day }>(db, only, sql`day between ${start} and ${end}`)

/** The same, and the transfers that were approved on these days, which are in transit until they are booked. */
export const findJournalMovements = (db: DbOrTx, { start, end }: DateRange): Promise<Movement[]> =>
  selectMovements(
    db,
    undefined,
    sql`(day between ${start} and ${end} or (kind = 'payment' and entered between ${start} and ${end}))`,
  )

/** Entries by their ids, whenever they are booked. */
export const findMovementsById = (db: DbOrTx, ids: readonly number[]): Promise<Movement[]> =>
  selectMovements(db, undefined, sql`id = any(${ids}::bigint[])`)

async function selectMovements<Known>(
  db: DbOrTx,
  only: PayeeKey | undefined,
  isAsked: RawBuilder<unknown>,
): Promise<(Movement & Known)[]> {
  const { rows } = await sql<
    Omit<Movement, 'payee'> & Known & { payeeKind: PayeeKey['kind']; payeeId: number }
  >`
    with booked as (${bookedOf(only)})
    select
      entry.id, entry.kind, entry.payee_kind as "payeeKind", entry.payee_id as "payeeId",
      entry.currency, entry.amount,
      case
        when entry.kind = 'statement' then coalesce(statement.not_income, 0)
        when entry.kind = 'correction' and ${countsAsOf('proposal')} = 'not income' then entry.amount
        else 0
      end as "notIncome",
      entry.entered, entry.belongs, entry.day,
      entry.never_left as "neverLeft", entry.is_as_entered as "isAsEntered", statement.number as statement,
      run.number as run, line.reference, result.bank_reference as "bankReference",
      case entry.kind when 'returned' then returned.returned_on end as "returnedOn",
      entry.advance_id is not null as "isOfAdvance",
      case when entry.kind in ('outside', 'received', 'given back', 'given up') and proposal.id is not null then json_build_object(
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
        else coalesce(proposal.reason, advance.reason)
      end as reason
    from (select * from booked where ${isAsked}) as entry
    left join statements as statement on statement.id = entry.statement_id
    left join pay_proposals as proposal on proposal.id = entry.proposal_id
    left join pay_proposals as advance on advance.id = entry.advance_id
    left join payment_run_lines as line on line.id = entry.run_line_id
    left join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    order by entry.id
  `.execute(db)
  const names = await findPayeeNames(
    db,
    rows.map(({ payeeKind: kind, payeeId: id }) => ({ kind, id })),
  )
  return rows.map(({ payeeKind: kind, payeeId: id, ...row }) => ({
    ...row,
    payee: { kind, id, name: names.get(payeeText({ kind, id })) ?? '' },
  })) as unknown as (Movement & Known)[] // a rest of a generic type
}

/** What was booked before a day, by payee and currency. */
export async function findBalancesBefore(
  db: DbOrTx,
  day: Day,
  only?: PayeeKey,
): Promise<(PayeeKey & { currency: Currency; balance: number })[]> {
  const { rows } = await sql<PayeeKey & { currency: Currency; balance: number }>`
    with booked as (${bookedOf(only)})
    select payee_kind as kind, payee_id as id, currency, sum(amount)::bigint as balance
    from booked
    where day < ${day}
    group by payee_kind, payee_id, currency
  `.execute(db)
  return rows
}

/** The months in which something is booked or was entered, up to this day's, newest first: YYYY-MM. */
export async function findMonths(db: DbOrTx, today: Day): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with booked as (${bookedOf()})
    select distinct to_char(day, 'YYYY-MM') as month
    from (select day from booked union all select entered from booked) as known
    where day <= ${today}
    order by month desc
  `.execute(db)
  return rows.map(({ month }) => month)
}

const inNewYork = (instant: RawBuilder<unknown>) =>
  sql`(${instant} at time zone ${sql.lit(NEW_YORK)})::date`

/** Each closing of months: since when and until when its first day after them is the first open one. */
const closings = sql`
  select
    (to_date(month, 'YYYY-MM') + interval '1 month')::date as first_open_day, closed_at as since,
    lead(closed_at, 1, 'infinity') over (order by month) as until
  from closed_months
`

/** The entries of balances with their {@link BookDays}. */
const bookedOf = (only?: PayeeKey) => sql`
  select
    *,
    case
      when is_as_entered then entered
      -- It has not left. Of several, greatest passes over what is null.
      when belongs is not null then greatest(belongs, first_open_day)
    end as day
  from (
    select
      *,
      case
        when kind in ('statement', 'tax', 'instalment') then coalesce(end_day, entered)
        when kind in ('outside', 'advance', 'received', 'given back', 'given up') then coalesce(paid_on, entered)
        when kind = 'returned' then coalesce(returned_on, entered)
        when kind = 'payment' and is_as_entered then entered
        when kind = 'payment' then case when never_left then undone else bank_day end
        when kind in ('failed', 'cancelled') then
          case when never_left then undone else greatest(undone, bank_day) end
        else entered
      end as belongs
    from (
      select
        *,
        undone is not null and coalesce(paid_at > as_entered_until, true) and (
          bank_day is null or undone <= bank_day
          -- The bank paid nothing of a file that it refused. What it says of a closed month is booked when it is entered.
          or (refused_on is not null and bank_day >= coalesce(undone_first_open_day, bank_day))
        ) as never_left,
        coalesce(made_at <= as_entered_until, false) as is_as_entered
      from (
        select
          entry.*, ${inNewYork(sql`entry.made_at`)} as entered, period.end_day, proposal.paid_on,
          returned.returned_on, payment.made_at as paid_at, result.refused_on,
          case
            when result.refused_on is not null then greatest(result.refused_on, ${inNewYork(sql`payment.made_at`)})
            -- What its message says of a closed month is booked when it is entered.
            when result.failed_on >= coalesce(undone_after.first_open_day, '-infinity')
            then greatest(result.failed_on, ${inNewYork(sql`payment.made_at`)})
            else ${inNewYork(sql`undo.made_at`)}
          end as undone,
          -- When the bank carries it out, not before it was approved; null until it has left.
          case
            when file.sent_at is not null or result.run_line_id is not null
            then greatest(
              -- What a statement says of a month that was closed by then does not move what is booked there.
              case
                when result.paid_on is not null
                  and least(result.paid_on, file.day) >= coalesce(paid_after.first_open_day, '-infinity')
                then result.paid_on
                else file.day
              end,
              ${inNewYork(sql`payment.made_at`)}
            )
          end as bank_day,
          closed.first_open_day, undone_after.first_open_day as undone_first_open_day,
          (select max(closed_at) from closed_months where as_entered) as as_entered_until
        from balance_entries as entry
        -- A later one is closed with all before it.
        left join (${closings}) as closed on entry.made_at >= closed.since and entry.made_at < closed.until
        left join statements as statement on statement.id = entry.statement_id
        left join pay_periods as period on period.id = statement.period_id
        left join pay_proposals as proposal on proposal.id = entry.proposal_id
        left join payment_run_lines as line on line.id = entry.run_line_id
        left join payment_file_lines as has on has.run_line_id = line.id
        left join (${filesOf}) as file
          on file.run_id = line.run_id and coalesce(file.file, '') = coalesce(has.name, '')
        left join payment_results as result on result.run_line_id = line.id
        left join payment_returns as returned on returned.run_line_id = line.id
        left join balance_entries as undo
          on undo.run_line_id = line.id and undo.kind in ('failed', 'cancelled')
        left join (${closings}) as undone_after
          on undo.made_at >= undone_after.since and undo.made_at < undone_after.until
        left join (${closings}) as paid_after
          on result.made_at >= paid_after.since and result.made_at < paid_after.until
        left join balance_entries as payment on payment.run_line_id = line.id and payment.kind = 'payment'
        where ${only ? sql`entry.payee_kind = ${only.kind} and entry.payee_id = ${only.id}` : sql`true`}
      ) as transfer
    ) as known
  ) as dated
`

/**
 * When the transfers of a file, or those of a run that don't know theirs, left and come. Asked once for each file: a run has one or a
 * few, and many transfers.
 */
const filesOf = sql`
  select line.run_id, line.file, ${sentAtOf(sql`line`)} as sent_at, ${expectedDayOf(sql`line`, sql`run`)} as day
  from (
    select distinct on (line.run_id, has.name) line.id, line.run_id, has.name as file
    from payment_run_lines as line
    left join payment_file_lines as has on has.run_line_id = line.id
    order by line.run_id, has.name
  ) as line
  join payment_runs as run on run.id = line.run_id
`
