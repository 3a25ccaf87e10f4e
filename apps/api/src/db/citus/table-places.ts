import type { DB } from '../types.ts'

/**
 * Where a table's rows are on a Citus coordinator:
 *
 * - `by agent_id`, `by order_hash`: distributed over the workers by that column, which each of its keys contains.
 * - `everywhere`: a reference table, complete on every machine, so that distributed tables can join it.
 * - `coordinator`: local. Queues, logs, and totals that are too small to distribute.
 * - `managed`, `managed parent`: local, too, but known to Citus, since a foreign key leads from it to a reference table, or since
 *   it is in one statement with tables that have such a key. Citus refuses statements that write to a table that it knows or to one
 *   that it does not, and read one of the other kind. To a parent lead foreign keys of others; once a transaction has used many
 *   shards, Citus refuses to write to it: see `writeBesideShards`.
 */
export type TablePlace =
  | 'by agent_id'
  | 'by order_hash'
  | 'everywhere'
  | 'managed'
  | 'managed parent'
  | 'coordinator'

/** Every table's place. The only foreign keys between places go from managed tables to reference tables. */
export const tablePlaces: Record<keyof DB, TablePlace> = {
  // Events, and tables that grow with them.
  clicks: 'by agent_id',
  // Counted together with clicks.
  click_seals: 'by agent_id',
  seen_visitors: 'by agent_id',
  crawler_visits: 'by agent_id',
  sale_events: 'by agent_id',
  bookings: 'by agent_id',
  totals_pending: 'by agent_id',
  totals_day_agent_type: 'by agent_id',
  totals_day_agent: 'by agent_id',
  totals_week_agent: 'by agent_id',
  totals_beweek_agent: 'by agent_id',
  totals_month_agent_type: 'by agent_id',
  totals_month_agent: 'by agent_id',
  // Unique across agents, so it cannot be distributed by agent.
  sale_keys: 'by order_hash',

  // Joined with events and totals.
  preferred_domains: 'everywhere',
  offices: 'everywhere',
  agents: 'everywhere',
  accounts: 'everywhere',
  sites: 'everywhere',
  link_types: 'everywhere',
  rates: 'everywhere',
  rate_withdrawals: 'everywhere',
  rate_backdatings: 'everywhere',
  former_site_flags: 'everywhere',
  former_link_type_flags: 'everywhere',
  office_sites: 'everywhere',
  agent_sites_off: 'everywhere',
  short_links: 'everywhere',
  short_names: 'everywhere',
  totals_open_day: 'everywhere',
  avp_tiers: 'everywhere',
  options: 'everywhere',
  referrers: 'everywhere',
  user_agents: 'everywhere',

  // Read for all offices at once: a round trip to the workers would cost more.
  totals_day_office: 'coordinator',
  totals_week_office_avp: 'coordinator',
  totals_day_office_type: 'coordinator',
  totals_month_office: 'coordinator',
  totals_month_office_type: 'coordinator',
  postbacks: 'coordinator',
  postback_settlements: 'coordinator',
  waiting_postbacks: 'coordinator',
  signed_postbacks: 'coordinator',
  held_postbacks: 'coordinator',
  held_followups: 'coordinator',
  held_decisions: 'coordinator',
  pending_postbacks: 'coordinator',
  likely_doubles: 'coordinator',
  site_words: 'coordinator',
  site_words_read: 'coordinator',
  coupons: 'coordinator',
  coupon_orders: 'coordinator',
  freed_codes: 'coordinator',
  rejected_orders: 'coordinator',
  test_sales: 'coordinator',
  sessions: 'managed',
  sign_in_tokens: 'managed',
  api_tokens: 'managed',
  former_addresses: 'managed',
  sign_in_waits: 'coordinator',
  mails: 'managed',
  postback_targets: 'managed parent',
  // In one statement with deliveries.
  notices: 'managed',
  facts: 'managed parent',
  bells: 'managed',
  bell_reads: 'managed',
  notification_choices: 'managed',
  untold_facts: 'managed',
  fact_mails: 'managed',
  mailed_topics: 'managed',
  deliveries: 'managed parent',
  delivery_tries: 'managed',
  captchas: 'coordinator',
  audit_log: 'coordinator',
  audit_head: 'coordinator',
  change_counters: 'coordinator',
  form_keys: 'coordinator',
  journal_accounts: 'coordinator',
  closed_months: 'coordinator',
  journal_exports: 'coordinator',
  counting_rules: 'coordinator',
  ip_blacklist: 'coordinator',
  migrating_agents: 'coordinator',
  site_keys: 'managed',
  site_manuals: 'managed',
  news: 'managed',
  demo_world: 'coordinator',
  alerts: 'managed',
  hourly_figures: 'coordinator',
  alarm_settings: 'coordinator',
  network_contact: 'coordinator',
  alarms: 'coordinator',
  verifications: 'coordinator',
  quiet_sites: 'coordinator',
  link_checks: 'coordinator',
  chat_logs: 'managed',
  uploads: 'managed',
  saved_views: 'managed',
  pay_state: 'coordinator',
  pay_settings: 'coordinator',
  pay_exchange_rates: 'coordinator',
  pay_proposals: 'coordinator',
  pay_proposal_decisions: 'coordinator',
  pay_periods: 'coordinator',
  statements: 'coordinator',
  tier_payments: 'coordinator',
  adjustments: 'coordinator',
  booked_adjustments: 'coordinator',
  balance_entries: 'coordinator',
  settlements: 'coordinator',
  pay_holds: 'coordinator',
  pay_minimums: 'coordinator',
  payee_tax_details: 'coordinator',
  payee_accounts: 'coordinator',
  payee_account_decisions: 'coordinator',
  account_hands: 'coordinator',
  pay_grants: 'coordinator',
  payee_account_shares: 'coordinator',
  payment_runs: 'coordinator',
  payment_run_steps: 'coordinator',
  payment_file_downloads: 'coordinator',
  payment_run_files: 'coordinator',
  payment_file_lines: 'coordinator',
  payment_run_lines: 'coordinator',
  payment_results: 'coordinator',
  payment_returns: 'coordinator',
  pay_file_templates: 'coordinator',
  pay_seals: 'coordinator',
  pay_seal_head: 'coordinator',
  pay_file_template_changes: 'coordinator',
  click_archives: 'coordinator',
  archive_purges: 'coordinator',
}
