import { createHash } from 'node:crypto'
import { notFoundText } from '@tallyroom/contract/errors'
import type {
  HeldResult,
  HoldChange,
  heldPostbacksEndpoints,
} from '@tallyroom/contract/tracking/held-postbacks'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import { allows, type HoldAct, readingOfAct } from '@tallyroom/domain/holds'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Db, Tx } from '../../db/database.ts'
import { payingNobody } from '../../db/guarded-writes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { findSaleNamed } from '../sales/sales.queries.ts'
import { findDecision } from '../held/held.queries.ts'
import type { SaleOutcome } from '../sales/report.ts'
import { type ChangeRow, findChanges } from './held-changes.queries.ts'
import type { KeptPostback } from './kept-postbacks.queries.ts'
import {
  byHand,
  type Chosen,
  findLocked,
  presentOutcome,
  settle,
  type SettleNeeds,
  UNMATCHED_AFTER_MS,
} from './settle-waiting.ts'

type Calls = typeof heldPostbacksEndpoints
type Asked = RequestOf<Calls['previewHeldPostbacks']>['body']

/** What tiers pay for the events that it is given. Pay knows, which stands above tracking. */
export type FindTierPay = (
  tx: Tx,
  events: readonly Changed[],
) => Promise<(event: Changed) => HoldChange['tierPay']>

type Changed = Pick<
  ChangeRow,
  'agentId' | 'isAvp' | 'quantity' | 'recordedAt' | 'soldAt' | 'saleRecordedAt'
> & { officeId: number }

export type HeldNeeds = SettleNeeds & { findTierPay: FindTierPay }

type By = { accountId: number; reason: string }

/**
 * Does what staff chose about held postbacks, each in a transaction of its own, so that those that are done stay done.
 * What would do something else than staff have seen is undone.
 *
 * @throws VALIDATION_ERROR for a sale that cannot be the one, or an act that decides a word.
 */
export async function settleHeld(
  needs: HeldNeeds,
  { seen, ...asked }: RequestOf<Calls['settleHeldPostbacks']>['body'],
  accountId: number,
): Promise<HeldResult[]> {
  refuseWordAct(asked.act)
  const by = { accountId, reason: asked.reason }
  const effects = new Map(seen?.map(({ id, effect }) => [id, effect]))
  const results: HeldResult[] = []
  for (const id of asked.ids) {
    try {
      const result = await inTransaction(needs.db, async (tx) => {
        const done = await settleOneHeld(tx, needs, asked, by, id)
        const isOther = seen && done.effect !== null && done.effect !== effects.get(id)
        if (isOther) throw new Undone()
        return done
      })
      results.push(result)
    } catch (error) {
      if (!(error instanceof Undone)) throw error
      results.push({ ...undecided(id, OTHER_BY_NOW), state: 'held' })
    }
  }
  return results
}

/** A word is decided for all of its reports, and kept with its site: by a call of its own. */
export function refuseWordAct(act: HoldAct): void {
  if (readingOfAct(act))
    throw invalid({
      act: ['is said of a word for all of its reports. Use POST /sites/:siteId/postback/words'],
    })
}

export const OTHER_BY_NOW =
  'Something has changed since this was shown, so that it would do something else. Nothing was done. Look at it again.'

