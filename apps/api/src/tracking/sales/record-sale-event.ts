import { randomUUIDv7 } from 'node:crypto'
import { saysUnstored, TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { postbackEventsOf } from '@tallyroom/domain/event-types'
import { countsSale } from '@tallyroom/domain/holds'
import { noticeOfRecorded } from '@tallyroom/domain/partner-postback'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { findSealedClick } from '../archive/sealed-clicks.queries.ts'
import { ratesOf } from '../../catalogue/index.ts'
import {
  type Held,
  type RecordOptions,
  type Report,
  type ReportedClick,
  type SaleOutcome,
  type SaleReport,
  dateOf,
  heldFor,
  hold,
} from './report.ts'
import { refused, refuseType } from './refuse.ts'
import { findStartOfCode } from './rejected-orders.queries.ts'
import { Backdated, type Ledger, type Origin, type SaleLedger } from './ledger.ts'
import { priceEvent, type SaleEvent } from './price-event.ts'
import { reverseSale } from './reverse-sale.ts'
import { findAgent, findTypeByAlias, isCalled } from './sales.queries.ts'
import { testLedger } from './test-sales.queries.ts'
import {
  findRepeated,
  isKnown,
  settleRepeated,
  type ToWrite,
  writeFirst,
  writeInOrder,
} from './write-once.ts'

/** Records a report or explains why not. Timely and late reports both come here. */
export const recordSaleEvent = (
  tx: Tx,
  report: Report,
  options: Pick<RecordOptions, 'ledger' | 'attributeFromId'>,
): Promise<SaleOutcome> =>
  report.kind === 'reversal'
    ? reverseSale(tx, report, ledgerOf(report, options.ledger))
    : recordSale(tx, report, options)

/** A sale that is the first of its order is written atomically, so it needs no surrounding transaction. */
export async function recordSale(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
): Promise<SaleOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      const outcome = await priceAndWrite(db, report, options)
      return (
        outcome ??
        (await withinTransaction(db, async (tx) => {
          await options.beforeDoubt?.(tx)
          return priceAndWrite(tx, report, options, tx)
        }))
      )
    } catch (error) {
      if (!(error instanceof Backdated) || tries === MOST_TRIES) throw error
    }
  }
}

/** How often a sale is repriced while rates are being backdated concurrently. */
const MOST_TRIES = 5

/**
 * Without `tx`, it records only what is no matter of doubt, and returns undefined if the order has to be locked and
 * looked at.
 */
