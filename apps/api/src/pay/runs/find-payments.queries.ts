import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { startsWith } from '../../db/list-query.ts'

export type FoundRun = { id: number; number: string; preparedAt: Date; preparedBy: string }

/** The newest runs whose numbers begin with the text, in upper or lower case. There are a few each month. */
export async function findRunsNumbered(
  db: DbOrTx,
  beginning: string,
  limit: number,
): Promise<FoundRun[]> {
  const { rows } = await sql<FoundRun>`
    select id, number, prepared_at as "preparedAt", prepared_by_name as "preparedBy"
    from payment_runs as run
    where ${startsWith(sql`run.number`, beginning)}
    order by id desc
    limit ${limit}
  `.execute(db)
  return rows
}

export type FoundPayment = {
  reference: string
  bankReference: string | null
  runId: number
  run: string
  kind: PayeeKind
  payeeId: number
  payee: string
  currency: Currency
  /** Centavos or cents. */
  amount: number
  /** Null without a result. */
  paid: boolean | null
  /** Whether it was paid and came back. */
  returned: boolean
}

/**
 * Payments by our reference or the bank's, in upper or lower case. Payees find those to themselves, once there is a
 * result.
 */
export async function findPaymentsNamed(
  db: DbOrTx,
  scope: Scope,
  reference: string,
  limit: number,
): Promise<FoundPayment[]> {
  const { rows } = await sql<FoundPayment>`
    with named as (
      select id from payment_run_lines where lower(reference) collate "C" = lower(${reference})
      union
      select run_line_id from payment_results
      where lower(bank_reference) collate "C" = lower(${reference})
    )
    select
      line.reference, result.bank_reference as "bankReference", run.id as "runId", run.number as run,
      line.payee_kind as kind, line.payee_id as "payeeId", line.payee_name as payee, line.currency,
      line.amount, result.paid, returned.run_line_id is not null as returned
    from named
    join payment_run_lines as line on line.id = named.id
    join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    where ${isPaidTo(scope)}
    order by line.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

function isPaidTo(scope: Scope) {
  switch (scope.sees) {
    case 'everything':
      return sql`true`
    case 'office':
      return sql`line.payee_kind = 'office' and line.payee_id = ${scope.officeId} and result.paid is not null`
    case 'agent':
      return sql`line.payee_kind = 'agent' and line.payee_id = ${scope.agentId} and result.paid is not null`
  }
}