/** Does it and undoes it, so that it tells exactly what would be done. */
export async function previewHeld(needs: HeldNeeds, asked: Asked): Promise<HeldResult[]> {
  const results: HeldResult[] = []
  try {
    await undone(needs.db, async (tx) => {
      results.length = 0
      for (const id of asked.ids) {
        results.push(await settleOneHeld(tx, needs, asked, { accountId: 0, reason: '' }, id))
      }
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return results
}

/** A transaction that is rolled back, so that whoever asks for it decides nothing. */
const undone = (db: Db, fn: (tx: Tx) => Promise<never>): Promise<never> =>
  payingNobody(() => inTransaction(db, fn))

class Undone extends Error {
  override name = 'Undone'
}

/** Does it about one, whatever staff have seen. */
export async function settleOneHeld(
  tx: Tx,
  { findTierPay, ...needs }: Omit<HeldNeeds, 'db'>,
  { act, saleId }: Pick<Asked, 'act' | 'saleId'>,
  { accountId, reason }: By,
  id: string,
): Promise<HeldResult> {
  const postback = await findLocked(tx, id)
  const refusal = whyNot(postback, act, tx.now)
  if (!postback || refusal) return refusal ?? undecided(id, NOT_FOUND)
  const decided = await findDecision(tx, id)
  if (decided) return undecided(id, DECIDED)
  if (saleId) await refuseForeignSale(tx, postback, saleId)
  const chosen: Chosen = { act, note: reason, saleId: saleId ?? undefined }
  const outcome = await settle(tx, postback, byHand(tx, needs, accountId, chosen))
  return presentResult(tx, findTierPay, postback, outcome)
}

const DECIDED = 'It was decided a moment ago. Undo that first.'

const NOT_FOUND = notFoundText('postback')

function whyNot(
  postback: KeptPostback | undefined,
  act: Asked['act'],
  now: Date,
): HeldResult | undefined {
  if (!postback) return undefined
  const { id, settledOutcome, heldKind, heldWords } = postback
  if (settledOutcome !== null) {
    return undecided(id, `It is already settled: ${settledOutcome}.`, settledOutcome)
  }
  const kind = heldKind ?? (isUnmatched(postback, now) ? 'unmatched' : null)
  if (kind === null) return undecided(id, 'It does not wait for a decision.')
  return allows(kind, act, heldWords !== undefined)
    ? undefined
    : undecided(id, 'This can’t be done about its kind.')
}

const isUnmatched = ({ outcome, receivedAt }: KeptPostback, now: Date): boolean =>
  outcome === 'waiting' && now.getTime() - receivedAt.getTime() >= UNMATCHED_AFTER_MS

/** What nobody can do about it, or has done. */
export const undecided = (
  id: string,
  reason: string,
  outcome: string | null = null,
): HeldResult => ({
  id,
  state: 'impossible',
  outcome: SETTLED.find((one) => one === outcome) ?? null,
  reason,
  eventId: null,
  changes: [],
  effect: null,
})

const SETTLED = ['recorded', 'duplicate', 'refused', 'rejected'] as const

async function refuseForeignSale(tx: Tx, { siteId }: KeptPostback, saleId: string): Promise<void> {
  const sale = await findSaleNamed(tx, saleId)
  if (!sale || sale.siteId !== siteId) throw invalid({ saleId: ['is not a sale of the same site'] })
}

async function presentResult(
  tx: Tx,
  findTierPay: FindTierPay,
  postback: KeptPostback,
  outcome: SaleOutcome,
): Promise<HeldResult> {
  const ageMs = tx.now.getTime() - postback.receivedAt.getTime()
  const {
    outcome: word,
    reason = null,
    eventId = null,
  } = presentOutcome(postback.id, outcome, ageMs)
  const isOpen = staysHeld[word]
  const rows =
    outcome.outcome === 'recorded'
      ? await findChanges(tx, postback.id, [outcome, ...(outcome.takenBack ?? [])])
      : []
  const sold = rows.map((row) => ({ ...row, officeId: row.companyId }))
  const tierPay = await findTierPay(tx, sold)
  const changes = sold.map((row) => presentChange(row, tierPay(row)))
  return {
    id: postback.id,
    state: isOpen ? 'held' : 'settled',
    outcome: word,
    reason,
    eventId,
    changes,
    effect: isOpen ? null : effectOf(word, changes),
  }
}

/** After which outcomes a postback is not settled. */
const staysHeld: Record<PostbackOutcome, boolean> = {
  recorded: false,
  duplicate: false,
  rejected: false,
  refused: false,
  conflict: true,
  waiting: true,
  pending: true,
  ignored: false,
  unmatched: true,
}

/** The same for a preview and what is done afterwards, whose new events have other ids. */
const effectOf = (outcome: string, changes: readonly HoldChange[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        outcome,
        ...changes.map(({ eventId, saleId, ...what }) => [
          // Of a new sale, the sale is the event itself.
          saleId === eventId ? null : saleId,
          what.quantity,
          what.eventType,
          what.occurredAt,
          what.transactionId,
          what.agentId,
          what.companyId,
          what.siteId,
          what.typename,
          what.earning,
          what.payout,
        ]),
      ]),
    )
    .digest('hex')

const presentChange = (
  {
    earningCents,
    payoutCentavos,
    occurredAt,
    isAvp: _isAvp,
    recordedAt: _recordedAt,
    soldAt: _soldAt,
    saleRecordedAt: _saleRecordedAt,
    officeId: _officeId,
    ...row
  }: ChangeRow & { officeId: number },
  tierPay: HoldChange['tierPay'],
): HoldChange => ({
  ...row,
  occurredAt: occurredAt.toISOString(),
  earning: fromMinorUnits(earningCents),
  payout: fromMinorUnits(payoutCentavos),
  ...(tierPay && { tierPay }),
})
