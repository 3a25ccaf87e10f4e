import type { HeldSides } from '@tallyroom/contract/tracking/held-postbacks'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { dayOf, startOfDay } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { writeFacts } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import {
  findHeldName,
  findRecordedSides,
  findReportedSide,
  type RecordedRow,
  type ReportedRow,
  wasAskedSince,
} from './held-changes.queries.ts'
import { lockHeld } from './kept-postbacks.queries.ts'

/**
 * What a postback reports, beside the sales of its order, or without an order number of its click.
 *
 * @throws NOT_FOUND
 */
export async function heldSides(
  { db, clickIds }: { db: DbOrTx; clickIds: ClickIds },
  viewer: Viewer,
  id: string,
): Promise<HeldSides> {
  const reported = await findReportedSide(db, id)
  if (!reported) throw notFound('postback')
  const { payout: seesPayout } = await findVisibleAmounts(db, viewer)
  const recorded = await findRecorded(db, clickIds, reported)
  return {
    recorded: recorded.map((row) => ({
      ...sideOf(row),
      eventId: row.eventId,
      isReversed: row.isReversed,
      ...(seesPayout && { payout: fromMinorUnits(row.payoutCentavos) }),
    })),
    reported: sideOf(reported),
  }
}

function findRecorded(
  db: DbOrTx,
  clickIds: ClickIds,
  { siteId, transactionId, agentId, clickId }: ReportedRow,
): Promise<RecordedRow[]> {
  if (siteId === null) return Promise.resolve([])
  if (transactionId !== null) return findRecordedSides(db, { siteId, transactionId })
  return agentId === null || clickId === null
    ? Promise.resolve([])
    : findRecordedSides(db, { siteId, agentId, clickIds: clickIds.spellings(clickId) })
}

function sideOf({
  occurredAt,
  clickId,
  agentId,
  agent,
  companyId,
  officeName,
  typename,
  amountE4,
  currency,
}: ReportedRow | RecordedRow): HeldSides['reported'] {
  const clickedAtMs = clickId === null ? undefined : decodeClickId(clickId)?.clickedAtMs
  return {
    occurredAt: occurredAt.toISOString(),
    clickedAt: clickedAtMs === undefined ? null : new Date(clickedAtMs).toISOString(),
    agentId,
    agent,
    companyId,
    officeName,
    typename,
    amount: amountE4 === null ? null : { value: amountE4 / 10_000, currency },
  }
}

/**
 * Locks a held postback: what it is called, and why it is held.
 *
 * @throws NOT_FOUND, or CONFLICT if it waits for no decision.
 */
export async function lockQuestion(
  tx: Tx,
  postbackId: string,
): Promise<{ name: string; reason: string }> {
  await lockHeld(tx, postbackId)
  const held = await findHeldName(tx, postbackId)
  if (!held) throw notFound('postback')
  const { name, reason } = held
  if (reason === null) throw conflict('This postback does not wait for a decision.')
  return { name, reason }
}

/**
 * Tells superadmins that somebody waits for their decision about a held postback, once a New York day for each.
 *
 * @throws NOT_FOUND, or CONFLICT if it waits for none.
 */
export const askForDecision = (
  { db }: Pick<Services, 'db'>,
  { accountId, username }: Viewer,
  postbackId: string,
): Promise<{ told: boolean }> =>
  inTransaction(db, async (tx) => {
    const { name, reason } = await lockQuestion(tx, postbackId)
    const at = tx.now
    if (await wasAskedSince(tx, postbackId, startOfDay(dayOf(at)))) return { told: false }
    const subject = { postbackId, name, by: username, reason }
    await writeFacts(tx, [{ kind: 'decision.wanted', of: 'network', subject }], {
      at,
      byAccountId: accountId,
    })
    return { told: true }
  })
