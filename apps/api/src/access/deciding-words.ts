import { linkTypeLabels, siteLabels } from '@tallyroom/contract/catalogue/labels'
import type { DecidingWrite } from '../db/guarded-writes.ts'

/** What decides money, as an object of a sentence: “Approve sale” of a site. */
export function inWords({ table, field }: DecidingWrite): string {
  const label = field === undefined ? undefined : labels[table]?.of[field]
  return label === undefined ? (tables[table] ?? 'pay') : `“${label}” of ${labels[table]?.what}`
}

const labels: Record<string, { what: string; of: Record<string, string> }> = {
  sites: { what: 'a site', of: siteLabels },
  link_types: { what: 'a link type', of: linkTypeLabels },
  agents: { what: 'an agent', of: { officeId: 'Office', fraudFlagged: 'Fraud flag' } },
}

/** Those that no page calls pay. */
const tables: Record<string, string> = {
  sale_events: 'sales',
  rates: 'rates',
  rate_withdrawals: 'rates',
  avp_tiers: 'AVP tiers',
}
