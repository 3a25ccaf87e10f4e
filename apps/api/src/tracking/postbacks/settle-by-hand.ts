import type { PostbackAnswer } from '@tallyroom/contract/tracking/postbacks'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { findDecision } from '../held/held.queries.ts'
import type { KeptPostback } from './kept-postbacks.queries.ts'
import {
  byHand,
  findLocked,
  isFinal,
  presentOutcome,
  settle,
  type SettleNeeds,
} from './settle-waiting.ts'

/**
 * Redelivers a waiting, unmatched or conflicting postback on request. The same rules apply as before, except
 * that if the click's row is missing, its authenticated id is trusted at once.
 *
 * @throws NOT_FOUND, or CONFLICT if its outcome is final.
 */
export const deliverAgain = (
  needs: SettleNeeds,
  postbackId: string,
  settledBy: number,
): Promise<PostbackAnswer> =>
  settleByHand(needs, { postbackId, settledBy }, (postback) =>
    isFinal(postback)
      ? 'This postback is already settled. Search again to see its outcome.'
      : undefined,
  )

function settleByHand(
  needs: SettleNeeds,
  { postbackId, settledBy }: { postbackId: string; settledBy: number },
  whyNot: (postback: KeptPostback) => string | undefined,
): Promise<PostbackAnswer> {
  return inTransaction(needs.db, async (tx) => {
    const postback = await findLocked(tx, postbackId)
    if (!postback) throw notFound('postback')
    const refusal = whyNot(postback)
    if (refusal !== undefined) throw conflict(refusal)
    if (await findDecision(tx, postbackId))
      throw conflict('It was decided a moment ago. Undo that first.')
    const outcome = await settle(tx, postback, byHand(tx, needs, settledBy))
    return presentOutcome(postbackId, outcome, tx.now.getTime() - postback.receivedAt.getTime())
  })
}
