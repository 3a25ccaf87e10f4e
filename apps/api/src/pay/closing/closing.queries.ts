import type { Currency, PayeeKind, PayPeriod } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { type AdjustmentRow, countsAsOf } from '../ledger/adjustments.queries.ts'
import type { ExchangeRate, Settings } from '../terms/settings.queries.ts'
import type { StatementRow } from '../statements/statements.queries.ts'

export type UnbookedAdjustment = Omit<
  AdjustmentRow,
  'madeById' | 'approvedBy' | 'oppositeOf' | 'takenBackBy' | 'statementId' | 'heldBackFor'
>

/** Adjustments that are on no statement yet. */
export const findUnbookedAdjustments = (db: DbOrTx): Promise<UnbookedAdjustment[]> =>
  db
    .selectFrom('adjustments as adjustment')
    .leftJoin('booked_adjustments as booked', 'booked.adjustment_id', 'adjustment.id')
    .select([
      'adjustment.id',
      'adjustment.payee_kind as kind',
      'adjustment.payee_id as payeeId',
      'adjustment.currency',
      'adjustment.amount',
      'adjustment.reason',
      countsAsOf('adjustment').as('countsAs'),
      'adjustment.made_at as madeAt',
      'adjustment.made_by_name as madeBy',
    ])
    .where('booked.adjustment_id', 'is', null)
    .orderBy('adjustment.id')
    .$narrowType<{ kind: PayeeKind; currency: Currency }>()
    .execute()

/** Inserts a closed period, which is sealed at the end. Violates `pay_periods__name` if it was closed before. */
export async function insertPeriod(
  tx: Tx,
  period: PayPeriod,
  {
    settings,
    rate,
    closedAt,
    closedBy,
  }: {
    settings: Settings
    rate: ExchangeRate | undefined
    closedAt: Date
    closedBy: { id: number; name: string }
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('pay_periods')
    .values({
      name: period.name,
      start_day: period.start,
      end_day: period.end,
      payees: settings.payees,
      period_length: period.length,
      avp: settings.avp,
      pesos_e4: rate?.pesosE4 ?? null,
      pesos_source: rate?.source ?? null,
      pesos_set_by: rate?.setById ?? null,
      closed_at: closedAt,
      closed_by: closedBy.id,
      closed_by_name: closedBy.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type NewStatement = Omit<
  StatementRow,
  'id' | 'period' | 'periodId' | 'closedAt' | 'withheld' | 'due'
>

/** Inserts statements and their balance entries. Returns the statements' ids by number. */
export async function insertStatements(
  tx: Tx,
  statements: readonly NewStatement[],
  { periodId, madeAt, madeBy }: { periodId: number; madeAt: Date; madeBy: number },
): Promise<Map<string, number>> {
  const inserted = []
  for (let at = 0; at < statements.length; at += AT_ONCE) {
    const rows = await tx
      .insertInto('statements')
      .values(
        statements.slice(at, at + AT_ONCE).map((statement) => ({
          number: statement.number,
          period_id: periodId,
          payee_kind: statement.kind,
          payee_id: statement.payeeId,
          payee_name: statement.payeeName,
          currency: statement.currency,
          amount: statement.amount,
          not_income: statement.notIncome,
          carried: statement.carried,
          minimum: statement.minimum,
          document_serial: statement.documentSerial,
          paid_from: statement.paidFrom,
          content: statement.content,
          content_hash: statement.contentHash,
        })),
      )
      .returning(['id', 'number', 'payee_kind', 'payee_id', 'currency', 'amount'])
      .execute()
    inserted.push(...rows)
  }
  await insertRows(
    tx,
    'balance_entries',
    inserted.map(({ id, number: _number, ...statement }) => ({
      ...statement,
      kind: 'statement',
      statement_id: id,
      made_at: madeAt,
      made_by: madeBy,
    })),
  )
  return new Map(inserted.map(({ id, number }) => [number, id]))
}

export async function insertBookedAdjustments(
  tx: Tx,
  booked: readonly { adjustmentId: number; statementId: number }[],
): Promise<void> {
  if (booked.length === 0) return
  await sql`
    insert into booked_adjustments (adjustment_id, statement_id)
    select *
    from unnest(
      ${booked.map(({ adjustmentId }) => adjustmentId)}::bigint[],
      ${booked.map(({ statementId }) => statementId)}::bigint[]
    ) as booked (adjustment_id, statement_id)
  `.execute(tx)
}

/** Rows for each insert: PostgreSQL allows 65,535 parameters in a statement. */
const AT_ONCE = 1000
