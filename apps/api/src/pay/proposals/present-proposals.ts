import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { payProposalsEndpoints, WaitingProposal } from '@tallyroom/contract/pay/proposals'
import { convert } from '@tallyroom/domain/conversion'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import {
  findDecidedProposals,
  findWaitingProposals,
  type Proposal,
} from '../periods/proposals.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../periods/payees.queries.ts'
import { findRunOfLines } from '../runs/payment-runs.queries.ts'
import { whyOutdated } from './carry-out.ts'
import { findProposalApprovers } from './proposal-approvers.ts'

type Calls = typeof payProposalsEndpoints

export async function listWaiting(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<WaitingProposal[]> {
  const proposals = await findWaitingProposals(db)
  const approversOf = await findProposalApprovers(db, nowOf(db), proposals)
  const present = await presenter(db, proposals)
  return Promise.all(
    proposals.map(async (proposal) => {
      const approvers = approversOf(proposal)
      return {
        ...present(proposal),
        outdated: (await whyOutdated(db, proposal)) ?? null,
        isYours: proposal.madeBy.id === viewer.accountId,
        approvers: approvers.map(({ name, whyNot, from }) => ({
          name,
          whyNot,
          from: from?.toISOString() ?? null,
        })),
        whyYouCannotApprove: approvers.find(({ id }) => id === viewer.accountId)?.whyNot ?? null,
      }
    }),
  )
}

export async function listDecided(
  db: DbOrTx,
  page: RequestOf<Calls['decidedPayProposals']>['query'],
): Promise<AnswerOf<Calls['decidedPayProposals']>> {
  const { items, total } = await findDecidedProposals(db, page)
  const present = await presenter(db, items)
  return {
    total,
    items: items.map(({ decision: { kind, reason, madeAt, madeBy }, ...proposal }) => ({
      ...present(proposal),
      decision: { kind, reason, by: madeBy.name, at: madeAt.toISOString() },
    })),
  }
}

/** How many a viewer can approve as a second person, and since when the oldest of them waits. */
export async function countProposalsToApprove(
  db: DbOrTx,
  now: Date,
  accountId: number,
): Promise<{ count: number; since: Date | null }> {
  const proposals = await findWaitingProposals(db)
  const approversOf = await findProposalApprovers(db, now, proposals)
  const mine = proposals.filter((proposal) =>
    approversOf(proposal).some(({ id, whyNot }) => id === accountId && whyNot === null),
  )
  return { count: mine.length, since: mine[0]?.madeAt ?? null }
}

type Shown = Pick<WaitingProposal, 'id' | 'does' | 'reason' | 'why' | 'by' | 'at'>

/** With the names of payees and runs, read once for all proposals. */
async function presenter(
  db: DbOrTx,
  proposals: readonly Proposal[],
): Promise<(proposal: Proposal) => Shown> {
  const acts = proposals.map(({ act }) => act)
  const names = await findPayeeNames(
    db,
    acts.flatMap((act) => [
      ...('payee' in act ? [act.payee] : []),
      ...(act.kind === 'adjustment' ? agentOf(act) : []),
    ]),
  )
  const runs = await findRunOfLines(
    db,
    acts.flatMap((act) => ('runLineId' in act ? [act.runLineId] : [])),
  )
  const doesOf = ({ act }: Proposal): WaitingProposal['does'] => {
    if (act.kind === 'exchange rate' || act.kind === 'limits') return act
    const payee = { ...act.payee, name: names.get(payeeText(act.payee)) ?? '' }
    if (act.kind === 'tax rate') {
      const { kind, fromDay, rateBp, code } = act
      return { kind, payee, fromDay, rateBp, code }
    }
    const { currency, amount } = act
    if (act.kind === 'adjustment')
      return {
        kind: act.kind,
        payee,
        currency,
        amount,
        takesBack: act.oppositeOf !== null,
        heldBackFor: agentOf(act).map((agent) => names.get(payeeText(agent)) ?? '')[0] ?? null,
      }
    if (act.kind === 'correction') return { kind: act.kind, payee, currency, amount }
    if (act.kind === 'conversion') {
      const { kind, pesosE4 } = act
      const converted = convert(amount, currency, pesosE4)
      return { kind, payee, currency, amount, pesosE4, converted }
    }
    if (act.kind === 'payment outside') {
      const { kind, way, paidOn, voucher, advance } = act
      return { kind, payee, currency, amount, way, paidOn, voucher, advance }
    }
    const { reference = '', ...run } = runs.get(act.runLineId) ?? { id: 0, number: '' }
    const transfer = { payee, currency, amount, run, reference }
    return act.kind === 'return'
      ? { kind: act.kind, ...transfer, returnedOn: act.returnedOn }
      : { kind: act.kind, ...transfer }
  }
  return (proposal) => ({
    id: proposal.id,
    does: doesOf(proposal),
    reason: proposal.reason,
    why: proposal.why,
    by: proposal.madeBy.name,
    at: proposal.madeAt.toISOString(),
  })
}

const agentOf = ({ heldBackFor }: { heldBackFor: number | null }): PayeeKey[] =>
  heldBackFor === null ? [] : [{ kind: 'agent', id: heldBackFor }]
