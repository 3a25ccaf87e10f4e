import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { payProposalsEndpoints, WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import {
  findDecidedProposals,
  findWaitingProposals,
  type Proposal,
} from '../ledger/proposals.queries.ts'
import { findPayeeNames, payeeText } from '../terms/payees.queries.ts'
import { findNumbersOfRuns, findRunOfLines } from '../runs/payment-runs.queries.ts'
import { actOf } from './acts-of-two.ts'
import type { NamesOfActs } from '../proposals/act-of-two.ts'
import { findProposalApprovers } from '../proposals/proposal-approvers.ts'

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
        outdated: (await actOf(proposal).whyOutdated(db, proposal)) ?? null,
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
  const payees = await findPayeeNames(
    db,
    acts.flatMap((act) => [
      ...('payee' in act ? [act.payee] : []),
      ...('heldBackFor' in act && act.heldBackFor !== null
        ? [{ kind: 'agent' as const, id: act.heldBackFor }]
        : []),
    ]),
  )
  const runs = await findRunOfLines(
    db,
    acts.flatMap((act) => ('runLineId' in act ? [act.runLineId] : [])),
  )
  const numbers = await findNumbersOfRuns(
    db,
    acts.flatMap((act) => ('runId' in act ? [act.runId] : [])),
  )
  const names: NamesOfActs = {
    payee: (payee) => ({ ...payee, name: payees.get(payeeText(payee)) ?? '' }),
    transfer(runLineId) {
      const { reference = '', ...run } = runs.get(runLineId) ?? { id: 0, number: '' }
      return { run, reference }
    },
    run: (id) => ({ id, number: numbers.get(id) ?? '' }),
  }
  return (proposal) => ({
    id: proposal.id,
    does: actOf(proposal).present(proposal.act, names),
    reason: proposal.reason,
    why: proposal.why,
    by: proposal.madeBy.name,
    at: proposal.madeAt.toISOString(),
  })
}