async function priceAndWrite(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
  tx: Tx,
): Promise<SaleOutcome>
async function priceAndWrite(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
): Promise<SaleOutcome | undefined>
async function priceAndWrite(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
  tx?: Tx,
): Promise<SaleOutcome | undefined> {
  const { click, siteId } = report
  const ledger = ledgerOf(report, options.ledger)

  const happenedAt = report.happenedAt ?? report.occurredAt
  const earliest = await earliestOf(db, report)
  const occurredAt = dateOf({ ...report, occurredAt: happenedAt }, earliest.at)
  const at = occurredAt ?? happenedAt

  let typeId = click.typeId
  let { origin, rates } = await ledger.findOrigin(db, click, at)
  const ratesOfOther = (type: number) => ratesOf(db, type, origin?.officeId, at, click.agentId)
  if (!origin) {
    origin = await findOriginWithoutRow(db, click, options.attributeFromId ?? false)
    if (origin) rates = await ratesOfOther(typeId)
  }
  if (rates?.siteId !== siteId) return refused('click_id', 'belongs to another site')

  if (report.productId !== undefined || report.typeAlias !== undefined) {
    const named = report.productId ?? (await findNamedType(db, report, report.typeAlias ?? ''))
    if (named === undefined) return refuseType(db, siteId)
    if (named !== typeId) rates = (await ratesOfOther(named)) ?? rates
    typeId = named
  }

  const { isSuspended } = rates
  /** What may not be recorded may still repeat what was. */
  const repeatedOr = async (outcome: SaleOutcome): Promise<SaleOutcome | undefined> => {
    const repeated = { report, typeId, isSuspended, ...options }
    const known = tx
      ? await settleRepeated(tx, ledger, repeated)
      : await findRepeated(db, ledger, report, typeId)
    return (
      known ?? (tx ? outcome : (await isKnown(db, ledger, report, typeId)) ? undefined : outcome)
    )
  }
  if (report.event === 'approval' && !report.useApproveSale) {
    // A report that was recorded while the site had approve-sale may be repeated.
    const words = postbackEventsOf(report).join(', ')
    return repeatedOr(refused('event', `is not an event of this site. Use one of ${words}`))
  }
  if (!occurredAt) return repeatedOr(heldFor(earliest.of, earliest.at))
  const late = lateness(report, occurredAt)
  if (late) return repeatedOr(late)
  if (!origin) {
    // A sale that was attributed by its click id alone has no click row, and may be repeated.
    const reason = 'Its click has not arrived yet.'
    return repeatedOr({ outcome: 'waiting', waitsFor: 'click', reason })
  }

  const toWrite: ToWrite = {
    ...options,
    typeId,
    isSuspended,
    backdated: rates.backdated,
    make: (otherHalf) => {
      const { eventType, price, notice } = priceEvent(report, rates, otherHalf)
      const event: SaleEvent = {
        id: randomUUIDv7(),
        agent_id: click.agentId,
        occurred_at: occurredAt,
        recorded_at: report.recordedAt,
        event_type: eventType,
        quantity: 1,
        office_id: origin.officeId ?? 0,
        site_id: siteId,
        type_id: typeId,
        earning_cents: price.earningCents,
        payout_centavos: price.payoutCentavos,
        lpp: price.lpp,
        avp: rates.avp,
        rate_source: rates.source,
        rate_id: rates.rateId,
        fraud: origin.fraud,
        click_id: click.id,
        transaction_id: report.transactionId ?? null,
        customer_email: report.customerEmail ?? null,
        referrer_id: origin.referrerId,
        reverses: null,
        reversal: null,
        postback_id: report.postbackId,
        adjusts: null,
        backdating_id: null,
        restores: null,
        of_sale: null,
        sold_at: null,
        part_ppm: null,
        amount_e4: report.amount?.e4 ?? null,
        currency: report.amount?.currency ?? null,
        agent_suspended: isSuspended,
      }
      const tells = noticeOfRecorded(eventType, rates)
      return { event, notice, tells }
    },
  }
  if (tx) return writeInOrder(tx, ledger, report, toWrite)
  return (await writeFirst(db, ledger, report, toWrite)) ?? findRepeated(db, ledger, report, typeId)
}

/**
 * When a sale may have been made at the earliest. The click id that stands for a code has the time of whichever report of its order
 * came first, so the code's own start counts.
 */
export async function earliestOf(
  db: DbOrTx,
  report: SaleReport,
): Promise<{ of: 'click' | 'code'; at: Date }> {
  const clickedAt = new Date(report.click.clickedAtMs)
  const isAfter = (report.happenedAt ?? report.occurredAt) >= clickedAt
  const startsAt = isAfter ? undefined : await findStartOfCode(db, report)
  return startsAt ? { of: 'code', at: startsAt } : { of: 'click', at: clickedAt }
}

/** Rebills come for as long as the customer pays. */
function lateness(report: SaleReport, occurredAt: Date): Held | undefined {
  const { click, rules, event, act } = report
  const days = Math.floor((occurredAt.getTime() - click.clickedAtMs) / DAY_MS)
  const isBound = event !== 'rebill' && event !== 'click'
  if (!isBound || rules.countsForDays === 0 || days < rules.countsForDays || countsSale(act)) {
    return undefined
  }
  return hold(
    'late',
    `It came ${days} days after its click. The site’s sales count for ${rules.countsForDays} ${rules.countsForDays === 1 ? 'day' : 'days'}.`,
  )
}

const DAY_MS = 86_400_000

/** A click's own link type keeps its alias after deletion, because its clicks may still bring sales. */
async function findNamedType(db: DbOrTx, { siteId, click }: SaleReport, alias: string) {
  const named = await findTypeByAlias(db, siteId, alias)
  if (named !== undefined) return named
  return (await isCalled(db, click.typeId, alias)) ? click.typeId : undefined
}

async function findOriginWithoutRow(
  db: DbOrTx,
  click: ReportedClick,
  attributeFromId: boolean,
): Promise<Origin | undefined> {
  const sealed = await findSealedClick(db, click)
  // The click of such an id was not stored, so there is nothing to wait for.
  if (!sealed && !attributeFromId && !saysUnstored(click)) return undefined
  if (sealed) return { officeId: sealed.officeId, fraud: sealed.isBlacklisted, referrerId: null }
  const agent = await findAgent(db, click.agentId)
  return agent && { officeId: agent.officeId, fraud: false, referrerId: null }
}

export const ledgerOf = ({ click }: Report, ledger: SaleLedger): Ledger =>
  click?.agentId === TEST_AGENT_ID ? testLedger : ledger
