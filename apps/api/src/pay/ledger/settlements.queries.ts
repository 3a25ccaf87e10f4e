import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { sealRows } from '../../seals/index.ts'
import { type BalanceKey, balanceText, isOneOf } from './balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import type { Book, EntryToSettle, LineToSettle, Owed, Settlement } from './settlements.ts'
import { payableAt } from './payment-days.queries.ts'

/** A settlement that is stored, with what tells which run or proposal it is by. */
export type StoredSettlement = Settlement & {
  id: number
  /** The run of its line; null without one. */
  runId: number | null
  /** The proposal of the entry that it is by; null without one. */
  proposalId: number | null
}

export type StoredBook = Book & { key: BalanceKey; settlements: StoredSettlement[] }

/** What is owed and was settled of all balances of these payees, or of all; by `balanceText`. */
export async function findBooks(
  db: DbOrTx,
  only?: readonly PayeeKey[],
): Promise<ReadonlyMap<string, StoredBook>> {
  if (only?.length === 0) return new Map()
  const owed = await findOwed(db, owedBy(isOneOf(only)), sql`owed`)
  return booksOf(owed, await findSettlements(db, isOneOf(only), sql`true`))
}

/** What of a balance is to be settled. */
export type ToSettle = { key: BalanceKey; lines: LineToSettle[]; entries: EntryToSettle[] }

/**
 * The same, as far as it matters to what is to be settled now: what is not closed and what these transfers give back, what can be
 * paid last, and what comes after the first of them.
 */
export async function findOpenBooks(
  db: DbOrTx,
  payees: readonly PayeeKey[],
  { toSettle, now }: { toSettle: readonly ToSettle[]; now: Date },
): Promise<ReadonlyMap<string, StoredBook>> {
  const lines = toSettle.flatMap((one) => one.lines)
  const times = [...lines.map(({ preparedAt }) => preparedAt), ...toSettle.flatMap(entryTimes)]
  const since = times.reduce((first, at) => (at < first ? at : first), now)
  const lineIds = lines.flatMap(({ id, isNew }) => (isNew ? [] : id))
  const owed = await findOwed(db, openOf(isOneOf(payees), { lineIds, since }), sql`open`)
  const idsOf = (of: 'statementId' | 'entryId') => owed.flatMap((one) => one[of] ?? [])
  const statements = sql`${idsOf('statementId')}::bigint[]`
  const touching = sql`(
    statement_id = any(${statements}) or into_statement_id = any(${statements})
    or entry_id = any(${idsOf('entryId')}::bigint[]) or run_line_id = any(${lineIds}::bigint[])
  )`
  return booksOf(owed, await findSettlements(db, isOneOf(payees), touching))
}

const entryTimes = ({ entries }: ToSettle): Date[] => entries.map(({ madeAt }) => madeAt)

function booksOf(
  owed: readonly (Owed & OfBalance)[],
  settlements: readonly (StoredSettlement & OfBalance)[],
): ReadonlyMap<string, StoredBook> {
  const books = new Map<string, StoredBook & { owed: Owed[] }>()
  const bookOf = ({ kind, id, currency }: BalanceKey) => {
    const text = balanceText({ kind, id, currency })
    const book = books.get(text) ?? { key: { kind, id, currency }, owed: [], settlements: [] }
    books.set(text, book)
    return book
  }
  for (const { payee, ...one } of owed) bookOf(payee).owed.push(one)
  for (const { payee, ...one } of settlements) bookOf(payee).settlements.push(one)
  return books
}

type OfBalance = { payee: BalanceKey }

const payeeOf = sql`
  json_build_object('kind', payee_kind, 'id', payee_id, 'currency', currency) as payee
`

/**
 * Entries of balances with what is left `after` each, and what its proposal `raised` the balance by: of money received, what is
 * given back of advances, or was given up, was never owed of the balance.
 */
export const entriesOf = (isOfPayee: RawBuilder<boolean>) => sql`
  select
    *, sum(amount) over (partition by payee_kind, payee_id, currency order by id) as after,
    sum(amount) filter (where kind in ('received', 'given back', 'given up'))
      over (partition by payee_kind, payee_id, currency, proposal_id) as raised
  from balance_entries
  where ${isOfPayee}
`

/**
 * Whether an entry is money received after which nothing is left of the balance; the other entries of its proposal come after it. One that
 * was settled as owed itself, before this was a settlement, stays so.
 */
const paysBack = sql<boolean>`(
  kind = 'received' and raised <> 0 and after - amount + raised = 0
  and not exists (select from settlements as taken where taken.entry_id = entry.id)
)`

/** Whether an entry left nothing of its balance without being a payment. It is one of {@link entriesOf}, called `entry`. */
export const emptiesBalance = sql<boolean>`(
  kind in ('correction', 'conversion') and after = 0
  or kind = 'given up' and proposal_id is null and advance_id is null
  or ${paysBack}
)`

