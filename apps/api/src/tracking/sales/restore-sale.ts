import { randomUUIDv7 } from 'node:crypto'
import { dayOf } from '@tallyroom/domain/new-york'
import { noticeOfRecorded } from '@tallyroom/domain/partner-postback'
import type { Tx } from '../../db/database.ts'
import { ratesOf } from '../../catalogue/index.ts'
import type { Chain } from './chains.ts'
import { type Ledger, LostRace } from './ledger.ts'
import { presentPrice, restoreEvent, type SaleEvent } from './price-event.ts'
import type { RecordOptions, SaleOutcome, SaleReport } from './report.ts'
import { restorationKey } from './sale-keys.ts'

export const restoredNotice = (reversedAt: Date): string =>
  `Counted again: it was reversed on ${dayOf(reversedAt)}.`

/**
 * Counts a reversed sale again, with a new event at the rates of the time when the sale was made. It is dated when
 * the merchant said so, but counts for AVP in the week of its sale, from which the reversal had taken it.
 */
export async function restoreSale(
  tx: Tx,
  ledger: Ledger,
  {
    report,
    chain,
    isSuspended,
    alsoInsert,
  }: {
    report: SaleReport
    chain: Chain & { reversal: SaleEvent }
    isSuspended?: boolean | undefined
  } & Pick<RecordOptions, 'alsoInsert'>,
): Promise<SaleOutcome> {
  const { sale, counted, reversal } = chain
  const { now } = await ledger.findRepriced(tx, counted)
  const soldAt = sale.occurred_at
  const rates = await ratesOf(tx, counted.type_id, counted.office_id || undefined, soldAt)
  if (!rates) throw new Error(`Link type ${counted.type_id} has no rates`)
  const event = restoreEvent(chain, presentPrice(counted, now.rate_id, rates), {
    id: randomUUIDv7(),
    occurred_at:
      report.occurredAt > reversal.occurred_at ? report.occurredAt : reversal.occurred_at,
    recorded_at: report.recordedAt,
    postback_id: report.postbackId,
    amount_e4: report.amount?.e4 ?? sale.amount_e4,
    currency: report.amount ? (report.amount.currency ?? null) : sale.currency,
    customer_email: report.customerEmail ?? sale.customer_email,
    agent_suspended: isSuspended ?? false,
  })
  const recorded = {
    outcome: 'recorded',
    eventId: event.id,
    typeId: event.type_id,
    agentId: event.agent_id,
    notice: restoredNotice(reversal.occurred_at),
  } as const
  const tells = noticeOfRecorded(event.event_type, rates)
  const key = { key: restorationKey(reversal.id), reported: null, tells, soldAt }
  const written = await ledger.insertOnce(tx, key, event, alsoInsert?.(recorded) ?? [])
  if (written !== 'written') throw new LostRace('the sale was counted again meanwhile')
  return recorded
}
