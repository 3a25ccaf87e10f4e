import type { DB } from '../types.ts'

/**
 * Where a table's rows are when the database is a Citus coordinator:
 *
 * - `by agent_id`, `by sale_key`: spread over the workers by that column, which each of its keys contains.
 * - `everywhere`: whole on every machine, so that the spread tables can be joined with it.
 * - `coordinator`: there alone. Queues, sessions, logs, and totals too small to spread.
 */
export type TablePlace = 'by agent_id' | 'by sale_key' | 'everywhere' | 'coordinator'

/**
 * Every table's place. A foreign key may lead from the coordinator to what is everywhere, and nowhere else
 * from one place to another.
 */
export const tablePlaces: Record<keyof DB, TablePlace> = {
  // Events, and what is as many as they are.
  clicks: 'by agent_id',
  seen_visitors: 'by agent_id',
  crawler_visits: 'by agent_id',
  sale_events: 'by agent_id',
  totals_day_agent_type: 'by agent_id',
  totals_day_agent: 'by agent_id',
  totals_week_agent: 'by agent_id',
  totals_beweek_agent: 'by agent_id',
  totals_month_agent_type: 'by agent_id',
  totals_month_agent: 'by agent_id',
  // What is unique among all agents can't be spread by agent.
  sale_keys: 'by sale_key',

  // What events and totals are joined with.
  preferred_domains: 'everywhere',
  offices: 'everywhere',
  agents: 'everywhere',
  accounts: 'everywhere',
  sites: 'everywhere',
  link_types: 'everywhere',
  office_fees: 'everywhere',
  office_sites: 'everywhere',
  agent_sites_off: 'everywhere',
  avp_tiers: 'everywhere',
  options: 'everywhere',
  referrers: 'everywhere',
  user_agents: 'everywhere',

  // Changed with every event, or read for all offices at once: a round trip to the workers would be their cost.
  totals_pending: 'coordinator',
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
  test_sales: 'coordinator',
  sessions: 'coordinator',
  sign_in_tokens: 'coordinator',
  sign_in_waits: 'coordinator',
  captchas: 'coordinator',
  audit_log: 'coordinator',
  audit_head: 'coordinator',
  change_counters: 'coordinator',
  ip_blacklist: 'coordinator',
  migrating_agents: 'coordinator',
  site_keys: 'coordinator',
  site_manuals: 'coordinator',
  news: 'coordinator',
  alerts: 'coordinator',
  chat_logs: 'coordinator',
  uploads: 'coordinator',
}
