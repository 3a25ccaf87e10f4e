import type { Day } from '@tallyroom/domain/new-york'
import { ADJUSTMENT_LIMITS, type AdjustmentLimit } from '@tallyroom/domain/pay-limits'
import type { CountsAs, Currency, OutsideWay, PayeeKind, ReceivedWay } from '@tallyroom/domain/pay'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { insertSealed, insertSealedRows } from '../../seals/index.ts'
import type { BalanceKey } from './balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

type Entered = {
  id: number
  /** Why it was entered; the source of an exchange rate. */
  reason: string
  /** Why it waits, in a sentence. */
  why: string
  madeAt: Date
  madeBy: { id: number; name: string }
}

/** An amount of a payee's balance in a currency. */
type OfBalance = { payee: PayeeKey; currency: Currency; amount: number }

/** What a proposal does once it is approved. */
export type ProposedAct =
  | (OfBalance & {
      kind: 'adjustment'
      countsAs: CountsAs
      oppositeOf: number | null
      /** The agent whose doubtful sales it holds back. */
      heldBackFor: number | null
    })
  | {
      kind: 'exchange rate'
      period: string
      pesosE4: number
      /** The period's exchange rate when it was entered. */
      replaces: number | null
    }
  | (OfBalance & { kind: 'result'; runLineId: number; bankReference: string | null })
  | (OfBalance & { kind: 'return'; runLineId: number; returnedOn: Day })
  | {
      /** That the bank refused a file of a run. */
      kind: 'refused file'
      runId: number
      file: string
      currency: Currency
      /** Of its lines that had no result. */
      amount: number
      /** The bank's day. */
      refusedOn: Day
    }
  | (OfBalance & {
      kind: 'payment outside'
      way: OutsideWay
      paidOn: Day
      voucher: string
      /** What of the amount was not owed yet, and over how many statements it is taken back. */
      advance: { amount: number; instalments: number } | null
    })
  /** What a payee paid back. */
  | (OfBalance & { kind: 'money received'; way: ReceivedWay; paidOn: Day; voucher: string })
  /** Of a balance in a currency that its payee has left. */
  | (OfBalance & { kind: 'correction'; countsAs: CountsAs })
  /** Of all of such a balance, into the other currency. */
  | (OfBalance & { kind: 'conversion'; pesosE4: number })
  | {
      /** At which tax is withheld from what a payee earns, from a day on. */
      kind: 'tax rate'
      payee: PayeeKey
      fromDay: Day
      /** Basis points; 0: none is withheld any more. */
      rateBp: number
      /** Of the kind of income; null with 0. */
      code: string | null
      /** The proposal of the payee's rate that was approved last when it was entered. */
      replaces: number | null
    }
  | {
      kind: 'limits'
      limits: Readonly<Record<Currency, number>>
      /** The proposal of the limits in force when it was entered. */
      replaces: number | null
    }

export type ProposalKind = ProposedAct['kind']
export type Proposal<Kind extends ProposalKind = ProposalKind> = Entered & {
  act: Extract<ProposedAct, { kind: Kind }>
}
export type Decision = {
  kind: 'approved' | 'refused' | 'withdrawn'
  reason: string | null
  madeAt: Date
  madeBy: { id: number; name: string }
}

export async function insertProposal(tx: Tx, one: Omit<Proposal, 'id'>): Promise<number> {
  return insertSealed(tx, 'pay_proposals', {
    ...columnsOf(one.act),
    reason: one.reason,
    why: one.why,
    made_at: one.madeAt,
    made_by: one.madeBy.id,
    made_by_name: one.madeBy.name,
  })
}

