import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findAdjustmentLimits, insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'
import { getCalendar } from '../terms/calendar.ts'
import { lockProposals } from '../terms/settings.queries.ts'

type Needed = Pick<Services, 'db'>

/**
 * Proposes other limits, which act once a second person has approved them. Returns the proposal's id.
 *
 * @throws VALIDATION_ERROR if nothing would change; CONFLICT until pay is switched on.
 */
export const proposeLimits = (
  { db }: Needed,
  viewer: Viewer,
  {
    adjustmentCentavos: PHP,
    adjustmentCents: USD,
    reason,
  }: { adjustmentCentavos: number; adjustmentCents: number; reason: string },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    await getCalendar(tx)
    const { limits, proposalId } = await findAdjustmentLimits(tx)
    if (limits.PHP === PHP && limits.USD === USD)
      throw invalid({ _form: ['These are the limits already.'] })
    return insertProposal(tx, {
      act: { kind: 'limits', limits: { PHP, USD }, replaces: proposalId },
      reason,
      why: 'Limits are changed by two people.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** Why proposed limits can't be approved any more; undefined if they can. */
async function whyLimitsOutdated(
  db: DbOrTx,
  { act }: Proposal<'limits'>,
): Promise<string | undefined> {
  const { proposalId } = await findAdjustmentLimits(db)
  return proposalId === act.replaces ? undefined : 'The limits were changed in the meantime.'
}

/** Limits above which an adjustment needs a second person. They act by being approved. */
export const limits: ActOfTwo<'limits'> = {
  lock: 'proposals',
  whyOutdated: whyLimitsOutdated,
  carryOut: () => Promise.resolve(null),
  present: (act) => act,
}
