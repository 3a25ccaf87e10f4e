import { addDays, addMonths, dayOf, monthOf, NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../src/db/database.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { systemClock } from '../src/lib/clock.ts'
import { recountTotals } from '../src/totals/index.ts'
import { totalsOnOneServer } from '../src/totals/one-server.queries.ts'

/** The last migration of the version whose rows {@link buildOlderWorld} writes. */
export const olderVersion = '0016_totals_by_week_avp'

const offices = 4
const sites = 4
const typesPerSite = 2
const agents = 200
const clicks = 40_000
const days = 90
/** One click in this many has a sale, and one sale in this many is reversed a week later. */
const clicksPerSale = 20
const salesPerReversal = 10

/**
 * Fills an empty database of {@link olderVersion} with three months of rows for agents 1 to 200,
 * and returns the numbers of clicks and sale events. One office has its own rates, and half of the
 * sites pay by tiers.
 */
export async function buildOlderWorld(owner: Db): Promise<{ clicks: number; saleEvents: number }> {
  return inTransaction(owner, async (tx) => {
    await makePartitions(tx)
    await insertPeople(tx)
    await insertClicks(tx)
    await insertSales(tx)
    await countAsThen(tx)
    return countOlderEvents(tx)
  })
}

/** How many of these rows there are, before or after an upgrade. */
export async function countOlderEvents(
  db: DbOrTx,
): Promise<{ clicks: number; saleEvents: number }> {
  const { rows } = await sql<{ clicks: number; saleEvents: number }>`
    select
      (select count(*) from clicks) as clicks,
      (select count(*) from sale_events) as "saleEvents"
  `.execute(db)
  if (!rows[0]) throw new Error('a count has one row')
  return rows[0]
}

async function makePartitions(tx: Tx): Promise<void> {
  const today = dayOf(systemClock.now())
  const last = monthOf(today)
  for (let month = monthOf(addDays(today, -days)); month <= last; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    for (const [table, midnight] of [
      ['clicks', ' 00:00:00+00'],
      ['seen_visitors', ''],
    ] as const) {
      await sql`
        create table ${sql.table(`${table}_${month.slice(0, 7).replace('-', '_')}`)}
        partition of ${sql.table(table)}
        for values from (${sql.lit(month + midnight)}) to (${sql.lit(next + midnight)})
      `.execute(tx)
    }
  }
}

async function insertPeople(tx: Tx): Promise<void> {
  await sql`
    insert into offices (name, created_at)
    select 'Office ' || i, now() - interval '1 year' from generate_series(1, ${offices}) i
  `.execute(tx)
  await sql`
    insert into agents (office_id, approved_at, created_at)
    select 1 + i % ${offices}, now(), now() - interval '1 year' from generate_series(1, ${agents}) i
  `.execute(tx)
  await sql`
    insert into accounts (role, agent_id, username, password_hash, created_at)
    select 20, id, 'agent' || id, 'none', created_at from agents order by id
  `.execute(tx)
  await sql`
    insert into accounts (role, username, password_hash, created_at)
    values (0, 'superadmin', 'none', now())
  `.execute(tx)
  await sql`
    insert into sites (sitename, shortname, abbr, url, type, avp, created_at)
    select 'Site ' || i, 's' || i, 's' || i, 'https://merchant.example', 'DATING', i % 2 = 0, now()
    from generate_series(1, ${sites}) i
  `.execute(tx)
  await sql`
    insert into link_types (
      site_id, typename, typealias, url, payout_centavos, earning_cents, lpp, created_at
    )
    select 1 + i / ${typesPerSite}, 'Type ' || i, 'type' || i, 'https://merchant.example/join',
      50000 + i, 1000 + i, 1, now()
    from generate_series(0, ${sites * typesPerSite - 1}) i
  `.execute(tx)
  await sql`
    insert into office_fees
    select id, 1, true, payout_centavos * 2, earning_cents * 2, lpp, 0, 0, 0, now() from link_types
  `.execute(tx)
  await sql`
    insert into office_sites (office_id, site_id)
    select offices.id, sites.id from offices cross join sites
  `.execute(tx)
}

async function insertClicks(tx: Tx): Promise<void> {
  await sql`
    insert into clicks (
      clicked_at, agent_id, type_id, site_id, office_id, nonce, is_unique, counted, ip, subs
    )
    select
      date_trunc('milliseconds', now()) - interval '2 hours' - i * ${`${days} days`}::interval / ${clicks},
      agents.id, link_types.id, link_types.site_id, agents.office_id, i, true, true, '10.0.0.0'::inet + i, array['older']
    from generate_series(1, ${clicks}) i
    join agents on agents.id = 1 + i % ${agents}
    join link_types on link_types.id = 1 + i / ${agents} % ${sites * typesPerSite}
  `.execute(tx)
  await sql`
    insert into seen_visitors (day, agent_id, type_id, ip)
    select (clicked_at at time zone ${NEW_YORK})::date, agent_id, type_id, ip from clicks
  `.execute(tx)
}

async function insertSales(tx: Tx): Promise<void> {
  await sql`
    insert into sale_events (
      id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
      earning_cents, payout_centavos, lpp, avp, rate_source, fraud, click_id, transaction_id
    )
    select
      gen_random_uuid(), agent_id, clicked_at + interval '1 minute', clicked_at + interval '1 minute', 0, 1,
      clicks.office_id, clicks.site_id, clicks.type_id,
      coalesce(office_fees.earning_cents, link_types.earning_cents),
      coalesce(office_fees.payout_centavos, link_types.payout_centavos),
      link_types.lpp, sites.avp, case when office_fees.type_id is null then 'default' else 'office' end,
      false, 'older-' || nonce, 'older-' || nonce
    from clicks
    join sites on sites.id = clicks.site_id
    join link_types on link_types.id = clicks.type_id
    left join office_fees on office_fees.type_id = clicks.type_id and office_fees.office_id = clicks.office_id
    where nonce % ${clicksPerSale} = 0
  `.execute(tx)
  await sql`
    insert into sale_keys (sale_key, event_id, agent_id, type_id, click_id)
    select site_id || ':' || transaction_id, id, agent_id, type_id, click_id from sale_events
  `.execute(tx)
  await sql`
    insert into sale_events (
      id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
      earning_cents, payout_centavos, lpp, avp, rate_source, fraud, click_id, transaction_id, reverses, reversal
    )
    select
      gen_random_uuid(), agent_id, least(occurred_at + interval '7 days', now()), now(), event_type, -1,
      office_id, site_id, type_id, -earning_cents, -payout_centavos, -lpp, avp, rate_source, false, click_id,
      transaction_id, id, 'void'
    from sale_events
    where substr(transaction_id, 7)::integer / ${clicksPerSale} % ${salesPerReversal} = 0
  `.execute(tx)
}

/** Until 0057, a reversal lowered the AVP sales of its own day. */
async function countAsThen(tx: Tx): Promise<void> {
  // Counting needs two tables and some columns that were added later. It also leaves the newest click's day out of
  // months, as this version did not. So the newest click is one that does not count, on a day of its own.
  await sql`create temporary table click_seals (month date, day date) on commit drop`.execute(tx)
  await sql`create temporary table totals_open_day (day date) on commit drop`.execute(tx)
  await sql`
    create temporary view clicks as
    select clicked_at, agent_id, type_id, office_id, is_unique, case when not counted then 'bot' end as uncounted
    from public.clicks
    union all
    select now() + interval '1 day', 0, 0, 0, false, 'bot'
  `.execute(tx)
  // Nothing could be restored.
  await sql`
    create temporary view sale_events as
    select *, null::uuid as restores, null::uuid as of_sale from public.sale_events
  `.execute(tx)
  await recountTotals(tx, totalsOnOneServer)
  await sql`drop view sale_events`.execute(tx)
  await sql`drop view clicks`.execute(tx)
  await sql`
    insert into totals_pending (day, agent_id, office_id, site_id, type_id, avp_sales)
    select
      (moved.at at time zone ${NEW_YORK})::date,
      reversal.agent_id, reversal.office_id, reversal.site_id, reversal.type_id, moved.avp_sales
    from sale_events as reversal
    join sale_events as sale on sale.agent_id = reversal.agent_id and sale.id = reversal.reverses
    cross join lateral (values (sale.occurred_at, 1), (reversal.occurred_at, -1)) as moved (at, avp_sales)
    where reversal.avp
  `.execute(tx)
}
