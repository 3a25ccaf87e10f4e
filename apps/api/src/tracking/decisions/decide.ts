import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import { type decisionsEndpoints, UNDO_SECONDS } from '@tallyroom/contract/tracking/decisions'
import { changesNothing, holdActOf } from '@tallyroom/domain/holds'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type AppError, conflict, notFound } from '../../errors.ts'
import { deleteDecision, insertDecision } from '../held/held.queries.ts'
import { findHeldName } from '../postbacks/held-changes.queries.ts'
import { lockHeld } from '../postbacks/kept-postbacks.queries.ts'
import {
  type HeldNeeds,
  OTHER_BY_NOW,
  previewHeld,
  refuseWordAct,
  undecided,
} from '../postbacks/settle-held.ts'
import { findSettled } from './decisions.queries.ts'
import { signDecision } from './sign-decision.ts'

type Calls = typeof decisionsEndpoints
type Asked = RequestOf<Calls['decideHeldPostback']>['body']

/**
 * Keeps what somebody decided about a held postback, to be carried out in a minute. Until then nothing has changed, so that
 * undoing it leaves no trace in sales, statements and what partners are told.
 *
 * @throws VALIDATION_ERROR for a sale that cannot be the one, or an act that decides a word.
 */
export async function decideHeld(
  needs: HeldNeeds,
  { accountId }: Pick<Viewer, 'accountId'>,
  id: string,
  { act, saleId, effect, reason }: Asked,
): Promise<AnswerOf<Calls['decideHeldPostback']>> {
  refuseWordAct(act)
  const [shown] = await previewHeld(needs, { ids: [id], act, saleId })
  if (!shown) throw notFound('postback')
  if (shown.state !== 'settled') return { ...shown, undoUntil: null }
  if (shown.effect !== effect)
    return { ...undecided(id, OTHER_BY_NOW), state: 'held', undoUntil: null }
  return inTransaction(needs.db, async (tx) => {
    await lockHeld(tx, id)
    const decidedAt = tx.now
    const dueAt = new Date(decidedAt.getTime() + UNDO_SECONDS * 1000)
    const decision = {
      postbackId: id,
      act,
      saleId: saleId ?? null,
      effect,
      note: reason,
      decidedBy: accountId,
      decidedAt,
    }
    const signature = signDecision(needs, decision)
    const isFirst = await insertDecision(tx, { ...decision, dueAt, signature })
    return isFirst
      ? { ...shown, undoUntil: dueAt.toISOString() }
      : { ...undecided(id, 'Somebody else has just decided about it.'), undoUntil: null }
  })
}

/** @throws NOT_FOUND, or CONFLICT if it is done or was never decided, with what can be done instead. */
export const undoDecision = ({ db }: { db: Db }, id: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockHeld(tx, id)
    if (!(await deleteDecision(tx, id))) throw await whyNot(tx, id)
  })

async function whyNot(tx: Tx, id: string): Promise<AppError> {
  const settled = await findSettled(tx, id)
  if (settled) return conflict(`Its minute is over, and it is done. ${insteadOf(settled)}`)
  return (await findHeldName(tx, id))
    ? conflict('Nothing is decided about this postback. It still waits.')
    : notFound('postback')
}

function insteadOf({ act, period }: { act: string | null; period: string | null }): string {
  if (changesNothing(holdActOf(act)))
    return 'No sale has changed. If it should count, let the merchant send it again.'
  return period === null
    ? 'If it was wrong, let the merchant report the opposite for this order: a reversal, or the sale again.'
    : `The pay period ${period} is closed with it: correct the amount with an adjustment, under Pay.`
}