/** What an entry settles, and what is left of its balance after it. It is one of {@link entriesOf}. */
export const settlesOf = sql<number>`case kind when 'received' then -raised else -amount end`
export const leavesOf = sql<number>`case kind when 'received' then after - amount + raised else after end`

/**
 * What is owed, with its place in the order in which it can be paid: what statements added, after tax and instalments, and entries
 * that stand on none: of money received what raised the balance. What leaves nothing of a balance pays, and is not owed.
 */
const owedBy = (isOfPayee: RawBuilder<boolean>) => sql`
  with
    entry as (
      ${entriesOf(isOfPayee)}
    ),
    added as (
      select
        statement_id, sum(amount)::bigint as amount,
        min(made_at) filter (where kind = 'statement') as made_at
      from entry
      where statement_id is not null
      group by statement_id
    ),
    unordered as (
      select
        payee_kind, payee_id, currency, statement.id as statement_id, null::bigint as entry_id,
        coalesce(added.amount, 0) as amount, coalesce(added.made_at, period.closed_at) as made_at,
        ${payableAt(sql`coalesce(added.made_at, period.closed_at)`, sql`paid_from`)} as payable_at,
        period_id
      from (select * from statements where ${isOfPayee}) as statement
      left join added on added.statement_id = statement.id
      left join pay_periods as period on period.id = statement.period_id
      union all
      select
        payee_kind, payee_id, currency, null, id, case kind when 'received' then raised::bigint else amount end,
        made_at, made_at, null
      from entry
      where kind = 'advance' or (kind in ('correction', 'conversion') and after <> 0)
        or (kind = 'received' and raised <> 0 and not ${paysBack})
    ),
    owed as (
      select
        *, row_number() over (
          partition by payee_kind, payee_id, currency order by payable_at, period_id nulls last, entry_id
        ) as place
      from unordered
      where made_at is not null
    )
`

/** What is owed from the first on that matters, see {@link findOpenBooks}. */
const openOf = (
  isOfPayee: RawBuilder<boolean>,
  { lineIds, since }: { lineIds: readonly number[]; since: Date },
) => sql`
  ${owedBy(isOfPayee)},
    settlement as (select * from settlements where ${isOfPayee}),
    settled as (
      select
        statement_id, entry_id, sum(amount) as amount,
        (array_agg(kind in ('cancelled', 'failed', 'returned') order by id desc) filter (where closes))[1] as is_back,
        bool_or(run_line_id = any(${[...lineIds]}::bigint[])) as goes_back
      from settlement
      group by statement_id, entry_id
    ),
    carried as (
      select into_statement_id, sum(amount) as amount
      from settlement
      where into_statement_id is not null
      group by into_statement_id
    ),
    standing as (
      select
        owed.*,
        settled.is_back is distinct from false or settled.goes_back
          or owed.amount + coalesce(carried.amount, 0) <> settled.amount as matters
      from owed
      left join settled
        on coalesce(settled.statement_id, 0) = coalesce(owed.statement_id, 0)
        and coalesce(settled.entry_id, 0) = coalesce(owed.entry_id, 0)
      left join carried on carried.into_statement_id = owed.statement_id
    ),
    open as (
      select *
      from (
        select
          *, min(place) filter (where matters) over balance as first,
          max(place) filter (where payable_at <= ${since}) over balance as last_payable
        from standing
        window balance as (partition by payee_kind, payee_id, currency)
      ) as standing
      where place >= least(first, last_payable)
    )
`

async function findOwed(
  db: DbOrTx,
  tables: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<(Owed & OfBalance)[]> {
  const { rows } = await sql<Owed & OfBalance>`
    ${tables}
    select
      ${payeeOf}, statement_id as "statementId", entry_id as "entryId", amount, made_at as "madeAt",
      payable_at as "payableAt"
    from ${which} as owed
    order by place
  `.execute(db)
  return rows
}

async function findSettlements(
  db: DbOrTx,
  isOfPayee: RawBuilder<boolean>,
  condition: RawBuilder<unknown>,
): Promise<(StoredSettlement & OfBalance)[]> {
  const { rows } = await sql<StoredSettlement & OfBalance>`
    select
      json_build_object(
        'kind', settlement.payee_kind, 'id', settlement.payee_id, 'currency', settlement.currency
      ) as payee,
      settlement.id, settlement.statement_id as "statementId", settlement.entry_id as "entryId",
      settlement.kind, settlement.run_line_id as "runLineId", settlement.by_entry_id as "byEntryId",
      settlement.into_statement_id as "intoStatementId", settlement.amount, settlement.closes,
      settlement.made_at as "madeAt", line.run_id as "runId", entry.proposal_id as "proposalId"
    from (select * from settlements where ${isOfPayee} and ${condition}) as settlement
    left join payment_run_lines as line on line.id = settlement.run_line_id
    left join balance_entries as entry on entry.id = settlement.by_entry_id
    order by settlement.id
  `.execute(db)
  return rows
}

/** Inserts settlements of balances, and seals them. */
export async function insertSettlements(
  tx: Tx,
  settlements: readonly SettlementOf[],
): Promise<void> {
  const ids = await insertUnsealed(tx, settlements)
  if (ids.length > 0) await sealRows(tx, 'settlements', { id: ids })
}

/** A settlement of a balance. */
export type SettlementOf = Settlement & { key: BalanceKey }

/** Inserts settlements before their table is sealed, and returns their ids. */
export async function insertUnsealed(
  tx: Tx,
  settlements: readonly SettlementOf[],
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < settlements.length; at += AT_ONCE) {
    const inserted = await tx
      .insertInto('settlements')
      .values(settlements.slice(at, at + AT_ONCE).map(rowOf))
      .returning('id')
      .execute()
    ids.push(...inserted.map(({ id }) => id))
  }
  return ids
}

