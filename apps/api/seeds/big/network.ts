import type { Day } from '@tallyroom/domain/new-york'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { hash } from './hash.ts'
import type { Scale } from './scale.ts'

/** Offices, agents, sites, link types, own rates and accounts. Ids count from 1. */
export async function insertNetwork(
  tx: Tx,
  { scale, firstDay, passwordHash }: { scale: Scale; firstDay: Day; passwordHash: string },
): Promise<void> {
  const createdAt = sql`${firstDay}::date - interval '30 days'`
  await sql`
    insert into preferred_domains (id, domain, created_at)
    values (1, 'https://go.brightlane.example', ${createdAt})
  `.execute(tx)
  await sql`
    insert into offices (id, name, man_first_name, man_last_name, preferred_domain_id, created_at)
    select id, 'Office ' || lpad(id::text, 3, '0'), 'Manager', lpad(id::text, 3, '0'), 1, ${createdAt}
    from generate_series(1, ${scale.offices}::integer) as id
  `.execute(tx)
  await sql`
    insert into agents (id, office_id, first_name, last_name, approved_at, created_at)
    select id, 1 + id % ${scale.offices}::integer, 'Agent', lpad(id::text, 5, '0'), ${createdAt}, ${createdAt}
    from generate_series(1, ${scale.agents}::integer) as id
  `.execute(tx)
  await sql`
    insert into sites (id, sitename, shortname, abbr, url, click_param, type, use_approve_sale, avp, created_at)
    select
      id, 'Site ' || lpad(id::text, 3, '0'), 'Site' || id, 'S' || id, 'https://site' || id || '.example',
      'click_id', (array['WEBCAMS', 'ADULT', 'DATING', 'CASINO'])[1 + id % 4], id % 5 = 0, id % 3 = 0,
      ${createdAt}
    from generate_series(1, ${scale.sites}::integer) as id
  `.execute(tx)
  const key = sql`id::bigint`
  await sql`
    insert into link_types (id, site_id, typename, typealias, url, bonus, created_at)
    select
      id, site_id, 'Link ' || place, 'link' || place, 'https://site' || site_id || '.example/' || place,
      place % 2 = 0, ${createdAt}
    from (
      select id, 1 + (id - 1) / ${scale.typesPerSite}::integer as site_id,
        1 + (id - 1) % ${scale.typesPerSite}::integer as place
      from generate_series(1, ${scale.sites * scale.typesPerSite}::integer) as id
    ) as types
  `.execute(tx)
  await sql`
    insert into rates (
      type_id, payout_centavos, earning_cents, lpp, bonus_payout_centavos, bonus_earning_cents, bonus_lpp
    )
    select
      id, 2000 + 500 * (${hash(key, 1)} % 200), 100 + 25 * (${hash(key, 2)} % 200), 1 + ${hash(key, 3)} % 5,
      case when bonus then 1000 + 500 * (${hash(key, 4)} % 50) else 0 end,
      case when bonus then 50 + 25 * (${hash(key, 5)} % 50) else 0 end,
      case when bonus then 1 else 0 end
    from link_types
  `.execute(tx)
  await sql`
    insert into office_sites (office_id, site_id)
    select offices.id, sites.id from offices cross join sites
  `.execute(tx)
  await sql`
    insert into rates (
      type_id, office_id, enabled, payout_centavos, earning_cents, lpp,
      bonus_payout_centavos, bonus_earning_cents, bonus_lpp
    )
    select
      type_id, offices.id, (type_id + offices.id) % 4 <> 0,
      payout_centavos + 1000, earning_cents + 50, lpp,
      bonus_payout_centavos + 500, bonus_earning_cents + 25, bonus_lpp
    from rates
    cross join offices
    where (type_id * 7 + offices.id) % 20 = 0
  `.execute(tx)
  await sql`
    insert into avp_tiers (valid_from, index, from_sales, to_sales, payout_centavos, payout_cents)
    select
      ${firstDay}::date - extract(isodow from ${firstDay}::date)::integer + 1, *
    from (values (0, 0, 0, 0, 0), (1, 1, 1, 0, 0), (2, 2, 3, 2000, 40), (3, 4, 1000, 4500, 90)) as tiers
  `.execute(tx)
  await insertAccounts(tx, { createdAt, passwordHash })
  for (const table of ['preferred_domains', 'offices', 'agents', 'sites', 'link_types'] as const) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))
    `.execute(tx)
  }
}

/** `superadmin`, `admin`, `office001`…, `agent00001`…, all with the same password. */
async function insertAccounts(
  tx: Tx,
  { createdAt, passwordHash }: { createdAt: ReturnType<typeof sql>; passwordHash: string },
): Promise<void> {
  await sql`
    insert into accounts (
      role, office_id, agent_id, username, email, password_hash, created_at,
      earning_visible, approve_agents, show_suspend, show_common_logs
    )
    select
      role, office_id, agent_id, username, username || '@tallyroom.example', ${passwordHash}, ${createdAt},
      role <= 5, role <= 5, role <= 5, role <= 5
    from (
      select ${roleNumber('superadmin')}::smallint as role, null::bigint as office_id,
        null::bigint as agent_id, 'superadmin' as username
      union all
      select ${roleNumber('admin')}::smallint, null, null, 'admin'
      union all
      select ${roleNumber('company')}::smallint, id, null, 'office' || lpad(id::text, 3, '0') from offices
      union all
      select ${roleNumber('agent')}::smallint, null, id, 'agent' || lpad(id::text, 5, '0') from agents
    ) as people
  `.execute(tx)
  await sql`
    insert into pay_grants (account_id, granted, made_at)
    select id, true, created_at from accounts where role = ${roleNumber('superadmin')}
  `.execute(tx)
}
