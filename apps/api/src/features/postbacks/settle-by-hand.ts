import type { DateDecision, PostbackAnswer } from '@tallyroom/contract/postbacks'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { makeClickIds } from '../clicks/index.ts'
import { findLocked, isFinal, presentOutcome, settle, type SettleNeeds } from './settle-waiting.ts'

/**
 * Delivers a postback that waits, is unmatched or was in conflict again, because a person asks. The same
 * rules hold as before; a click without a row is taken at its id's word at once.
 *
 * @throws NOT_FOUND, and CONFLICT when its outcome is final.
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
      throw conflict('This postback is settled: there is nothing to deliver again.')
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
 * Settles a postback that is dated before its click, or a reversal dated before its sale: recorded at that instant, when
 * its key is free, or refused.
 *
 * @throws NOT_FOUND, and CONFLICT when there is nothing to decide (any more).
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
        'There is nothing to decide about this postback: somebody may have settled it.',
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
