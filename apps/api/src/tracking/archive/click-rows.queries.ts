import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { partitionOf } from './archives.queries.ts'
import type { ArchivedClick } from './click-file.ts'

/** The clicks of a month, or those of them that `which` names, in chunks, in physical order. */
export async function* readClicks(
  tx: Tx,
  month: Day,
  which: RawBuilder<unknown> = sql``,
): AsyncGenerator<ArchivedClick[]> {
  await sql`
    declare archived_clicks no scroll cursor for
    select
      clicked_at, agent_id, type_id, site_id, office_id, nonce, is_unique, uncounted is null as counted,
      uncounted, abbrev(ip) as ip, referrer_id, user_agent_id, subs::text as subs
    from ${partitionOf(month)} as click
    left join link_types as type on type.id = click.type_id
    ${which}
  `.execute(tx)
  for (;;) {
    const { rows } = await sql<ArchivedClick>`fetch 10000 from archived_clicks`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close archived_clicks`.execute(tx)
}

/** Inserts archived clicks into a new partition. Files of before may have black-listed clicks without a reason. */
export async function insertClicks(
  tx: Tx,
  table: RawBuilder<unknown>,
  clicks: readonly ArchivedClick[],
): Promise<void> {
  const all = <Name extends keyof ArchivedClick>(name: Name) => clicks.map((click) => click[name])
  const reasons = clicks.map(
    ({ counted, uncounted }) => uncounted ?? (counted ? null : 'blacklisted'),
  )
  await sql`
    insert into ${table} (
      clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, referrer_id,
      user_agent_id, subs
    )
    select
      clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, referrer_id,
      user_agent_id, subs::text[]
    from unnest(
      ${all('clicked_at')}::timestamptz[], ${all('agent_id')}::integer[], ${all('type_id')}::integer[],
      ${all('office_id')}::integer[], ${all('nonce')}::integer[], ${all('is_unique')}::boolean[],
      ${reasons}::text[], ${all('ip')}::inet[], ${all('referrer_id')}::bigint[],
      ${all('user_agent_id')}::bigint[], ${all('subs')}::text[]
    ) as click (
      clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, referrer_id,
      user_agent_id, subs
    )
  `.execute(tx)
}
