import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { type BalanceKey, balanceText, isOneOf, type Compared } from './balances.queries.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'

/** A rate that a second person approved. */
export type StoredTaxRate = {
  /** Of its proposal. */
  id: number
  fromDay: Day
  rateBp: number
  code: string | null
  reason: string
  setAt: Date
  setBy: string
  approvedBy: string
}

/**
 * The rates of one payee or of all, by `payeeText`, the latest first: by the day from which they are in force, then the newest.
 * Each replaces the one that was approved before it, so their ids are in the order of their approvals.
 */
export async function findTaxRates(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, StoredTaxRate[]>> {
  const { rows } = await sql<StoredTaxRate & { payee: string }>`
    select
      concat(proposal.payee_kind, ' ', proposal.payee_id) as payee, proposal.id,
      proposal.from_day as "fromDay", proposal.tax_bp as "rateBp", proposal.tax_code as code,
      proposal.reason, proposal.made_at as "setAt", proposal.made_by_name as "setBy",
      decision.made_by_name as "approvedBy"
    from pay_proposals as proposal
    join pay_proposal_decisions as decision
      on decision.proposal_id = proposal.id and decision.decision = 'approved'
    where proposal.kind = 'tax rate' and ${isOnly(only)}
    order by proposal.from_day desc, proposal.id desc
  `.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ payee }) => payee)].map(([payee, own]) => [
      payee,
      own.map(({ payee: _payee, ...rate }) => rate),
    ]),
  )
}

const isOnly = (only: PayeeKey | undefined) =>
  only ? sql`(payee_kind, payee_id) = (${only.kind}, ${only.id})` : sql`true`

/** From which day on each of a payee's tax details is in force, by `payeeText`, the latest first. */
export async function findDetailsDays(
  db: DbOrTx,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, { id: number; fromDay: Day }[]>> {
  const { rows } = await sql<{ kind: PayeeKey['kind']; payeeId: number; id: number; fromDay: Day }>`
    select payee_kind as kind, payee_id as "payeeId", id, from_day as "fromDay"
    from payee_tax_details
    where ${isOnly(only)}
    order by from_day desc, id desc
  `.execute(db)
  return Map.groupBy(rows, ({ kind, payeeId }) => payeeText({ kind, id: payeeId }))
}

/** What was withheld in the quarter of a day, less what was given back, by `balanceText`. */
export async function findWithheld(
  db: DbOrTx,
  day: Day,
  only?: PayeeKey,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<BalanceKey & { withheld: number }>`
    select
      entry.payee_kind as kind, entry.payee_id as id, entry.currency, -sum(entry.amount)::bigint as withheld
    from balance_entries as entry
    join statements as statement on statement.id = entry.statement_id
    join pay_periods as period on period.id = statement.period_id
    where entry.kind = 'tax' and date_trunc('quarter', period.end_day) = date_trunc('quarter', ${day}::date)
      and ${only ? sql`entry.payee_kind = ${only.kind} and entry.payee_id = ${only.id}` : sql`true`}
    group by entry.payee_kind, entry.payee_id, entry.currency
  `.execute(db)
  return new Map(rows.map((row) => [balanceText(row), row.withheld]))
}

/** Inserts what statements withhold or give back, after their own entries. */
export async function insertTaxEntries(
  tx: Tx,
  statements: readonly (Pick<StatementContent, 'tax'> & { statementId: number })[],
  { madeAt, madeBy }: { madeAt: Date; madeBy: number },
): Promise<void> {
  const taxed = statements.filter(({ tax }) => tax !== undefined && tax.withheld !== 0)
  if (taxed.length === 0) return
  await sql`
    insert into balance_entries
      (payee_kind, payee_id, currency, amount, kind, statement_id, made_at, made_by)
    select
      statement.payee_kind, statement.payee_id, statement.currency, -taxed.withheld, 'tax', statement.id,
      ${madeAt}::timestamptz, ${madeBy}::bigint
    from unnest(
      ${taxed.map(({ statementId }) => statementId)}::bigint[],
      ${taxed.map(({ tax }) => tax?.withheld ?? 0)}::bigint[]
    ) as taxed (statement_id, withheld)
    join statements as statement on statement.id = taxed.statement_id
    order by statement.id
  `.execute(tx)
}

/** What the statements of a period withheld, less what they gave back, by statement. */
export async function findTaxEntries(
  db: DbOrTx,
  periodId: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ statementId: number; withheld: number }>`
    select entry.statement_id as "statementId", -sum(entry.amount)::bigint as withheld
    from balance_entries as entry
    join statements as statement on statement.id = entry.statement_id
    where entry.kind = 'tax' and statement.period_id = ${periodId}
    group by entry.statement_id
  `.execute(db)
  return new Map(rows.map(({ statementId, withheld }) => [statementId, withheld]))
}

/** Entries of tax that are not of their statement and its payee, as sentences. */
export async function findTaxEntryDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select format('The tax entry %s differs from its statement.', entry.id) as what
    from (select * from balance_entries where kind = 'tax' and ${isOneOf(only)}) as entry
    left join statements as statement on statement.id = entry.statement_id
    left join pay_periods as period on period.id = statement.period_id
    where
      (entry.payee_kind, entry.payee_id, entry.currency, entry.made_at, entry.made_by) is distinct from
      (statement.payee_kind, statement.payee_id, statement.currency, period.closed_at, period.closed_by)
      or entry.run_line_id is not null or entry.proposal_id is not null
    order by entry.id
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => what)
}
