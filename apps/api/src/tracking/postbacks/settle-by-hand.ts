import type { PostbackAnswer } from '@tallyroom/contract/tracking/postbacks'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { makeClickIds } from '../clicks/click-id-signer.ts'
import type { KeptPostback } from './kept-postbacks.queries.ts'
import { findLocked, isFinal, presentOutcome, settle, type SettleNeeds } from './settle-waiting.ts'

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
  { db, ledger, secret, formerSecrets }: SettleNeeds,
  { postbackId, settledBy }: { postbackId: string; settledBy: number },
  whyNot: (postback: KeptPostback) => string | undefined,
): Promise<PostbackAnswer> {
  const clickIds = makeClickIds(secret, formerSecrets)
  return inTransaction(db, async (tx) => {
    const now = tx.now
    const postback = await findLocked(tx, postbackId)
    if (!postback) throw notFound('postback')
    const refusal = whyNot(postback)
    if (refusal !== undefined) throw conflict(refusal)
    const outcome = await settle(tx, postback, {
      ledger,
      clickIds,
      now,
      attributeFromId: true,
      settledBy,
    })
    return presentOutcome(postbackId, outcome, now.getTime() - postback.receivedAt.getTime())
  })
}
