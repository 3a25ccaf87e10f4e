import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import type { CountsAs, Currency } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { insertSealed } from '../../seals/index.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { adjustmentApprovals } from './proposals.queries.ts'
import { paymentDayOf, sentAtOf } from './payment-days.queries.ts'

export type AdjustmentRow = {
  id: number
  kind: PayeeKey['kind']
  payeeId: number
  currency: Currency
  amount: number
  countsAs: CountsAs
  reason: string
  madeAt: Date
  madeBy: string
  madeById: number
  /** Who approved it, if it was above its limit. */
  approvedBy: string | null
  oppositeOf: number | null
  takenBackBy: number | null
  statementId: number | null
  /** The agent whose doubtful sales it holds back. */
  heldBackFor: number | null
}

/** What a row of adjustments or proposals counts as. Nobody was asked before there was another answer than `earned`. */
export const countsAsOf = (row: string) =>
  sql<CountsAs>`coalesce(${sql.ref(`${row}.counts_as`)}, 'earned')`

/** Newest first. */
export const findAdjustments = (db: DbOrTx, payee: PayeeKey): Promise<AdjustmentRow[]> =>
  selectAdjustments(
    db,
    sql`adjustment.payee_kind = ${payee.kind} and adjustment.payee_id = ${payee.id}`,
  )

export async function findAdjustment(db: DbOrTx, id: number): Promise<AdjustmentRow | undefined> {
  const [row] = await selectAdjustments(db, sql`adjustment.id = ${id}`)
  return row
}

/** What is held back for these agents and was not taken back, oldest first. */
export const findHeldBack = async (
  db: DbOrTx,
  agentIds: readonly number[],
): Promise<AdjustmentRow[]> =>
  (
    await selectAdjustments(
      db,
      sql`adjustment.held_back_for = any(${agentIds}::bigint[]) and opposite.id is null`,
    )
  ).toReversed()

/** The adjustments on the statements of a period. */
export const findBookedAdjustments = (db: DbOrTx, periodId: number): Promise<AdjustmentRow[]> =>
  selectAdjustments(
    db,
    sql`booked.statement_id in (select id from statements where period_id = ${periodId})`,
  )

/** What no statement lists yet, but for what was taken back and what takes back. */
export const findOpenAdjustments = (db: DbOrTx): Promise<AdjustmentRow[]> =>
  selectAdjustments(
    db,
    sql`booked.adjustment_id is null and adjustment.opposite_of is null and opposite.id is null`,
  )

async function selectAdjustments(
  db: DbOrTx,
  condition: ReturnType<typeof sql>,
): Promise<AdjustmentRow[]> {
  const { rows } = await sql<AdjustmentRow>`
    select
      adjustment.id, adjustment.payee_kind as kind, adjustment.payee_id as "payeeId",
      adjustment.currency, adjustment.amount, ${countsAsOf('adjustment')} as "countsAs",
      adjustment.reason, adjustment.made_at as "madeAt",
      adjustment.made_by_name as "madeBy", adjustment.made_by as "madeById",
      approval.made_by_name as "approvedBy", adjustment.opposite_of as "oppositeOf",
      opposite.id as "takenBackBy", booked.statement_id as "statementId",
      adjustment.held_back_for as "heldBackFor"
    from adjustments as adjustment
    left join adjustments as opposite on opposite.opposite_of = adjustment.id
    left join booked_adjustments as booked on booked.adjustment_id = adjustment.id
    left join (${adjustmentApprovals}) as approval on approval.adjustment_id = adjustment.id
    where ${condition}
    order by adjustment.id desc
  `.execute(db)
  return rows
}

type NewAdjustment = {
  payee: PayeeKey
  currency: Currency
  amount: number
  countsAs: CountsAs
  reason: string
  oppositeOf?: number | null
  heldBackFor?: number | null
  madeAt: Date
  madeBy: { id: number; name: string }
}

/** Violates `adjustments__opposite_of` if the adjustment was reversed before. */
export async function insertAdjustment(tx: Tx, one: NewAdjustment): Promise<number> {
  return insertSealed(tx, 'adjustments', {
    payee_kind: one.payee.kind,
    payee_id: one.payee.id,
    currency: one.currency,
    amount: one.amount,
    counts_as: one.countsAs,
    reason: one.reason,
    opposite_of: one.oppositeOf ?? null,
    held_back_for: one.heldBackFor ?? null,
    made_at: one.madeAt,
    made_by: one.madeBy.id,
    made_by_name: one.madeBy.name,
  })
}

