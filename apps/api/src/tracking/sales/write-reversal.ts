import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Chain } from './chains.ts'
import { type Ledger, LostRace } from './ledger.ts'
import { reverseEvent } from './price-event.ts'
import type { ReversalReport } from './report.ts'
import { reversalKey } from './sale-keys.ts'

/** Writes the reversal of what counts now, never dated before it, and returns its id. */
export async function writeReversal(
  tx: Tx,
  ledger: Ledger,
  report: Pick<ReversalReport, 'reversal' | 'occurredAt' | 'recordedAt' | 'postbackId' | 'amount'>,
  { sale, counted }: Chain,
): Promise<string> {
  const { now } = await ledger.findRepriced(tx, counted)
  const event = reverseEvent(now, report.reversal, {
    id: randomUUIDv7(),
    occurred_at: report.occurredAt > counted.occurred_at ? report.occurredAt : counted.occurred_at,
    recorded_at: report.recordedAt,
    postback_id: report.postbackId,
    amount_e4: report.amount?.e4 ?? null,
    currency: report.amount?.currency ?? null,
  })
  const key = {
    key: reversalKey(counted.id),
    reported: null,
    tells: 'sale.reversed',
    soldAt: sale.occurred_at,
  } as const
  if ((await ledger.insertOnce(tx, key, event, [])) !== 'written') {
    throw new LostRace('the sale was reversed meanwhile')
  }
  return event.id
}
