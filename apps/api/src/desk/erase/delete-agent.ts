import { CURRENCY_NAMES, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { TypedToDelete } from '@tallyroom/contract/people/agents'
import type { Currency } from '@tallyroom/domain/pay'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { AppError, invalid, notFound } from '../../errors.ts'
import { forgetVisitorsOfAgent, type Stores, whileNotArchiving } from '../../tracking/index.ts'
import { liftStatementTimeout, removeAgentFromTotals, totalsStoreOf } from '../../totals/index.ts'
import {
  findOwed,
  findUnpaid,
  giveUp,
  lockBalances,
  refuseHeldBack,
  refuseOpen,
} from '../../pay/index.ts'
import { lockSealHead } from '../../seals/index.ts'
import { lockAgent } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { deleteAgentRows, deleteTold, findOrphansInTotals } from './delete-agent.queries.ts'

type Dependencies = Pick<Services & Stores, 'db' | 'erasing'>

/**
 * Deletes an agent with their clicks, sales, statistics and logs in one transaction. Postbacks and common logs
 * are kept, as a record of what arrived and who did what. Their balance, and what is open of advances, are given up.
 *
 * @param typed the unpaid money, and what is owed of advances, that the viewer knows of
 * @throws NOT_FOUND for an agent that the viewer cannot see; VALIDATION_ERROR if it is another; CONFLICT for
 * money that is held back, in a payment run or on no statement yet; UNAVAILABLE while a month of clicks is archived or restored.
 */
export async function deleteAgent(
  { db, erasing }: Dependencies,
  viewer: Viewer,
  agentId: number,
  typed: TypedToDelete = {},
): Promise<void> {
  const outcome = await deletingEvents({ db, erasing }, async (tx, deleteEvents) => {
    const agent = await lockAgent(tx, sightOf(viewer), agentId)
    if (!agent) throw notFound('agent')
    // An act of money that is committed meanwhile makes the seals fail, and all of this is done again.
    await lockBalances(tx)
    await refuseLoss(tx, agentId, typed)
    await refuseHeldBack(tx, agentId)
    const payee = { kind: 'agent', id: agentId } as const
    await refuseOpen(tx, payee)
    await lockSealHead(tx)
    await giveUp(tx, viewer, payee)
    // First, because events can be deleted only for agents that no longer exist.
    await deleteAgentRows(tx, { agentId, accountId: agent.account_id })
    await deleteEvents(agentId)
    await announceChange(tx, 'destinations')
  })
  if (outcome === 'busy') {
    throw new AppError(
      'UNAVAILABLE',
      'Old clicks are being archived or restored, so no agent can be deleted now. Please try again in a few minutes.',
      { retryAfter: 60 },
    )
  }
}

/**
 * Deleting an agent deletes the sales that they, or their office, have not been paid for, and gives up their balance and what is
 * open of their advances.
 */
async function refuseLoss(tx: Tx, agentId: number, typed: TypedToDelete): Promise<void> {
  const unpaid = await findUnpaid(tx, agentId)
  const inPesos = unpaid.filter(({ currency }) => currency === 'PHP')
  const inDollars = unpaid.filter(({ currency }) => currency === 'USD')
  const owed = await findOwed(tx, agentId)
  const problems = {
    ...(!isTyped(inPesos, typed.unpaidCentavos) && {
      unpaidCentavos: [unpaidText(inPesos, 'pesos')],
    }),
    ...(!isTyped(inDollars, typed.unpaidCents) && {
      unpaidCents: [unpaidText(inDollars, 'dollars')],
    }),
    ...((typed.owedCentavos ?? 0) !== owed.PHP && { owedCentavos: [owedText(owed.PHP, 'PHP')] }),
    ...((typed.owedCents ?? 0) !== owed.USD && { owedCents: [owedText(owed.USD, 'USD')] }),
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const owedText = (owed: number, currency: Currency): string =>
  owed === 0
    ? `This agent owes nothing of advances in ${CURRENCY_NAMES[currency]}.`
    : `This agent owes ${moneyText(owed, currency)} of an advance.`

type Unpaid = Awaited<ReturnType<typeof findUnpaid>>

/** Sums of several payees may add up to nothing although each loses or gains. */
const isTyped = (unpaid: Unpaid, typed: number | undefined): boolean =>
  unpaid.length === 0 ? (typed ?? 0) === 0 : typed === sumOf(unpaid)

const unpaidText = (unpaid: Unpaid, unit: string): string =>
  unpaid.length === 0
    ? `This agent has no unpaid money in ${unit}.`
    : `This agent has ${sumText(unpaid)} of unpaid money.`

const sumOf = (unpaid: Unpaid): number => unpaid.reduce((sum, { amount }) => sum + amount, 0)

/** `₱0.00 (₱500.00 and −₱500.00)`, of amounts in one currency. */
function sumText(unpaid: Unpaid): string {
  const currency = unpaid[0]?.currency ?? 'PHP'
  const text = moneyText(sumOf(unpaid), currency)
  const each = unpaid.map(({ amount }) => moneyText(amount, currency))
  return each.length > 1 ? `${text} (${each.join(' and ')})` : text
}

/**
 * Deletes events that arrived during or after an agent's deletion: clicks accepted before every process knew,
 * and spooled clicks. Runs every few minutes, and leaves them for the next time while clicks are archived.
 */
export async function removeOrphanedEvents(services: Dependencies): Promise<void> {
  for (const agentId of await findOrphansInTotals(services.db)) {
    await deletingEvents(services, (_, deleteEvents) => deleteEvents(agentId))
  }
}

/** One snapshot keeps events and totals consistent if events arrive while we delete: both are deleted or neither. */
async function deletingEvents(
  { db, erasing }: Dependencies,
  fn: (tx: Tx, deleteEvents: (agentId: number) => Promise<void>) => Promise<void>,
): Promise<'busy' | 'done'> {
  // Outside of the transaction, whose snapshot must not be older than its locks.
  const totals = await totalsStoreOf(db)
  return whileNotArchiving(db, () =>
    inTransaction(
      db,
      async (tx) => {
        await erasing.begin(tx)
        await liftStatementTimeout(tx)
        await totals.lock(tx)
        await fn(tx, async (agentId) => {
          await deleteTold(tx, agentId)
          await forgetVisitorsOfAgent(tx, agentId)
          await erasing.deleteEvents(tx, agentId)
          await removeAgentFromTotals(tx, agentId, totals)
        })
      },
      { isolation: 'repeatable read' },
    ),
  )
}
