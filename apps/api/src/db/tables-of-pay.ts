import { decidingFields } from '@tallyroom/contract/effects'
import type { DB } from './types.ts'

/**
 * Tables without a part in pay. Every other one is a table of pay: `cli pay verify` names a change of any of its columns, and
 * whoever could not be asked for a password can't write it (`guarded-writes`). Before you add a table here, ask whether a row
 * of it decides who is paid, how much, where to, or who may say so.
 */
export const notOfPay = new Set<string>([
  // Traffic. What is sold is in sale_events.
  'clicks',
  'click_seals',
  'click_archives',
  'archive_purges',
  'seen_visitors',
  'crawler_visits',
  'referrers',
  'user_agents',
  'counting_rules',
  'ip_blacklist',
  'preferred_domains',
  'test_sales',
  'link_tests',
  // What `cli totals verify` recounts.
  'totals_day_agent_type',
  'totals_day_agent',
  'totals_week_agent',
  'totals_beweek_agent',
  'totals_month_agent_type',
  'totals_month_agent',
  'totals_pending',
  'totals_day_office',
  'totals_week_office_avp',
  'totals_day_office_type',
  'totals_month_office',
  'totals_month_office_type',
  'totals_open_day',
  // What merchants reported, until it is a sale.
  'sale_keys',
  'postbacks',
  'postback_settlements',
  'waiting_postbacks',
  'signed_postbacks',
  'held_postbacks',
  'held_followups',
  'held_decisions', // signed: a row that the app has not made is not carried out
  'pending_postbacks',
  // What partners hear of sales.
  'postback_targets',
  'notices',
  'facts',
  'bells',
  'bell_reads',
  'notification_choices',
  'untold_facts',
  'fact_mails',
  'mailed_topics',
  'deliveries',
  'delivery_tries',
  'rejected_orders',
  'likely_doubles',
  'site_words',
  'site_words_read',
  'site_keys',
  // What is watched.
  'hourly_figures',
  'alarm_settings',
  'network_contact',
  'alarms',
  'verifications',
  'quiet_sites',
  'link_checks',
  // People and what they sell. Their changes are in the common logs, which `cli audit verify` verifies.
  'offices',
  'agents',
  'accounts',
  'sites',
  'link_types',
  'office_sites',
  'agent_sites_off',
  // A click is no sale, and what a name leads to stays as it was made.
  'short_links',
  'short_names',
  'coupons', // like links: whose sale it is that a merchant reports
  'coupon_orders',
  'freed_codes',
  'migrating_agents',
  'audit_log',
  'audit_head',
  // Sign-in, content and the app's own.
  'sessions',
  'api_tokens', // which can do nothing of pay but read it
  'form_keys',
  'journal_accounts',
  'closed_months', // in which month of the books an entry stands: no amount, no payee
  'journal_exports', // what an accountant has taken of it, not what is owed
  'sign_in_tokens',
  'authenticators',
  'recovery_codes',
  'passkeys',
  'used_challenges',
  'provider_links',
  'former_addresses',
  'sign_in_rules', // asks more of people, and never less than the password
  'sign_in_waits',
  'captchas',
  'mails',
  'options',
  'change_counters',
  'site_manuals',
  'news',
  'demo_world',
  'alerts',
  'chat_logs',
  'uploads',
  'saved_views',
] satisfies (keyof DB)[])

/** What only bears witness: of hands, and of rows. Writing it pays nobody. */
const ofEvidence = new Set<string>([
  'account_hands',
  'passkey_changes',
  'agent_moves',
  'pay_seals',
  'pay_seal_head',
] satisfies (keyof DB)[])

/** Whether a table's rows decide money. */
export const decidesMoney = (table: string): boolean =>
  !notOfPay.has(table) && !ofEvidence.has(table)

/** By table without a part in pay: its columns that decide money, with their fields in the contract. */
export const decidingColumns: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  (
    [
      ['sites', decidingFields.site],
      ['link_types', decidingFields.linkType],
      ['agents', decidingFields.agent],
    ] satisfies [keyof DB, object][]
  ).map(([table, fields]) => [
    table,
    new Map(Object.keys(fields).map((field) => [columnOf(field), field])),
  ]),
)

/** A row begins with some value of these columns; only changing it decides. */
export const decidesWhenInserted = (table: string): boolean => table !== 'agents'

function columnOf(field: string): string {
  if (field === 'fraudFlagged') return 'fraud_flagged_at'
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
