import type { Currency, HeldPart, PayeeKind } from '@tallyroom/domain/pay'
import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { balanceText, findHeldParts } from '../ledger/balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** Everything that decides whether a balance is paid. Amounts are in minor units of its currency. */
export type BalanceRow = {
  kind: PayeeKind
  id: number
  balance: number
  /** What of it statements added and is held: see `freeOf`. */
  held: readonly HeldPart[]
  /** The reason of the hold; null without a hold. */
  hold: string | null
  /** The payee's own in this currency; null without one. */
  minimum: number | null
  /** The number of the run that it is in and that waits for approval: its amount is still in the balance. */
  run: string | null
}

/**
 * Balances in one currency: all that are not zero, those of payees with a statement of a period, those of a run, or those of
 * these payees.
 */
export async function findBalances(
  db: DbOrTx,
  { currency, today }: { currency: Currency; today: Day },
  which: 'all' | { periodId: number } | { runId: number } | { payees: readonly PayeeKey[] },
): Promise<BalanceRow[]> {
  const chosen =
    which === 'all'
      ? sql`
        select payee_kind, payee_id
        from balance_entries
        where currency = ${currency}
        group by payee_kind, payee_id
        having sum(amount) <> 0`
      : 'periodId' in which
        ? sql`
        select payee_kind, payee_id
        from statements
        where period_id = ${which.periodId} and currency = ${currency}`
        : 'payees' in which
          ? sql`
        select *
        from unnest(
          ${which.payees.map(({ kind }) => kind)}::text[], ${which.payees.map(({ id }) => id)}::int[]
        ) as payee (payee_kind, payee_id)`
          : sql`
        select payee_kind, payee_id
        from payment_run_lines
        where run_id = ${which.runId}`
  const { rows } = await sql<Omit<BalanceRow, 'held'>>`
    select
      payee.payee_kind as kind,
      payee.payee_id as id,
      coalesce(
        (
          select sum(entry.amount)
          from balance_entries as entry
          where entry.payee_kind = payee.payee_kind
            and entry.payee_id = payee.payee_id
            and entry.currency = ${currency}
        ),
        0
      )::bigint as balance,
      (
        select case when hold.held then hold.reason end
        from pay_holds as hold
        where hold.payee_kind = payee.payee_kind and hold.payee_id = payee.payee_id
        order by hold.id desc
        limit 1
      ) as hold,
      (
        select minimum.amount
        from pay_minimums as minimum
        where minimum.payee_kind = payee.payee_kind
          and minimum.payee_id = payee.payee_id
          and minimum.currency = ${currency}
        order by minimum.id desc
        limit 1
      ) as minimum,
      (
        select run.number
        from payment_run_lines as line
        join payment_runs as run on run.id = line.run_id
        where line.payee_kind = payee.payee_kind
          and line.payee_id = payee.payee_id
          and line.currency = ${currency}
          and line.open
          and not exists (
            select from payment_run_steps as step
            where step.run_id = line.run_id and step.step = 'approved'
          )
        limit 1 -- of its parts
      ) as run
    from (${chosen}) as payee
    order by payee.payee_kind desc, payee.payee_id
  `.execute(db)
  const held = await findHeldParts(db, today)
  return rows.map((row) => ({ ...row, held: held.get(balanceText({ ...row, currency })) ?? [] }))
}