function columnsOf(act: ProposedAct) {
  const { kind } = act
  switch (act.kind) {
    case 'adjustment':
      return {
        kind,
        ...balanceColumns(act),
        counts_as: act.countsAs,
        opposite_of: act.oppositeOf,
        held_back_for: act.heldBackFor,
      }
    case 'result':
      return {
        kind,
        ...balanceColumns(act),
        run_line_id: act.runLineId,
        bank_reference: act.bankReference,
      }
    case 'return':
      return {
        kind,
        ...balanceColumns(act),
        run_line_id: act.runLineId,
        returned_on: act.returnedOn,
      }
    case 'refused file':
      return {
        kind,
        currency: act.currency,
        amount: act.amount,
        run_id: act.runId,
        file_name: act.file,
        refused_on: act.refusedOn,
      }
    case 'correction':
      return { kind, ...balanceColumns(act), counts_as: act.countsAs }
    case 'conversion':
      return { kind, ...balanceColumns(act), pesos_e4: act.pesosE4 }
    case 'payment outside':
      return {
        kind,
        ...balanceColumns(act),
        way: act.way,
        paid_on: act.paidOn,
        voucher: act.voucher,
        advanced: act.advance?.amount ?? null,
        instalments: act.advance?.instalments ?? null,
      }
    case 'money received':
      return {
        kind,
        ...balanceColumns(act),
        way: act.way,
        paid_on: act.paidOn,
        voucher: act.voucher,
      }
    case 'tax rate':
      return {
        kind,
        ...payeeColumns(act.payee),
        from_day: act.fromDay,
        tax_bp: act.rateBp,
        tax_code: act.code,
        replaces: act.replaces,
      }
    case 'exchange rate':
      return { kind, period: act.period, pesos_e4: act.pesosE4, replaces: act.replaces }
    case 'limits':
      return {
        kind,
        limit_centavos: act.limits.PHP,
        limit_cents: act.limits.USD,
        replaces: act.replaces,
      }
  }
}

const payeeColumns = ({ kind, id }: PayeeKey) => ({ payee_kind: kind, payee_id: id })

const balanceColumns = (act: OfBalance) => ({
  ...payeeColumns(act.payee),
  currency: act.currency,
  amount: act.amount,
})

/** `pay_proposals__content` says which columns are present. */
function proposalOf(row: Selectable<DB['pay_proposals']>): Proposal {
  const payee = { kind: row.payee_kind as PayeeKind, id: row.payee_id ?? 0 }
  const balance = { payee, currency: row.currency as Currency, amount: row.amount ?? 0 }
  const countsAs = (row.counts_as ?? 'earned') as CountsAs // pay_proposals__counts_as
  const actOf = (): ProposedAct => {
    switch (row.kind as ProposalKind) {
      case 'adjustment':
        return {
          kind: 'adjustment',
          ...balance,
          countsAs,
          oppositeOf: row.opposite_of,
          heldBackFor: row.held_back_for,
        }
      case 'result':
        return {
          kind: 'result',
          ...balance,
          runLineId: row.run_line_id ?? 0,
          bankReference: row.bank_reference,
        }
      case 'return':
        return {
          kind: 'return',
          ...balance,
          runLineId: row.run_line_id ?? 0,
          returnedOn: row.returned_on ?? '',
        }
      case 'refused file':
        return refusedFileOf(row, balance)
      case 'correction':
        return { kind: 'correction', ...balance, countsAs }
      case 'conversion':
        return { kind: 'conversion', ...balance, pesosE4: row.pesos_e4 ?? 0 }
      case 'payment outside':
        return paymentOutsideOf(row, balance)
      case 'money received':
        return moneyReceivedOf(row, balance)
      case 'tax rate':
        return {
          kind: 'tax rate',
          payee,
          fromDay: row.from_day ?? '',
          rateBp: row.tax_bp ?? 0,
          code: row.tax_code,
          replaces: row.replaces,
        }
      case 'exchange rate':
        return {
          kind: 'exchange rate',
          period: row.period ?? '',
          pesosE4: row.pesos_e4 ?? 0,
          replaces: row.replaces,
        }
      case 'limits':
        return {
          kind: 'limits',
          limits: { PHP: row.limit_centavos ?? 0, USD: row.limit_cents ?? 0 },
          replaces: row.replaces,
        }
    }
  }
  return {
    id: row.id,
    act: actOf(),
    reason: row.reason,
    why: row.why,
    madeAt: row.made_at,
    madeBy: { id: row.made_by, name: row.made_by_name },
  }
}

