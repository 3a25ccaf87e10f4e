import { randomUUIDv7 } from 'node:crypto'
import { type PartRule, takesBackSale, type TakingAct } from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import type { Tx } from '../../db/database.ts'
import { ratesOf } from '../../catalogue/index.ts'
import type { Chain } from './chains.ts'
import { type Ledger, LostRace } from './ledger.ts'
import { partEvent, percentOfPart, presentPrice, WHOLE_PPM, withoutPart } from './price-event.ts'
import {
  type Held,
  hold,
  type MerchantAmount,
  type ReversalReport,
  type SaleOutcome,
} from './report.ts'
import { partKey } from './sale-keys.ts'
import { writeReversal } from './write-reversal.ts'

/** What a merchant takes back of what it reported for a sale, in ten-thousandths. */
export type Part = { refundedE4: number; soldE4: number; currency: string | undefined }

/** What the merchant reported with an event, and of which product. */
export type Sold = { product: number | string; amount: MerchantAmount | undefined }

export const soldOf = ({ sale, counted }: Chain): Sold => {
  const { amount_e4: e4, currency } = counted.amount_e4 === null ? sale : counted
  const amount = e4 === null ? undefined : { e4: Math.abs(e4), currency: currency ?? undefined }
  return { product: sale.type_id, amount }
}

/** What was paid for an order. The events of a product, such as its approval and its sale, each name all that was paid for it. */
function paidE4(sold: readonly Sold[]): number {
  const products = new Map<number | string, number>()
  for (const { product, amount } of sold)
    products.set(product, Math.max(products.get(product) ?? 0, amount?.e4 ?? 0))
  return [...products.values()].reduce((sum, e4) => sum + e4, 0)
}

/** The part of what was sold that a reversal takes back, or what somebody has to be asked about it; undefined if it is the whole. */
export function partTakenBack(
  report: ReversalReport,
  sold: readonly Sold[],
): { part: Part; question?: undefined } | { part?: undefined; question: Held } | undefined {
  const how = howToTakeBack(report)
  if (how === 'whole') return undefined
  const unclear = whyUnclear(report, sold)
  if (unclear !== undefined) return { question: hold('amount', unclear) }
  const part = partOf(report, sold)
  if (!part) return undefined
  return how === 'ask' ? { question: hold('part', reasonOfPart(part)) } : { part }
}

const howToTakeBack = ({ act, rules }: ReversalReport) =>
  takesBackSale(act) ? howActTakesBack[act] : rules.partRule

const howActTakesBack: Record<TakingAct, PartRule> = {
  reverse: 'whole',
  'in-proportion': 'in-proportion',
  // For completeness: a report that is settled by its word has no act, so that the rule of its site decides.
  'word-takes-back': 'ask',
}

const reasonOfPart = ({ refundedE4, soldE4, currency }: Part): string =>
  `It takes back ${amountText({ e4: refundedE4, currency })} of the ${amountText({ e4: soldE4, currency })} that the merchant reported for the sale.`

/** Why it can't be said how much of a sale a reversal takes back, in a sentence; undefined if it can. */
function whyUnclear(
  { amount, unreadable, refundNumber }: ReversalReport,
  sold: readonly Sold[],
): string | undefined {
  if (unreadable !== undefined)
    return `Its amount, ${inSentence(unreadable.slice(0, 40))}, can’t be read. Does the whole sale go back?`
  // A refund with a number may be one of several.
  if (amount && refundNumber !== undefined && !sold.some((one) => one.amount !== undefined))
    return `It takes back ${amountText(amount)}, and the merchant reported no amount for the sale. Does the whole sale go back?`
  const other = sold
    .map((one) => one.amount)
    .find((one) => one?.currency && amount?.currency && one.currency !== amount.currency)
  return other && amount
    ? `It takes back ${amountText(amount)}, and the merchant reported ${amountText(other)} for the sale. These can’t be compared. Does the whole sale go back?`
    : undefined
}

/** An amount of a merchant's, in its currency. */
const amountText = ({ e4, currency }: MerchantAmount): string =>
  `${(Math.abs(e4) / 10_000).toFixed(2)}${currency ? ` ${currency}` : ''}`

