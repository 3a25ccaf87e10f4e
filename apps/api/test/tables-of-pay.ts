import type { DB } from '../src/db/types.ts'

/**
 * Tables without a part in pay. Every other one is a table of pay: `cli pay verify` has to name a change of any of its
 * columns. Before you add a table here, ask whether a row of it decides who is paid, how much, where to, or who may say so.
 */
const notOfPay = new Set<string>([
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
  'site_keys',
  // What is watched.
  'hourly_figures',
  'alarm_settings',
  'alarms',
  'quiet_sites',
  'link_checks',
  // People and what they sell. Their changes are in the common logs, which `cli audit verify` verifies.
  'offices',
  'agents',
  'accounts',
  'sites',
  'link_types',
  'former_site_flags',
  'former_link_type_flags',
  'office_sites',
  'agent_sites_off',
  'migrating_agents',
  'audit_log',
  'audit_head',
  // Sign-in, content and the app's own.
  'sessions',
  'api_tokens', // which can do nothing of pay but read it
  'form_keys',
  'journal_accounts',
  'sign_in_tokens',
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

export type Column = {
  name: string
  /** `integer`, `timestamp with time zone`, `ARRAY` … */
  type: string
  isNullable: boolean
  /** Its position in the primary key; null if it is not part of it. */
  keyPlace: number | null
  /** The values that a check constraint lists. */
  listed: string[]
}

/** The tables of pay in a migrated database, with their columns, by name. */
export async function findTablesOfPay(
  query: (sql: string) => Promise<{ rows: unknown[] }>,
): Promise<Map<string, Column[]>> {
  const { rows } = await query(`
    select
      columns.table_name as "table", columns.column_name as name, columns.data_type as type,
      columns.is_nullable = 'YES' as "isNullable",
      array_position(keys.conkey, columns.ordinal_position::smallint) as "keyPlace",
      coalesce(
        (
          select array_agg(value[1])
          from pg_constraint as checks
          cross join regexp_matches(
            pg_get_constraintdef(checks.oid),
            '''([^'']+)''::text', 'g'
          ) as value
          where checks.contype = 'c'
            and checks.conrelid = keys.conrelid
            and pg_get_constraintdef(checks.oid) ~ ('\\y' || columns.column_name || ' = ANY')
        ),
        '{}'
      ) as listed
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    join pg_constraint as keys
      on keys.conrelid = format('public.%I', columns.table_name)::regclass and keys.contype = 'p'
    where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE'
      and columns.table_name not like 'kysely%'
      and not exists (
        select from pg_inherits where inhrelid = format('public.%I', columns.table_name)::regclass
      )
    order by 1, columns.ordinal_position
  `)
  const found = rows as ({ table: string } & Column)[]
  return Map.groupBy(
    found.filter(({ table }) => !notOfPay.has(table)),
    ({ table }) => table,
  )
}