/** `pay_proposals__way` says which ways there are. */
const paymentOutsideOf = (
  row: Selectable<DB['pay_proposals']>,
  balance: OfBalance,
): ProposedAct => ({
  kind: 'payment outside',
  ...balance,
  ...voucherOf(row),
  way: row.way as OutsideWay,
  advance:
    row.advanced === null ? null : { amount: row.advanced, instalments: row.instalments ?? 1 },
})

const moneyReceivedOf = (
  row: Selectable<DB['pay_proposals']>,
  balance: OfBalance,
): ProposedAct => ({
  kind: 'money received',
  ...balance,
  ...voucherOf(row),
  way: row.way as ReceivedWay,
})

const voucherOf = (row: Selectable<DB['pay_proposals']>) => ({
  paidOn: row.paid_on ?? '',
  voucher: row.voucher ?? '',
})

const refusedFileOf = (
  row: Selectable<DB['pay_proposals']>,
  { currency, amount }: Omit<OfBalance, 'payee'>,
): ProposedAct => ({
  kind: 'refused file',
  runId: row.run_id ?? 0,
  file: row.file_name ?? '',
  currency,
  amount,
  refusedOn: row.refused_on ?? '',
})

/** Those that wait, oldest first. */
export async function findWaitingProposals(db: DbOrTx): Promise<Proposal[]> {
  const rows = await db
    .selectFrom('pay_proposals as proposal')
    .leftJoin('pay_proposal_decisions as decision', 'decision.proposal_id', 'proposal.id')
    .selectAll('proposal')
    .where('decision.proposal_id', 'is', null)
    .orderBy('proposal.id')
    .execute()
  return rows.map(proposalOf)
}

/** Those of one kind that wait, oldest first. */
export const findWaitingOf = async <Kind extends ProposalKind>(
  db: DbOrTx,
  kind: Kind,
): Promise<Proposal<Kind>[]> =>
  (await findWaitingProposals(db)).filter((one): one is Proposal<Kind> => one.act.kind === kind)

/** That the bank refused a file of a run, as somebody entered it, or as its message said. */
export type RefusedFile = {
  file: string
  /** The bank's day. */
  on: Day
  by: string
  reason: string
  /** Whether a second person has yet to approve it. */
  waits: boolean
  /** Whether the bank's message said it. */
  byMessage: boolean
}

/** The files of a run that the bank refused, as somebody entered it: approved or waiting, oldest first. */
export async function findRefusedFiles(db: DbOrTx, runId: number): Promise<RefusedFile[]> {
  const rows = await db
    .selectFrom('pay_proposals as proposal')
    .leftJoin('pay_proposal_decisions as decision', 'decision.proposal_id', 'proposal.id')
    .selectAll('proposal')
    .select('decision.decision')
    .where('proposal.kind', '=', 'refused file')
    .where('proposal.run_id', '=', runId)
    .where((eb) =>
      eb.or([eb('decision.decision', 'is', null), eb('decision.decision', '=', 'approved')]),
    )
    .orderBy('proposal.id')
    .execute()
  return rows.map(({ file_name, refused_on, made_by_name, reason, decision }) => ({
    file: file_name ?? '', // pay_proposals__content
    on: refused_on ?? '',
    by: made_by_name,
    reason,
    waits: decision === null,
    byMessage: false,
  }))
}

/** Newest decision first. */
export async function findDecidedProposals(
  db: DbOrTx,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ items: (Proposal & { decision: Decision })[]; total: number }> {
  const decided = db
    .selectFrom('pay_proposals as proposal')
    .innerJoin('pay_proposal_decisions as decision', 'decision.proposal_id', 'proposal.id')
  const rows = await decided
    .selectAll('proposal')
    .select([
      'decision.decision',
      'decision.reason as decision_reason',
      'decision.made_at as decided_at',
      'decision.made_by as decided_by',
      'decision.made_by_name as decided_by_name',
    ])
    .orderBy('decision.made_at', 'desc')
    .orderBy('proposal.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await decided
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    total,
    items: rows.map((row) => ({
      ...proposalOf(row),
      decision: {
        kind: row.decision as Decision['kind'], // pay_proposal_decisions__decision
        reason: row.decision_reason,
        madeAt: row.decided_at,
        madeBy: { id: row.decided_by, name: row.decided_by_name },
      },
    })),
  }
}