type BalanceEntry = Balance['entries'][number]
type EntryPayment = NonNullable<BalanceEntry['payment']>

export type Entry = RowOf<Omit<BalanceEntry, 'payment'>, 'madeAt'> & {
  payment:
    | (Omit<EntryPayment, 'institutionName' | 'lastCharacters'> & {
        institution: string | null
        lastCharacters: string | null
      })
    | null
}

/** Every entry of a payee's balances, with the running balance, newest first. */
export async function findEntries(db: DbOrTx, payee: PayeeKey): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select
      entry.id, entry.kind, entry.currency, entry.amount,
      sum(entry.amount) over (partition by entry.currency order by entry.id)::bigint as balance,
      entry.made_at as "madeAt", entry.statement_id as "statementId",
      coalesce(statement.number, run.number) as number, run.id as "runId",
      case entry.kind
        when 'failed' then result.reason
        when 'returned' then returned.reason
        else proposal.reason
      end as reason,
      case when entry.kind = 'conversion' then proposal.pesos_e4 end as "pesosE4",
      case
        when entry.kind in ('outside', 'advance', 'instalment', 'received')
          or entry.kind = 'given up' and entry.proposal_id is not null then json_build_object(
          'way', proposal.way, 'paidOn', proposal.paid_on, 'voucher', proposal.voucher
        )
        when entry.advance_id is not null then json_build_object(
          'way', advance.way, 'paidOn', advance.paid_on, 'voucher', advance.voucher
        )
      end as outside,
      case entry.kind when 'returned' then returned.returned_on end as "returnedOn",
      case when entry.kind = 'payment' then json_build_object(
        'state',
        case
          when returned.run_line_id is not null then 'returned'
          when result.paid then 'paid'
          when result.paid is false then 'failed'
          when cancelled.run_id is not null then 'cancelled'
          when ${sentAtOf(sql`line`)} is not null then 'sent'
          else 'approved'
        end,
        'bankReference', result.bank_reference, 'part', line.part,
        'isPart', line.part_reason is not null, 'executionDay', ${paymentDayOf(sql`line`, sql`run`)},
        'institution', account.institution, 'lastCharacters', account.last_characters
      ) end as payment
    from balance_entries as entry
    left join statements as statement on statement.id = entry.statement_id
    left join pay_proposals as proposal on proposal.id = entry.proposal_id
    left join pay_proposals as advance on advance.id = entry.advance_id
    left join payment_run_lines as line on line.id = entry.run_line_id
    left join payment_runs as run on run.id = line.run_id
    left join payment_results as result on result.run_line_id = line.id
    left join payment_returns as returned on returned.run_line_id = line.id
    left join payee_accounts as account on account.id = line.account_id
    left join payment_run_steps as cancelled
      on cancelled.run_id = run.id and cancelled.step = 'cancelled'
    where entry.payee_kind = ${payee.kind} and entry.payee_id = ${payee.id}
    order by entry.id desc
  `.execute(db)
  return rows
}

/** Newest first. */
export async function findHoldHistory(db: DbOrTx, payee: PayeeKey) {
  return db
    .selectFrom('pay_holds')
    .select(['held', 'reason', 'told', 'set_at as setAt', 'set_by_name as setBy'])
    .where('payee_kind', '=', payee.kind)
    .where('payee_id', '=', payee.id)
    .orderBy('id', 'desc')
    .execute()
}

export async function isAgent(db: DbOrTx, id: number): Promise<boolean> {
  const row = await db.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** The agents for whom money is held back, and whether clearing them would still give it back. */
export async function findDoubted(
  db: DbOrTx,
  agentIds: readonly number[],
): Promise<ReadonlyMap<number, { name: string; isDoubted: boolean }>> {
  const { rows } = await sql<{ id: number; name: string; isDoubted: boolean }>`
    select
      agent.id, account.username as name,
      agent.fraud_flagged_at is not null as "isDoubted"
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    where agent.id = any(${agentIds}::integer[])
  `.execute(db)
  return new Map(rows.map(({ id, ...agent }) => [id, agent]))
}
