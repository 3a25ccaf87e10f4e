import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../apps/api/src/db/database.ts'
import {
  type PasswordColumn,
  passwordColumn,
} from '../apps/api/src/people/accounts/password-column.ts'
import type { Services } from '../apps/api/src/services.ts'

export const world = { agents: 5_000, offices: 200, sites: 50, domains: 10 }

/**
 * Full lists of accounts, with some suspended and hidden ones, sites not sold or switched off, and stored
 * passwords.
 */
export async function buildWorld(
  services: Pick<Services, 'config' | 'connection' | 'secret' | 'formerSecrets'>,
): Promise<void> {
  const { db, close } = openDatabase(services.connection, {
    max: 1,
    applicationName: 'bench:lists seed',
    asOwner: true,
  })
  await buildOffices(db)
  await buildAgents(db)
  await buildSites(db)
  await sealPasswords(db, passwordColumn(services))
  // As autovacuum does after a minute. The app's own role may not.
  await sql`vacuum analyze`.execute(db)
  await close()
}

async function buildOffices(db: Db): Promise<void> {
  await sql`
    insert into preferred_domains (id, domain, created_at)
    select i, 'https://go' || i || '.example', now() from generate_series(1, ${world.domains}) i
  `.execute(db)
  await sql`
    insert into offices (id, name, preferred_domain_id, active, hidden, created_at)
    select
      i,
      'Office ' || md5(i::text),
      case when i % 8 > 0 then 1 + i % ${world.domains} end,
      i % 9 > 0,
      i % 20 = 0,
      date_trunc('second', now()) - i * interval '1 day'
    from generate_series(1, ${world.offices}) i
  `.execute(db)
  await sql`
    insert into accounts (role, office_id, username, password_hash, created_at)
    select ${roleNumber('company')}, id, 'office' || id, 'none', created_at from offices
  `.execute(db)
}

async function buildAgents(db: Db): Promise<void> {
  await sql`
    insert into agents (id, office_id, active, hidden, approved_at, created_at)
    select
      i,
      1 + i % ${world.offices},
      i % 10 > 0,
      i % 40 = 0,
      now(),
      date_trunc('second', now()) - i * interval '1 hour'
    from generate_series(1, ${world.agents}) i
  `.execute(db)
  await sql`
    insert into accounts (
      role, agent_id, username, password_hash, created_at, sign_in_count, last_sign_in_at
    )
    select
      ${roleNumber('agent')},
      id,
      case when id % 2 = 0 then 'Agent' else 'agent' end || substr(md5(id::text), 1, 12),
      'none',
      created_at,
      case when id % 5 > 0 then 1 + id % 300 else 0 end,
      case when id % 5 > 0 then date_trunc('second', now()) - id % 700 * interval '1 hour' end
    from agents
  `.execute(db)
}

async function buildSites(db: Db): Promise<void> {
  await sql`
    insert into sites (id, sitename, shortname, abbr, url, type, hidden, created_at)
    select i, 'Site ' || i, 's' || i, 's' || i, 'https://merchant.example', 'DATING', i % 25 = 0, now()
    from generate_series(1, ${world.sites}) i
  `.execute(db)
  await sql`
    insert into office_sites (office_id, site_id)
    select offices.id, sites.id from offices, sites where (offices.id + sites.id) % 7 > 0
  `.execute(db)
  await sql`
    insert into agent_sites_off (agent_id, site_id)
    select agents.id, sites.id from agents, sites
    where agents.id % 3 = 0 and (agents.id + sites.id) % 11 = 0
  `.execute(db)
}

/** The lists decrypt these again, row by row. */
async function sealPasswords(db: Db, passwords: PasswordColumn): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '<>', roleNumber('superadmin'))
    .where('pay', '=', false)
    .execute()
  const ids = accounts.map(({ id }) => id)
  const sealed = ids.map((id) => passwords.seal(id, passwordOf(id)))
  await sql`
    update accounts set password_sealed = given.sealed
    from unnest(${ids}::bigint[], ${sealed}::bytea[]) as given (id, sealed)
    where given.id = accounts.id
  `.execute(db)
}

export const passwordOf = (accountId: number): string => `Pa55word ${accountId}`
