import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { conflict } from '../../errors.ts'
import type { GivesBack } from '../../people/index.ts'
import { takeBack } from './adjust.ts'
import { findHeldBack } from '../ledger/adjustments.queries.ts'
import { findPayeeNames, payeeText } from '../terms/payees.queries.ts'
import { findWaitingOf, insertProposalDecision } from '../ledger/proposals.queries.ts'
import { lockProposals } from '../terms/settings.queries.ts'

/**
 * Called with agents who have just been cleared of fraud, in the same transaction: takes back what is held back for them, in
 * the name of whoever cleared them, and refuses what was proposed and still waits.
 */
export const giveBack: GivesBack['giveBack'] = async (tx, viewer, agentIds) => {
  if (agentIds.length === 0) return
  await lockProposals(tx)
  const held = await findHeldBack(tx, agentIds)
  const waiting = await findWaitingOf(tx, 'adjustment')
  const names = await findPayeeNames(
    tx,
    agentIds.map((id) => ({ kind: 'agent', id })),
  )
  const nameOf = (id: number) => names.get(payeeText({ kind: 'agent', id })) ?? ''
  for (const one of held) {
    // A second person decides about it already.
    if (waiting.some(({ act }) => act.oppositeOf === one.id)) continue
    const reason = `Given back, because ${nameOf(one.heldBackFor ?? 0)} was cleared: ${one.reason}`
    await takeBack(tx, viewer, one, {
      reason: shortened(reason),
      waits: whyClearerWaits(viewer),
    })
  }
  for (const { id, act } of waiting) {
    if (act.heldBackFor === null || !agentIds.includes(act.heldBackFor)) continue
    await insertProposalDecision(
      tx,
      id,
      {
        kind: 'refused',
        reason: `${nameOf(act.heldBackFor)} was cleared.`,
        madeAt: tx.now,
        madeBy: { id: viewer.accountId, name: viewer.username },
      },
      null,
    )
  }
}

/** Whoever clears an agent may have no right to change pay. Then somebody who has decides. */
const whyClearerWaits = (viewer: Viewer): string | undefined =>
  can(viewer, 'pay.manage')
    ? undefined
    : 'The agent was cleared by somebody who may not change pay.'

/** As long as a reason may be. */
const shortened = (text: string): string =>
  text.length > MOST_REASON ? `${text.slice(0, MOST_REASON - 1).toWellFormed()}…` : text

const MOST_REASON = 500

/**
 * Refuses to delete an agent while a sum is held back for them and on no statement yet: their unpaid sales go with them, and
 * the payee would lose the same money twice.
 *
 * @throws CONFLICT
 */
export async function refuseHeldBack(tx: Tx, agentId: number): Promise<void> {
  const held = await findHeldBack(tx, [agentId])
  const open = held.find(({ statementId }) => statementId === null)
  if (!open) return
  throw conflict(
    `${moneyText(-open.amount, open.currency)} is held back for this agent and on no statement yet. Take it back, or close the period first.`,
  )
}
