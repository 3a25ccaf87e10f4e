import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import type { NoticeKind } from '@tallyroom/domain/partner-postback'
import type { Listeners } from '../../notices/index.ts'
import type { SaleLedger } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'

/** A ledger that writes a notice with each event that somebody wants to hear of, in the same statement. */
export const tellingLedger = (ledger: SaleLedger, listeners: Listeners): SaleLedger => ({
  ...ledger,
  insertOnce(db, key, event, alsoInsert) {
    const kind = kindOf(event)
    if (kind === undefined || !listeners.hear(event)) {
      return ledger.insertOnce(db, key, event, alsoInsert)
    }
    const { id, agent_id, office_id, site_id, type_id, recorded_at: written_at } = event
    const row = { id, kind, agent_id, office_id, site_id, type_id, written_at }
    return ledger.insertOnce(db, key, event, [...alsoInsert, { table: 'notices', row }])
  },
})

/** Undefined for a paid click, which does not count. */
function kindOf({ event_type, quantity }: SaleEvent): NoticeKind | undefined {
  if (event_type === EVENT_TYPE.click) return undefined
  if (quantity === 0) return 'sale.adjusted'
  if (quantity < 0) return 'sale.reversed'
  return event_type === EVENT_TYPE.sale ? 'sale.recorded' : 'bonus.recorded'
}
