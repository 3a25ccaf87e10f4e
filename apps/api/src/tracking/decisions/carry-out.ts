import type { Services } from '../../services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { writeFacts } from '../../notices/index.ts'
import { deleteDecision, postponeDecision, takeDueDecision } from '../held/held.queries.ts'
import { findHeldName } from '../postbacks/held-changes.queries.ts'
import { type HeldNeeds, settleOneHeld } from '../postbacks/settle-held.ts'
import { findUsername } from './decisions.queries.ts'
import { isSigned } from './sign-decision.ts'

type Needed = Omit<HeldNeeds, 'findTierPay'> & Pick<Services, 'log'>

/** Carries out all decisions that can no longer be undone. Several processes share the work. */
export async function carryOutDecisions(services: Needed): Promise<void> {
  while (await carryOutNext(services));
}

/** How long one that failed is left alone, so that it does not block others. */
const PAUSE_MS = 60_000

async function carryOutNext(services: Needed): Promise<boolean> {
  const { db } = services
  let taken: { postbackId: string; decidedBy: number } | undefined
  try {
    return await inTransaction(db, async (tx) => {
      const decision = await takeDueDecision(tx, tx.now)
      if (!decision) return false
      taken = decision
      const { act, saleId, note: reason, decidedBy: accountId, effect, postbackId } = decision
      if (!isSigned(services, decision)) throw new NotDone('It was not made here.')
      const done = await settleOneHeld(
        tx,
        { ...services, findTierPay: paysNothing },
        { act: act as Parameters<typeof settleOneHeld>[2]['act'], saleId }, // signed, so it was one of them
        { accountId, reason },
        postbackId,
      )
      if (done.effect !== effect) throw new NotDone(done.reason ?? 'Something else has changed.')
      return true
    })
  } catch (error) {
    if (!taken) throw error
    if (!(error instanceof NotDone)) {
      await postpone(services, taken.postbackId)
      throw error
    }
    await tellNotDone(services, taken, error.message)
    return true
  }
}

/** What tiers pay is for those who look at it. */
const paysNothing = () => Promise.resolve(() => undefined)

/** Rolls back what would not be what somebody decided. */
class NotDone extends Error {}

/** Takes it back, and says so to everybody who may decide: it waits for them again. */
const tellNotDone = (
  { db }: Needed,
  { postbackId, decidedBy }: { postbackId: string; decidedBy: number },
  why: string,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const at = tx.now
    if (!(await deleteDecision(tx, postbackId))) return
    const held = await findHeldName(tx, postbackId)
    // Others have settled it meanwhile.
    if (!held || held.reason === null) return
    const by = await findUsername(tx, decidedBy)
    const reason = `What ${by} decided was not done. ${why}`
    const subject = { postbackId, name: held.name, by, reason, notDone: true }
    await writeFacts(tx, [{ kind: 'decision.wanted', of: 'network', subject }], {
      at,
      byAccountId: null,
    })
  })

const postpone = ({ db }: Needed, postbackId: string): Promise<void> =>
  inTransaction(db, (tx) => postponeDecision(tx, postbackId, new Date(tx.now.getTime() + PAUSE_MS)))
