import type { Day } from '@tallyroom/domain/new-york'
import type { Currency, OutsideWay } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { type BalanceKey, balanceText, isOneOf, type Compared } from './balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** What a payee was paid before it was owed, and how much of it statements took back, the payee gave back, and deleting them gave up. */
export type Advance = {
  proposalId: number
  /** In minor units of `currency`. */
  advanced: number
  taken: number
  givenBack: number
  givenUp: number
  instalments: number
  /** How many statements of the payee in its currency came after it. */
  statements: number
  currency: Currency
  way: OutsideWay
  paidOn: Day
  voucher: string
  reason: string
}

/**
 * Advances by `balanceText`, oldest first: as they are now, of one payee or of all; or as they were when the statements of a
 * period were made.
 */
export async function findAdvances(
  db: DbOrTx,
  which: { only?: PayeeKey | undefined } | { periodId: number },
): Promise<ReadonlyMap<string, Advance[]>> {
  const until =
    'periodId' in which
      ? sql`
        join statements as made
          on made.payee_kind = advance.payee_kind and made.payee_id = advance.payee_id
          and made.currency = advance.currency and made.period_id = ${which.periodId}
        join balance_entries as until
          on until.statement_id = made.id and until.kind = 'statement' and until.id > advance.id`
      : sql`cross join (values (9223372036854775807)) as until (id)`
  const only = 'only' in which && which.only
  const { rows } = await sql<BalanceKey & Advance>`
    select
      advance.payee_kind as kind, advance.payee_id as id, advance.currency, advance.proposal_id as "proposalId",
      advance.amount as advanced, proposal.instalments, proposal.way, proposal.paid_on as "paidOn",
      proposal.voucher, proposal.reason,
      (
        select count(*) from balance_entries as later
        where later.payee_kind = advance.payee_kind and later.payee_id = advance.payee_id
          and later.currency = advance.currency and later.kind = 'statement'
          and later.id > advance.id and later.id < until.id
      ) as statements,
      (
        select coalesce(-sum(taken.amount), 0)::bigint from balance_entries as taken
        where taken.proposal_id = advance.proposal_id and taken.kind = 'instalment' and taken.id < until.id
      ) as taken,
      (
        select coalesce(-sum(back.amount), 0)::bigint from balance_entries as back
        where back.advance_id = advance.proposal_id and back.kind = 'given back' and back.id < until.id
      ) as "givenBack",
      (
        select coalesce(-sum(gone.amount), 0)::bigint from balance_entries as gone
        where gone.advance_id = advance.proposal_id and gone.kind = 'advance given up' and gone.id < until.id
      ) as "givenUp"
    from balance_entries as advance
    join pay_proposals as proposal on proposal.id = advance.proposal_id
    ${until}
    where advance.kind = 'advance'
      and ${only ? sql`advance.payee_kind = ${only.kind} and advance.payee_id = ${only.id}` : sql`true`}
    order by advance.id
  `.execute(db)
  return Map.groupBy(rows, balanceText)
}

export type Instalment = { proposalId: number; statementId: number; amount: number }

/** Inserts what statements take back, after their own entries. */
export const insertInstalments = (
  tx: Tx,
  instalments: readonly (Instalment & { payee: PayeeKey; currency: Currency })[],
  { madeAt, madeBy }: { madeAt: Date; madeBy: number },
): Promise<void> =>
  insertRows(
    tx,
    'balance_entries',
    instalments.map(({ proposalId, statementId, amount, payee, currency }) => ({
      payee_kind: payee.kind,
      payee_id: payee.id,
      currency,
      amount: -amount,
      kind: 'instalment',
      statement_id: statementId,
      proposal_id: proposalId,
      made_at: madeAt,
      made_by: madeBy,
    })),
  )

/** What the statements of a period took back, by statement. */
export async function findInstalments(
  db: DbOrTx,
  periodId: number,
): Promise<ReadonlyMap<number, Instalment[]>> {
  const { rows } = await sql<Instalment>`
    select entry.proposal_id as "proposalId", entry.statement_id as "statementId", -entry.amount as amount
    from balance_entries as entry
    join statements as statement on statement.id = entry.statement_id
    where entry.kind = 'instalment' and statement.period_id = ${periodId}
    order by entry.proposal_id
  `.execute(db)
  return Map.groupBy(rows, ({ statementId }) => statementId)
}

/** Instalments that are not of their statement, payee and advance, as sentences. */
export async function findInstalmentDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select format('The instalment %s differs from its statement or its advance.', entry.id) as what
    from (select * from balance_entries where kind = 'instalment' and ${isOneOf(only)}) as entry
    left join statements as statement on statement.id = entry.statement_id
    left join pay_periods as period on period.id = statement.period_id
    left join balance_entries as advance
      on advance.proposal_id = entry.proposal_id and advance.kind = 'advance'
    where
      (entry.payee_kind, entry.payee_id, entry.currency, entry.made_at, entry.made_by) is distinct from
      (statement.payee_kind, statement.payee_id, statement.currency, period.closed_at, period.closed_by)
      or (entry.payee_kind, entry.payee_id, entry.currency) is distinct from
      (advance.payee_kind, advance.payee_id, advance.currency)
      or entry.run_line_id is not null or entry.id < advance.id
    order by entry.id
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => what)
}
