import type { SetupStep } from '@tallyroom/contract/desk/home'
import type { TrackedLink } from '@tallyroom/domain/tracked-link'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { Uncounted } from '../../tracking/index.ts'

export type SetupFacts = Record<SetupStep, boolean> & {
  /** The first site. */
  siteId: number | null
}

/** Which of the things that a network needs exist. Each query stops at the first row. */
export async function findSetup(tx: Tx): Promise<SetupFacts> {
  const { rows } = await sql<SetupFacts>`
    select
      (select min(id) from sites where deleted_at is null) as "siteId",
      exists (select 1 from sites where deleted_at is null) as site,
      exists (select 1 from link_types where deleted_at is null) as type,
      exists (select 1 from offices) as office,
      exists (select 1 from agents) as agent,
      exists (select 1 from agents where approved_at is not null) as approval,
      exists (select 1 from preferred_domains) as domain,
      exists (select 1 from test_sales) or exists (select 1 from sale_events) as postback,
      exists (select 1 from clicks where uncounted is null) or exists (select 1 from click_archives) as click
  `.execute(tx)
  const [facts] = rows
  if (!facts) throw new Error('a select without from always has a row')
  return facts
}

/** Whether pay is on, and whether there are two who may manage it and can sign in. */
export async function findPayFacts(db: DbOrTx): Promise<{ pay: boolean; second: boolean }> {
  const { rows } = await sql<{ pay: boolean; second: boolean }>`
    select
      exists (select 1 from pay_state) as pay,
      (
        select count(*)
        from accounts
        where (role = ${roleNumber('superadmin')} or pay)
          and not suspended and not login_blocked and invited_at is null
      ) > 1 as second
  `.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('a select without from always has a row')
  return facts
}

/** Why the newest stored clicks do not count, newest first. */
export async function findUncounted(tx: Tx, limit: number): Promise<Uncounted[]> {
  const { rows } = await sql<{ because: Uncounted }>`
    select uncounted as because from clicks
    where uncounted is not null
    order by clicked_at desc
    limit ${limit}
  `.execute(tx)
  return rows.map(({ because }) => because)
}

/** Why the newest postbacks became no sale, newest first. */
export async function findFailedPostbacks(tx: Tx, limit: number): Promise<(string | null)[]> {
  const { rows } = await sql<{ reason: string | null }>`
    select reason from postbacks
    where outcome <> 'recorded'
    order by received_at desc
    limit ${limit}
  `.execute(tx)
  return rows.map(({ reason }) => reason)
}

export type WorkingLink = TrackedLink & { domain: string | null }

/** The first link in the network that works, and its office's preferred domain. */
export async function findFirstLink(tx: Tx): Promise<WorkingLink | undefined> {
  const { rows } = await sql<WorkingLink>`
    select site.id as "siteId", type.id as "typeId", agent.id as "agentId", domain.domain
    from link_types as type
    join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
    join office_sites as sold on sold.site_id = site.id
    join offices as office on office.id = sold.office_id and office.active
    join agents as agent
      on agent.office_id = office.id and agent.active and agent.approved_at is not null
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    left join preferred_domains as domain
      on domain.id = office.preferred_domain_id and not domain.hidden
    where type.active and type.deleted_at is null and off.site_id is null
    order by site.id, type.id, agent.id
    limit 1
  `.execute(tx)
  return rows[0]
}
