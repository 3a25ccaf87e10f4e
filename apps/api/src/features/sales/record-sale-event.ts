import { randomUUIDv7 } from 'node:crypto'
import { postbackEventsOf } from '@tallyroom/domain/event-types'
import type { Layout } from '../../db/citus/layout.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { findSealedClick } from '../click-archive/index.ts'
import { findClick } from '../clicks/index.ts'
import { ratesOf } from '../office-fees/index.ts'
import {
  type RecordOptions,
  type Report,
  type ReportedClick,
  type SaleOutcome,
  type SaleReport,
  dateOf,
  heldFor,
} from './report.ts'
import { refused, refuseType } from './refuse.ts'
import { Backdated, type Ledger } from './ledger.ts'
import { priceEvent, type SaleEvent } from './price-event.ts'
import { reverseSale } from './reverse-sale.ts'
import { saleLedgerOnCitus } from './sales-citus.queries.ts'
import { findOfficeOfAgent, findTypeByAlias, isCalled, saleLedger } from './sales.queries.ts'
import { TEST_AGENT_ID, testLedger } from './test-sales.queries.ts'
import { findRepeated, writeOnce } from './write-once.ts'

/** Records a report or explains why not. Timely and late reports both come here. */
export const recordSaleEvent = (
  tx: Tx,
  report: Report,
  options: Pick<RecordOptions, 'layout' | 'attributeFromId'>,
): Promise<SaleOutcome> =>
  report.kind === 'reversal'
    ? reverseSale(tx, report, ledgerOf(report, options.layout))
    : recordSale(tx, report, options)

/** A sale is written atomically, so it needs no surrounding transaction. */
export async function recordSale(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
): Promise<SaleOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await priceAndWrite(db, report, options)
    } catch (error) {
      if (!(error instanceof Backdated) || tries === MOST_TRIES) throw error
    }
  }
}

/** How often a sale is repriced while rates are being backdated concurrently. */
const MOST_TRIES = 5

async function priceAndWrite(
  db: DbOrTx,
  report: SaleReport,
  options: RecordOptions,
): Promise<SaleOutcome> {
  const { click, siteId } = report
  const origin = await findOrigin(db, click, options.attributeFromId ?? false)

  const clickedAt = new Date(click.clickedAtMs)
  const occurredAt = dateOf(report, clickedAt)
  const ratesFor = (type: number) =>
    ratesOf(db, type, origin?.officeId, occurredAt ?? report.occurredAt)

  let typeId = click.typeId
  let rates = await ratesFor(typeId)
  if (rates?.siteId !== siteId) return refused('click_id', 'belongs to another site')

  if (report.typeAlias !== undefined) {
    const named = await findNamedType(db, report, report.typeAlias)
    if (named === undefined) return refuseType(db, siteId)
    if (named !== typeId) rates = (await ratesFor(named)) ?? rates
    typeId = named
  }

  const ledger = ledgerOf(report, options.layout)
  if (report.event === 'approval' && !report.useApproveSale) {
    // A report that was recorded while the site had approve-sale may be repeated.
    const repeated = await findRepeated(db, ledger, report, typeId)
    const words = postbackEventsOf(report).join(', ')
    return repeated ?? refused('event', `is not an event of this site. Use one of ${words}`)
  }
  if (!occurredAt) {
    return (await findRepeated(db, ledger, report, typeId)) ?? heldFor('click', clickedAt)
  }
  if (!origin) {
    // A sale that was attributed by its click id alone has no click row, and may be repeated.
    const repeated = await findRepeated(db, ledger, report, typeId)
    const reason = 'Its click has not arrived yet.'
    return repeated ?? { outcome: 'waiting', waitsFor: 'click', reason }
  }

  return writeOnce(db, ledger, report, {
    ...options,
    typeId,
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
      }
      return { event, notice }
    },
  })
}

/** A click's own link type keeps its alias after deletion, because its clicks may still bring sales. */
async function findNamedType(db: DbOrTx, { siteId, click }: SaleReport, alias: string) {
  const named = await findTypeByAlias(db, siteId, alias)
  if (named !== undefined) return named
  return (await isCalled(db, click.typeId, alias)) ? click.typeId : undefined
}

/** The attribution of a sale from the click's row, or its month's sums, which have the office of that time. */
type Origin = { officeId: number | undefined; fraud: boolean; referrerId: number | null }

async function findOrigin(
  db: DbOrTx,
  click: ReportedClick,
  attributeFromId: boolean,
): Promise<Origin | undefined> {
  if (click.agentId === TEST_AGENT_ID) {
    return { officeId: undefined, fraud: false, referrerId: null }
  }
  const row = await findClick(db, click)
  if (row) return { officeId: row.officeId, fraud: row.isBlacklisted, referrerId: row.referrerId }
  const sealed = await findSealedClick(db, click)
  if (sealed) return { officeId: sealed.officeId, fraud: sealed.isBlacklisted, referrerId: null }
  if (!attributeFromId) return undefined
  const officeId = await findOfficeOfAgent(db, click.agentId)
  return officeId === undefined ? undefined : { officeId, fraud: false, referrerId: null }
}

function ledgerOf({ click }: Report, layout: Layout): Ledger {
  if (click?.agentId === TEST_AGENT_ID) return testLedger
  return layout === 'together' ? saleLedger : saleLedgerOnCitus
}
