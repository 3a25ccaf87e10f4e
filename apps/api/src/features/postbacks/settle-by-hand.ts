import type { DateDecision, PostbackAnswer } from '@tallyroom/contract/postbacks'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { makeClickIds } from '../clicks/index.ts'
import { findLocked, isFinal, presentOutcome, settle, type SettleNeeds } from './settle-waiting.ts'

/**
 * Redelivers a waiting, unmatched or conflicting postback on request. The same rules apply as before, except
 * that if the click's row is missing, its authenticated id is trusted at once.
 *
 * @throws NOT_FOUND, or CONFLICT if its outcome is final.
 */
export async function deliverAgain(
  { db, layout, clock, secret, formerSecrets }: SettleNeeds,
  postbackId: string,
  settledBy: number,
): Promise<PostbackAnswer> {
  const clickIds = makeClickIds(secret, formerSecrets)
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    const postback = await findLocked(tx, postbackId)
    if (!postback) throw notFound('postback')
    if (isFinal(postback)) {
      throw conflict('This postback is already settled. Search again to see its outcome.')
    }
    const outcome = await settle(tx, postback, {
      layout,
      clickIds,
      now,
      attributeFromId: true,
      settledBy,
    })
    const ageMs = now.getTime() - postback.receivedAt.getTime()
    return presentOutcome(postbackId, outcome, ageMs)
  })
}

/**
 * Settles a postback dated before its click, or a reversal dated before its sale: records it with that time, if
 * its key is free, or refuses it.
 *
 * @throws NOT_FOUND, or CONFLICT if there is nothing to decide (any more).
 */
export async function settleHeld(
  { db, layout, clock, secret, formerSecrets }: SettleNeeds,
  {
    postbackId,
    decision,
    settledBy,
  }: { postbackId: string; decision: DateDecision; settledBy: number },
): Promise<PostbackAnswer> {
  const clickIds = makeClickIds(secret, formerSecrets)
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    const postback = await findLocked(tx, postbackId)
    if (!postback) throw notFound('postback')
    if (postback.earliestAt === null) {
      throw conflict(
        'This postback does not wait for a decision. Search again to see whether somebody settled it.',
      )
    }
    const outcome = await settle(tx, postback, {
      layout,
      clickIds,
      now,
      attributeFromId: true,
      settledBy,
      decision,
    })
    return presentOutcome(postbackId, outcome, now.getTime() - postback.receivedAt.getTime())
  })
}
