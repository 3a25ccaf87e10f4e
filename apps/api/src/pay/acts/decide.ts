import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { type FactorServices, type Giver, withFactor } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { lockSealHead } from '../../seals/index.ts'
import { findProposal, insertProposalDecision, type Proposal } from '../ledger/proposals.queries.ts'
import { writeSecondStep } from '../seconds/second-step.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { lockBalances, lockProposals } from '../terms/settings.queries.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { actOf } from './acts-of-two.ts'
import { findProposalApprovers } from '../proposals/proposal-approvers.ts'

type Needed = Pick<Services, 'db'>

/**
 * Approves a proposal and carries it out.
 *
 * @throws NOT_FOUND; FORBIDDEN to whoever entered it, and to whoever is one person with them; CONFLICT if it no longer
 * waits, or can't be carried out any more; FACTOR_NEEDED and what else `writeSecondStep` throws.
 */
export const approveProposal = (
  services: FactorServices,
  viewer: Viewer,
  id: number,
): Promise<void> =>
  withFactor(services, viewer, (giver) =>
    decide(services, viewer, id, async (tx, proposal) => {
      const act = actOf(proposal)
      // Proposals are locked by now.
      if (act.lock === 'balances') await lockBalances(tx)
      await lockSealHead(tx)
      const approvers = (await findProposalApprovers(tx, tx.now, [proposal]))(proposal)
      const approver = approvers.find((one) => one.id === viewer.accountId)
      if (!approver) throw forbidden()
      if (approver.whyNot !== null)
        throw forbidden(`You ${approver.whyNot}. Somebody else must approve it.`)
      await refuseForged(tx, { payees: 'payee' in proposal.act ? [proposal.act.payee] : [] })
      const outdated = await act.whyOutdated(tx, proposal)
      if (outdated !== undefined) throw conflict(`${outdated} It can’t be approved any more.`)
      return { kind: 'approved', giver, madeId: await act.carryOut(tx, proposal, viewer) }
    }),
  )

/**
 * Refuses a proposal. Everybody who may pay can, but for its author: nothing is done, so nothing can be gained by it.
 *
 * @throws NOT_FOUND; FORBIDDEN to its author; CONFLICT if it no longer waits.
 */
export const refuseProposal = (
  needed: Needed,
  viewer: Viewer,
  id: number,
  reason: string,
): Promise<void> =>
  decide(needed, viewer, id, async (_tx, { madeBy }) => {
    if (madeBy.id === viewer.accountId) throw forbidden('You entered it. Withdraw it instead.')
    return { kind: 'refused', reason }
  })

/** @throws NOT_FOUND; FORBIDDEN to everybody but its author; CONFLICT if it no longer waits. */
export const withdrawProposal = (
  needed: Needed,
  viewer: Viewer,
  id: number,
  reason: string,
): Promise<void> =>
  decide(needed, viewer, id, async (_tx, { madeBy }) => {
    if (madeBy.id !== viewer.accountId)
      throw forbidden(`${madeBy.name} entered it. Only they can withdraw it; you can refuse it.`)
    return { kind: 'withdrawn', reason }
  })

type Decided =
  | { kind: 'approved'; giver: Giver; madeId: number | null }
  | { kind: 'refused' | 'withdrawn'; reason: string }

/** Of two decisions at once, the second finds the first. */
function decide(
  services: Needed,
  viewer: Viewer,
  id: number,
  choose: (tx: Tx, proposal: Proposal) => Promise<Decided>,
): Promise<void> {
  refuseSignedInAs(viewer)
  return inTransaction(services.db, async (tx) => {
    await lockProposals(tx)
    const found = await findProposal(tx, id)
    if (!found) throw notFound('proposal')
    const { decided, ...proposal } = found
    if (decided) throw conflict(`${decided.by} has already ${decided.kind} this.`)
    const decision = await choose(tx, proposal)
    if (decision.kind !== 'approved') {
      const madeBy = { id: viewer.accountId, name: viewer.username }
      await insertProposalDecision(tx, id, { ...decision, madeAt: tx.now, madeBy }, null)
      return
    }
    const { giver, madeId } = decision
    await writeSecondStep(tx, giver, { kind: 'proposal', id, madeId })
    await tellPayees(tx, actOf(proposal).tells?.(proposal.act) ?? [], viewer.accountId)
  })
}