/** Rows for each insert: PostgreSQL allows 65,535 parameters in a statement. */
const AT_ONCE = 1000

const rowOf = ({ key, ...one }: SettlementOf) => ({
  payee_kind: key.kind,
  payee_id: key.id,
  currency: key.currency,
  statement_id: one.statementId,
  entry_id: one.entryId,
  kind: one.kind,
  run_line_id: one.runLineId,
  by_entry_id: one.byEntryId,
  into_statement_id: one.intoStatementId,
  amount: one.amount,
  closes: one.closes,
  made_at: one.madeAt,
})

type OfText = { balance: string; key: BalanceKey }

/**
 * Transfers of these payees, or of all, of which something is not settled: what they pay, or that it went back. Without those that
 * were taken out of their runs, or cancelled, before it was settled what they pay.
 */
export async function findLinesToSettle(
  db: DbOrTx,
  only: readonly PayeeKey[] | undefined,
): Promise<(LineToSettle & OfText)[]> {
  const { rows } = await sql<Omit<LineToSettle, 'back'> & BackRow & OfBalance>`
    select
      line.id,
      json_build_object('kind', line.payee_kind, 'id', line.payee_id, 'currency', line.currency) as payee,
      line.run_id as "runId", line.amount, line.part_reason is not null as "isPart",
      run.prepared_at as "preparedAt", settled.run_line_id is null as "isNew",
      case
        when settled.went_back then null
        when returned.run_line_id is not null then 'returned'
        when not result.paid then 'failed'
        when line.removed_because is not null or cancelled.run_id is not null then 'cancelled'
      end as back,
      coalesce(returned.made_at, result.made_at) as "backAt"
    from (select * from payment_run_lines where ${isOneOf(only)}) as line
    join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    left join payment_run_steps as cancelled
      on cancelled.run_id = line.run_id and cancelled.step = 'cancelled'
    left join (
      select run_line_id, bool_or(kind <> 'payment') as went_back
      from settlements
      where run_line_id is not null and ${isOneOf(only)}
      group by run_line_id
    ) as settled on settled.run_line_id = line.id
    where
      case
        when settled.run_line_id is null then line.open or result.run_line_id is not null
        when settled.went_back then false
        when result.run_line_id is null then
          line.removed_because is not null or cancelled.run_id is not null
        else not result.paid or returned.run_line_id is not null
      end
    order by line.id
  `.execute(db)
  return rows.map(({ payee, back, backAt, ...line }) => ({
    ...line,
    ...textOf(payee),
    back: back && { kind: back, at: backAt },
  }))
}

type BackRow = { back: NonNullable<LineToSettle['back']>['kind'] | null; backAt: Date | null }

/** Entries of these payees, or of all, that settle something, of which nothing is stored. */
export async function findEntriesToSettle(
  db: DbOrTx,
  only: readonly PayeeKey[] | undefined,
): Promise<(EntryToSettle & OfText)[]> {
  const { rows } = await sql<EntryToSettle & OfBalance>`
    with entry as (${entriesOf(isOneOf(only))})
    select
      id, ${payeeOf}, kind, (${settlesOf})::bigint as amount, (${leavesOf})::bigint as after, made_at as "madeAt",
      proposal_id as "proposalId",
      (
        select advance.id from entry as advance
        where advance.kind = 'advance' and advance.proposal_id = entry.proposal_id
          and entry.kind = 'outside'
      ) as "advanceId"
    from entry
    where (kind = 'outside' or ${emptiesBalance})
      and not exists (select from settlements as settled where settled.by_entry_id = entry.id)
    order by id
  `.execute(db)
  return rows.map(({ payee, ...entry }) => ({ ...entry, ...textOf(payee) }))
}

/** A balance with the text that it is found by. */
function textOf({ kind, id, currency }: BalanceKey): OfText {
  const key = { kind, id, currency }
  return { balance: balanceText(key), key }
}