/** Undefined if the whole is taken back, or the sale's amount is not known. */
function partOf({ amount }: ReversalReport, sold: readonly Sold[]): Part | undefined {
  const refundedE4 = Math.abs(amount?.e4 ?? 0)
  const soldE4 = paidE4(sold)
  if (refundedE4 === 0 || refundedE4 >= soldE4) return undefined
  return { refundedE4, soldE4, currency: amount?.currency }
}

/**
 * Takes back the same part of what each of these sales pays. The sales still count as sales. When nothing is left of
 * one, it is reversed.
 */
export async function reversePart(
  tx: Tx,
  ledger: Ledger,
  task: { report: ReversalReport; reportKey: string; due: readonly Chain[]; part: Part },
): Promise<SaleOutcome> {
  const { report, reportKey, due, part } = task
  const number = report.refundNumber
  const at = report.isDated ? report.occurredAt : undefined
  const first = partKey(reportKey, { amountE4: part.refundedE4, at, number })
  const [known] = await ledger.findHolders(tx, [first])
  const isAnother = known !== undefined && report.act === 'in-proportion'
  if (known && !isAnother) {
    return number === undefined && !report.isDated
      ? hold('part-again', SAME_PART)
      : {
          outcome: 'duplicate',
          eventId: known.eventId,
          reason: 'This part was already taken back.',
          isPart: true,
        }
  }
  const key = isAnother ? `${first}/${report.postbackId}` : first
  const partPpm = Math.max(1, Math.round((part.refundedE4 / part.soldE4) * WHOLE_PPM))
  const eventIds: string[] = []
  for (const [place, chain] of due.entries()) {
    eventIds.push(await writePart(tx, ledger, report, { chain, partPpm, key: `${key}/${place}` }))
  }
  const [eventId = ''] = eventIds
  const sale = due[0]?.sale
  if (!sale) throw new RangeError('No sale to take a part of')
  const holder = { agentId: sale.agent_id, typeId: sale.type_id, clickId: sale.click_id }
  const kept = { ...holder, saleKey: key, eventId, reported: null }
  if (!(await ledger.insertFurtherKey(tx, key, kept))) {
    throw new LostRace('the same part was taken back meanwhile')
  }
  const notice = `It took back ${percentOfPart(partPpm)}% of what the sale pays.`
  const { type_id: typeId, agent_id: agentId } = sale
  return { outcome: 'recorded', eventId, typeId, agentId, notice, isPart: true }
}

const SAME_PART =
  'The same amount was taken back before. This may be a late retry, or another part: with a refund_id or a time of its own, it would count.'

async function writePart(
  tx: Tx,
  ledger: Ledger,
  report: ReversalReport,
  { chain, partPpm, key }: { chain: Chain; partPpm: number; key: string },
): Promise<string> {
  const { sale, counted } = chain
  const { now, takenPpm, parts } = await ledger.findRepriced(tx, counted)
  // Each part is rounded by half a millionth at most: three thirds are the whole.
  if (takenPpm + partPpm + (parts + 1) / 2 >= WHOLE_PPM)
    return writeReversal(tx, ledger, report, chain)
  const rates = await ratesOf(tx, counted.type_id, counted.office_id || undefined, sale.occurred_at)
  if (!rates) throw new Error(`Link type ${counted.type_id} has no rates`)
  const { price } = presentPrice(counted, now.rate_id, rates)
  const left = withoutPart(price, takenPpm + partPpm)
  const difference = {
    earningCents: left.earningCents - now.earning_cents,
    payoutCentavos: left.payoutCentavos - now.payout_centavos,
    lpp: left.lpp - now.lpp,
  }
  const event = partEvent({ ...chain, counted: now }, difference, partPpm, {
    id: randomUUIDv7(),
    occurred_at: report.occurredAt > counted.occurred_at ? report.occurredAt : counted.occurred_at,
    recorded_at: report.recordedAt,
    postback_id: report.postbackId,
    amount_e4: report.amount?.e4 ?? null,
    currency: report.amount?.currency ?? null,
  })
  const written = await ledger.insertOnce(
    tx,
    { key, reported: null, tells: 'sale.adjusted' },
    event,
    [],
  )
  if (written !== 'written') throw new LostRace('the same part was taken back meanwhile')
  return event.id
}
