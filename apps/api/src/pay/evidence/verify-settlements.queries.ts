import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isOneOf, type Compared } from '../ledger/balances.queries.ts'
import { emptiesBalance, entriesOf, leavesOf, settlesOf } from '../ledger/settlements.queries.ts'

/**
 * Run lines that settle another sum than their own, or give back another than they settle, as sentences. One that settles nothing
 * yet is none: what an older version left out is stored by the next act, and a settlement that is gone is missed by its seal.
 */
export async function findUnsettledLines(db: DbOrTx, { limit, only }: Compared): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select coalesce(line.reference, 'A line that does not exist') as what
    from (
      select
        run_line_id,
        coalesce(sum(amount) filter (where kind = 'payment'), 0) as paid,
        -sum(amount) filter (where kind <> 'payment') as back
      from settlements
      where run_line_id is not null and ${isOneOf(only)}
      group by run_line_id
    ) as settled
    left join (select * from payment_run_lines where ${isOneOf(only)}) as line
      on line.id = settled.run_line_id
    where settled.paid is distinct from line.amount or settled.back <> settled.paid
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => `${what} settles another amount than its own.`)
}

/**
 * Entries that settle another amount than they took from their balance, as sentences. Those that leave something are owed; for
 * those that settle nothing yet, see {@link findUnsettledLines}.
 */
export async function findUnsettledEntries(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    with entry as (${entriesOf(isOneOf(only))})
    select settled.id
    from (
      select *, ${settlesOf} as settles, ${leavesOf} as leaves
      from entry
      where kind = 'outside' or ${emptiesBalance}
    ) as entry
    right join (
      select
        by_entry_id as id, sum(amount) as amount, min(kind) as kind, bool_and(closes) as closes,
        min(made_at) as made_at, count(distinct (kind, closes, made_at)) as ways
      from settlements
      where by_entry_id is not null and ${isOneOf(only)}
      group by by_entry_id
    ) as settled on settled.id = entry.id
    where (settled.amount, settled.kind, settled.closes, settled.made_at, settled.ways)
      is distinct from (entry.settles, entry.kind, entry.leaves = 0, entry.made_at, 1::bigint)
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => `The balance entry ${id} settles another amount than its own.`)
}

/** Settlements that are not of their run line, their entry, or their statement, as sentences. */
export async function findSettlementDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select settlement.id
    from (select * from settlements where ${isOneOf(only)}) as settlement
    left join statements as statement on statement.id = settlement.statement_id
    left join statements as later on later.id = settlement.into_statement_id
    left join balance_entries as owed on owed.id = settlement.entry_id
    left join payment_run_lines as line on line.id = settlement.run_line_id
    left join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    left join payment_run_steps as cancelled
      on cancelled.run_id = line.run_id and cancelled.step = 'cancelled'
    left join balance_entries as paying on paying.id = settlement.by_entry_id
    where
      ${isOfAnother('statement_id', 'statement')}
      or ${isOfAnother('into_statement_id', 'later')}
      or ${isOfAnother('entry_id', 'owed')}
      or ${isOfAnother('run_line_id', 'line')}
      or ${isOfAnother('by_entry_id', 'paying')}
      or case settlement.kind
        when 'payment' then settlement.made_at is distinct from run.prepared_at
        when 'failed' then result.paid is distinct from false or settlement.made_at is distinct from result.made_at
        when 'returned' then settlement.made_at is distinct from returned.made_at
        when 'cancelled' then line.removed_because is null and cancelled.run_id is null
        else false
      end
      or settlement.run_line_id is not null
        and settlement.closes is distinct from (line.part_reason is null)
    order by settlement.id
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => `Settlement ${id} differs from what it is by or of.`)
}

/** Whether what a settlement names in a column is of another balance, or missing. */
const isOfAnother = (column: string, named: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`settlement.${column}`)} is not null
  and (${sql.ref(`${named}.payee_kind`)}, ${sql.ref(`${named}.payee_id`)}, ${sql.ref(`${named}.currency`)})
    is distinct from (settlement.payee_kind, settlement.payee_id, settlement.currency)
)`
