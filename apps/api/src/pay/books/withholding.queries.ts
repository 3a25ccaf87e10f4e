import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import type { Day } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isOneOf } from '../ledger/balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** A closed statement at whose last day a rate of tax was in force. */
export type TaxedStatement = PayeeKey & {
  number: string
  currency: Currency
  lastDay: Day
  /** The name of its period. */
  period: string
  tax: NonNullable<StatementContent['tax']>
}

/** Those of periods that end on these days, of these payees or of all, oldest first. */
export async function findTaxedStatements(
  db: DbOrTx,
  only: readonly PayeeKey[] | undefined,
  days?: DateRange,
): Promise<TaxedStatement[]> {
  const { rows } = await sql<TaxedStatement>`
    -- First those of payees with a rate, because contents are long.
    with candidate as materialized (
      select statement.id, period.end_day, period.name
      from statements as statement
      join pay_periods as period on period.id = statement.period_id
      where ${days ? sql`period.end_day between ${days.start} and ${days.end}` : sql`true`}
        and ${isOneOf(only)}
        and exists (
          select from pay_proposals as rate
          where rate.kind = 'tax rate' and rate.from_day <= period.end_day
            and (rate.payee_kind, rate.payee_id) = (statement.payee_kind, statement.payee_id)
        )
    )
    select
      statement.number, statement.payee_kind as kind, statement.payee_id as id, statement.currency,
      candidate.end_day as "lastDay", candidate.name as period, convert_from(statement.content, 'UTF8')::jsonb -> 'tax' as tax
    from candidate
    join statements as statement on statement.id = candidate.id
    -- Within texts, JSON has no quotation mark without a backslash.
    where position(${Buffer.from('"tax":{')}::bytea in statement.content) > 0
    order by candidate.end_day, statement.number
  `.execute(db)
  return rows
}

/** The last days of the periods whose statements withheld tax, or gave some back. */
export async function findTaxedDays(db: DbOrTx): Promise<Day[]> {
  const { rows } = await sql<{ day: Day }>`
    select distinct period.end_day as day
    from balance_entries as entry
    join statements as statement on statement.id = entry.statement_id
    join pay_periods as period on period.id = statement.period_id
    where entry.kind = 'tax'
  `.execute(db)
  return rows.map(({ day }) => day)
}
