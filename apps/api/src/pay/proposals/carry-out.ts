import type { DbOrTx, Tx } from '../../db/database.ts'
import { lockBalances } from '../periods/settings.queries.ts'
import { makeProposedAdjustment, whyAdjustmentOutdated } from '../periods/adjust.ts'
import { storeFormer, whyFormerOutdated } from '../periods/former-balance.ts'
import { storePaymentOutside, whyOutsideOutdated } from '../periods/outside.ts'
import type { Proposal } from '../periods/proposals.queries.ts'
import { saveProposedRate, whyLimitsOutdated, whyRateOutdated } from '../periods/settings.ts'
import type { Doer } from '../runs/change-run.ts'
import { whyTaxRateOutdated } from '../periods/tax-rates.ts'
import { storeProposedReturn, whyReturnOutdated } from '../runs/returns.ts'
import { storeProposedFailure, whyFailureOutdated } from '../runs/results.ts'

type Of<Kind extends Proposal['act']['kind']> = Proposal<Kind>

const isOf = <Kind extends Proposal['act']['kind']>(
  proposal: Proposal,
  kind: Kind,
): proposal is Of<Kind> => proposal.act.kind === kind

const isFormer = (proposal: Proposal): proposal is Of<'correction' | 'conversion'> =>
  isOf(proposal, 'correction') || isOf(proposal, 'conversion')

/** Why a proposal can't be approved any more, in a sentence; undefined if it can. */
export async function whyOutdated(db: DbOrTx, proposal: Proposal): Promise<string | undefined> {
  if (isOf(proposal, 'adjustment')) return whyAdjustmentOutdated(db, proposal)
  if (isOf(proposal, 'exchange rate')) return whyRateOutdated(db, proposal)
  if (isOf(proposal, 'result')) return whyFailureOutdated(db, proposal)
  if (isOf(proposal, 'return')) return whyReturnOutdated(db, proposal)
  if (isOf(proposal, 'payment outside')) return whyOutsideOutdated(db, proposal)
  if (isFormer(proposal)) return whyFormerOutdated(db, proposal)
  if (isOf(proposal, 'tax rate')) return whyTaxRateOutdated(db, proposal)
  if (isOf(proposal, 'limits')) return whyLimitsOutdated(db, proposal)
  throw new RangeError(`unknown kind of proposal ${proposal.act.kind}`)
}

/** Keeps whatever would make a proposal outdated from changing. Adjustments and limits change under `lockProposals`. */
export async function lockWhatItChanges(tx: Tx, { act: { kind } }: Proposal): Promise<void> {
  if (kind !== 'adjustment' && kind !== 'limits') await lockBalances(tx)
}

/** Does what a proposal says. Returns the id of the adjustment, rate or line that it made or settled, if it did. */
export async function carryOut(tx: Tx, proposal: Proposal, approver: Doer): Promise<number | null> {
  if (isOf(proposal, 'adjustment')) return makeProposedAdjustment(tx, proposal)
  if (isOf(proposal, 'exchange rate')) return saveProposedRate(tx, proposal)
  if (isOf(proposal, 'result')) {
    await storeProposedFailure(tx, approver, proposal)
    return proposal.act.runLineId
  }
  if (isOf(proposal, 'return')) {
    await storeProposedReturn(tx, proposal)
    return proposal.act.runLineId
  }
  if (isOf(proposal, 'payment outside')) {
    await storePaymentOutside(tx, proposal)
    return null // its entry names it
  }
  if (isFormer(proposal)) {
    await storeFormer(tx, proposal)
    return null
  }
  // Limits and rates of tax act by being approved.
  return null
}