/** A proposal, and what became of it; undefined if there is none. */
export async function findProposal(
  db: DbOrTx,
  id: number,
): Promise<(Proposal & { decided: { kind: Decision['kind']; by: string } | null }) | undefined> {
  const row = await db
    .selectFrom('pay_proposals as proposal')
    .leftJoin('pay_proposal_decisions as decision', 'decision.proposal_id', 'proposal.id')
    .selectAll('proposal')
    .select(['decision.decision', 'decision.made_by_name as decided_by_name'])
    .where('proposal.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { decision, decided_by_name } = row
  return {
    ...proposalOf(row),
    decided:
      decision === null ? null : { kind: decision as Decision['kind'], by: decided_by_name ?? '' },
  }
}

/** Violates `pay_proposal_decisions__pk` if it was decided before. @param madeId the row that approving made */
export const insertProposalDecision = (
  tx: Tx,
  proposalId: number,
  { kind, reason, madeAt, madeBy }: Decision,
  madeId: number | null,
): Promise<void> =>
  insertSealedRows(tx, 'pay_proposal_decisions', {
    proposal_id: proposalId,
    decision: kind,
    reason,
    made_id: madeId,
    made_at: madeAt,
    made_by: madeBy.id,
    made_by_name: madeBy.name,
  })

/** The adjustments that a second person approved: `adjustment_id` and `made_by_name`. */
export const adjustmentApprovals = sql`
  select decision.made_id as adjustment_id, decision.made_by_name
  from pay_proposal_decisions as decision
  join pay_proposals as proposal on proposal.id = decision.proposal_id
  where proposal.kind = 'adjustment' and decision.decision = 'approved'
`

/**
 * The limits in force: those that two people chose last, with the id of their proposal. One that is approved replaces the
 * limits in force when it was entered, so they follow each other in the order of their ids.
 */
export async function findAdjustmentLimits(
  db: DbOrTx,
): Promise<{ limits: Readonly<Record<Currency, number>>; proposalId: number | null }> {
  const last = await db
    .selectFrom('pay_proposals as proposal')
    .innerJoin('pay_proposal_decisions as decision', 'decision.proposal_id', 'proposal.id')
    .select(['proposal.id', 'proposal.limit_centavos', 'proposal.limit_cents'])
    .where('proposal.kind', '=', 'limits')
    .where('decision.decision', '=', 'approved')
    .orderBy('proposal.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return { limits: ADJUSTMENT_LIMITS, proposalId: null }
  const { id, limit_centavos: PHP, limit_cents: USD } = last
  return { limits: { PHP: PHP ?? 0, USD: USD ?? 0 }, proposalId: id }
}

/**
 * What of a payee's adjustments counts against the limit: those that are on no statement and that nobody approved. One
 * that its author took back themselves counts no more.
 */
export async function findAdjustmentLimit(
  db: DbOrTx,
  { kind, id, currency }: BalanceKey,
): Promise<AdjustmentLimit> {
  const { limits } = await findAdjustmentLimits(db)
  const { rows } = await sql<{ added: number; subtracted: number }>`
    with alone as (
      select adjustment.id, adjustment.amount, adjustment.opposite_of, adjustment.made_by
      from adjustments as adjustment
      left join booked_adjustments as booked on booked.adjustment_id = adjustment.id
      left join (${adjustmentApprovals}) as approval on approval.adjustment_id = adjustment.id
      where adjustment.payee_kind = ${kind} and adjustment.payee_id = ${id}
        and adjustment.currency = ${currency}
        and booked.adjustment_id is null and approval.adjustment_id is null
    )
    select
      coalesce(sum(alone.amount) filter (where alone.amount > 0), 0)::bigint as added,
      coalesce(-sum(alone.amount) filter (where alone.amount < 0), 0)::bigint as subtracted
    from alone
    left join alone as other on other.id = alone.opposite_of or other.opposite_of = alone.id
    where other.id is null or other.made_by <> alone.made_by
  `.execute(db)
  const { added = 0, subtracted = 0 } = rows[0] ?? {}
  return { limit: limits[currency], added, subtracted }
}
