import type { Day } from '@tallyroom/domain/new-york'
import type { Currency, HeldPart } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'

export type BalanceKey = PayeeKey & { currency: Currency }

export const balanceText = ({ kind, id, currency }: BalanceKey): string =>
  `${kind} ${id} ${currency}`

/** Balances by payee and currency: the sum of the entries. Payees without entries are left out. */
export async function findBalances(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<(BalanceKey & { balance: number })[]> {
  const { rows } = await sql<BalanceKey & { balance: number }>`
    select payee_kind as kind, payee_id as id, currency, sum(amount)::bigint as balance
    from balance_entries
    where ${isPayee(only)}
    group by payee_kind, payee_id, currency
    order by payee_kind, payee_id, currency
  `.execute(db)
  return rows
}

/**
 * What statements added to balances and is held today, by `balanceText` and by day: see `freeOf`. Statements that took
 * something hold nothing.
 */
export async function findHeldParts(
  db: DbOrTx,
  today: Day,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, HeldPart[]>> {
  const { rows } = await sql<BalanceKey & HeldPart>`
    select
      statement.payee_kind as kind, statement.payee_id as id, statement.currency,
      statement.paid_from as "from", sum(entry.amount)::bigint as amount
    from (
      select * from statements where paid_from > ${today} and ${isPayee(only)}
    ) as statement
    join balance_entries as entry on entry.statement_id = statement.id
    group by statement.payee_kind, statement.payee_id, statement.currency, statement.paid_from
    order by statement.paid_from
  `.execute(db)
  return new Map(
    [...Map.groupBy(rows, balanceText)].map(([key, parts]) => [
      key,
      parts.map(({ amount, from }) => ({ amount, from })),
    ]),
  )
}

/** How many people must confirm `account`: two if another payee has entered the same one. */
export const CONFIRMATIONS_NEEDED = sql<number>`(
  case
    when exists (
      select from payee_account_shares as share where share.account_id = account.id
    ) then 2
    else account.confirmations
  end
)`

/** The currency of each payee whose account in force is not in pesos, by `payeeText`; with `only`, of these payees. */
export async function findCurrencies(
  db: DbOrTx,
  only?: readonly PayeeKey[],
): Promise<ReadonlyMap<string, Currency>> {
  const { rows } = await sql<BalanceKey>`
    select distinct on (account.payee_kind, account.payee_id)
      account.payee_kind as kind, account.payee_id as id, account.currency
    from payee_accounts as account
    join (
      select account_id, count(*) as confirmed
      from payee_account_decisions
      where account_id in (select id from payee_accounts where ${isOneOf(only)})
      group by account_id
      having bool_and(confirmed)
    ) as decision on decision.account_id = account.id
    where decision.confirmed >= ${CONFIRMATIONS_NEEDED} and ${isOneOf(only)}
    order by account.payee_kind, account.payee_id, account.id desc
  `.execute(db)
  return new Map(rows.map((row) => [payeeText(row), row.currency]))
}

/** The currency in which a payee is paid. */
export const findCurrency = async (db: DbOrTx, payee: PayeeKey): Promise<Currency> =>
  (await findCurrencies(db, [payee])).get(payeeText(payee)) ?? 'PHP'

/** Payees, by `payeeText`, whose newest account awaits confirmation. They are not paid until it is confirmed. */
export async function findAwaitingAccounts(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<PayeeKey>`
    select account.payee_kind as kind, account.payee_id as id
    from (
      select distinct on (payee_kind, payee_id) payee_kind, payee_id, id, confirmations
      from payee_accounts
      where ${isPayee(only)}
      order by payee_kind, payee_id, payee_accounts.id desc
    ) as account
    left join (
      select account_id, count(*) as confirmed, bool_and(confirmed) as agreed
      from payee_account_decisions
      group by account_id
    ) as decision on decision.account_id = account.id
    where coalesce(decision.agreed, true)
      and coalesce(decision.confirmed, 0) < ${CONFIRMATIONS_NEEDED}
  `.execute(db)
  return new Set(rows.map(payeeText))
}

export type Hold = PayeeKey & {
  held: boolean
  /** For staff alone. */
  reason: string
  /** For the payee; null: the usual sentence. */
  told: string | null
  setAt: Date
  setBy: string
  /** The payment account that the payee says they did not enter. */
  accountId: number | null
}

/** The payees that are on hold. */
export async function findHolds(db: DbOrTx, only?: PayeeKey): Promise<ReadonlyMap<string, Hold>> {
  const { rows } = await sql<Hold>`
    select distinct on (payee_kind, payee_id)
      payee_kind as kind, payee_id as id, held, reason, told, set_at as "setAt",
      set_by_name as "setBy", account_id as "accountId"
    from pay_holds
    where ${isPayee(only)}
    order by payee_kind, payee_id, pay_holds.id desc
  `.execute(db)
  return new Map(rows.filter(({ held }) => held).map((hold) => [payeeText(hold), hold]))
}

/**
 * The first day on which each payee's newest account can be paid, by `payeeText`, where that is later than today.
 * Accounts that were refused do not count.
 */
export async function findWaitingDays(
  db: DbOrTx,
  today: Day,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, Day>> {
  const { rows } = await sql<PayeeKey & { paidFrom: Day }>`
    select kind, id, "paidFrom"
    from (
      select distinct on (account.payee_kind, account.payee_id)
        account.payee_kind as kind, account.payee_id as id, account.paid_from as "paidFrom"
      from payee_accounts as account
      where ${isPayee(only)}
        and not exists (
          select from payee_account_decisions as decision
          where decision.account_id = account.id and not decision.confirmed
        )
      order by account.payee_kind, account.payee_id, account.id desc
    ) as newest
    where "paidFrom" > ${today}
  `.execute(db)
  return new Map(rows.map((row) => [payeeText(row), row.paidFrom]))
}

/** Payees’ own minimums, which staff set, by `balanceText`. */
export async function findMinimums(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<BalanceKey & { amount: number | null }>`
    select distinct on (payee_kind, payee_id, currency)
      payee_kind as kind, payee_id as id, currency, amount
    from pay_minimums
    where ${isPayee(only)}
    order by payee_kind, payee_id, currency, pay_minimums.id desc
  `.execute(db)
  return new Map(
    rows.flatMap((row) => (row.amount === null ? [] : [[balanceText(row), row.amount] as const])),
  )
}

/**
 * Amounts that open payment runs are about to pay, by `balanceText`: all, and those of runs that are only prepared, whose
 * amounts are still in the balances.
 */
export async function findInRuns(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, { running: number; prepared: number }>> {
  const { rows } = await sql<BalanceKey & { running: number; prepared: number }>`
    select
      payee_kind as kind, payee_id as id, currency, sum(amount)::bigint as running,
      coalesce(sum(amount) filter (where approved.run_id is null), 0)::bigint as prepared
    from payment_run_lines as line
    left join payment_run_steps as approved
      on approved.run_id = line.run_id and approved.step = 'approved'
    where open and ${isPayee(only)}
    group by payee_kind, payee_id, currency
  `.execute(db)
  return new Map(rows.map((row) => [balanceText(row), row]))
}

/** Where a payee's transfers took their amounts from the balance: the id of the entry by that of the run line, from approval on. */
export async function findPaymentEntries(
  db: DbOrTx,
  { kind, id }: PayeeKey,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('balance_entries')
    .select(['id', 'run_line_id'])
    .where('payee_kind', '=', kind)
    .where('payee_id', '=', id)
    .where('kind', '=', 'payment')
    .execute()
  return new Map(
    rows.flatMap((row) => (row.run_line_id === null ? [] : [[row.run_line_id, row.id]])),
  )
}

/** Whose balances are compared: everybody's, or those of these payees. */
export type Compared = { limit: number; only?: readonly PayeeKey[] | undefined }

/** Whether a row is of one of these payees, by columns of the only table that has them; true without payees. */
export const isOneOf = (payees: readonly PayeeKey[] | undefined): RawBuilder<boolean> => {
  if (!payees) return sql<boolean>`true`
  const idsOf = (kind: PayeeKey['kind']) =>
    payees.flatMap((one) => (one.kind === kind ? one.id : []))
  return sql<boolean>`(
    (payee_kind = 'office' and payee_id = any(${idsOf('office')}::int[]))
    or (payee_kind = 'agent' and payee_id = any(${idsOf('agent')}::int[]))
  )`
}

/** The latest instant of an entry in the balances of these payees in a currency. */
export async function findLastEntryAt(
  db: DbOrTx,
  { payees, currency }: { payees: readonly PayeeKey[]; currency: Currency },
): Promise<Date | undefined> {
  const last = await db
    .selectFrom('balance_entries')
    .select('made_at')
    .where('currency', '=', currency)
    .where(isOneOf(payees))
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.made_at
}

const isPayee = (payee: PayeeKey | undefined): RawBuilder<boolean> =>
  payee ? sql<boolean>`(payee_kind = ${payee.kind} and payee_id = ${payee.id})` : sql<boolean>`true`

/** What a payee has paid back in a currency after a moment, in its minor units. */
export async function findReceivedSince(
  db: DbOrTx,
  { kind, id, currency }: BalanceKey,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0)::bigint as amount
    from balance_entries
    where payee_kind = ${kind} and payee_id = ${id} and currency = ${currency}
      and kind = 'received' and made_at > ${since}
  `.execute(db)
  return rows[0]?.amount ?? 0
}
