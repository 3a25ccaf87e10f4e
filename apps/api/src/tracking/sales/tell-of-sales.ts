import type { Listeners } from '../../notices/index.ts'
import type { SaleLedger } from './ledger.ts'

/** A ledger that writes a notice with each event that somebody wants to hear of, in the same statement. */
export const tellingLedger = (ledger: SaleLedger, listeners: Listeners): SaleLedger => ({
  ...ledger,
  insertOnce(db, key, event, alsoInsert) {
    const { tells: kind } = key
    if (kind === undefined || !listeners.hear(event)) {
      return ledger.insertOnce(db, key, event, alsoInsert)
    }
    const { id, agent_id, office_id, site_id, type_id, recorded_at: written_at } = event
    const row = { id, kind, agent_id, office_id, site_id, type_id, written_at }
    return ledger.insertOnce(db, key, event, [...alsoInsert, { table: 'notices', row }])
  },
})
