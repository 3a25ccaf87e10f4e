import { sql } from 'kysely'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { settle } from './settle.ts'
import type { BalanceKey } from './balances.queries.ts'
import type { Proposal, ProposedAct } from './proposals.queries.ts'

type Voucher = Pick<
  Extract<ProposedAct, { kind: 'payment outside' | 'money received' }>,
  'kind' | 'payee' | 'way' | 'voucher'
>

/** Who entered the same of this payee with the same voucher before, and whether it was approved. Not those that were refused. */
export async function findSameVoucher(db: DbOrTx, { kind, payee, way, voucher }: Voucher) {
  const { rows } = await sql<{ by: string; approved: boolean }>`
    select proposal.made_by_name as by, decision.decision is not null as approved
    from pay_proposals as proposal
    left join pay_proposal_decisions as decision on decision.proposal_id = proposal.id
    where proposal.kind = ${kind} and proposal.payee_kind = ${payee.kind}
      and proposal.payee_id = ${payee.id} and proposal.way = ${way}
      and lower(proposal.voucher) = lower(${voucher})
      and coalesce(decision.decision, 'approved') = 'approved'
    order by approved desc, proposal.id
  `.execute(db)
  return rows
}

/**
 * Inserts the entries of an approved proposal, and what they settle, under `lockBalances`. They bear the name of whoever
 * entered it.
 */
export async function insertApprovedEntries(
  tx: Tx,
  { id, madeBy }: Pick<Proposal, 'id' | 'madeBy'>,
  entries: readonly (BalanceKey & {
    amount: number
    entryKind:
      | 'outside'
      | 'correction'
      | 'conversion'
      | 'advance'
      | 'received'
      | 'given back'
      | 'given up'
    /** The proposal of the advance that is given back. */
    advanceId?: number
  })[],
): Promise<void> {
  await insertRows(
    tx,
    'balance_entries',
    entries.map((entry) => ({
      payee_kind: entry.kind,
      payee_id: entry.id,
      currency: entry.currency,
      amount: entry.amount,
      kind: entry.entryKind,
      proposal_id: id,
      advance_id: entry.advanceId ?? null,
      made_at: tx.now,
      made_by: madeBy.id,
    })),
  )
  await settle(tx, entries)
}
