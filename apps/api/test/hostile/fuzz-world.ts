import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { announceChange } from '../../src/db/changes.ts'
import type { Db } from '../../src/db/database.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { makeSiteKeys } from '../../src/tracking/site-keys/site-keys.ts'
import {
  buildHome,
  type Caller,
  type Home,
  type ObjectKind,
  objects,
  signedIn,
} from '../access-matrix-world.ts'
import { buildLinkType, buildSite } from '../build-world.ts'
import type { TestServices } from '../services.ts'
import type { Random } from './random.ts'
import type { FuzzRequest } from './request.ts'

/**
 * A caller's surroundings: an office and an agent, its own if it has one, a session, and objects
 * that may be destroyed.
 */
export type FuzzWorld = {
  caller: Caller
  home: Home
  token: string | undefined
  /** Foreign ones: of the same office and agent, and of staff. */
  otherTokens: readonly string[]
  /** What the merchant's postbacks contain. */
  keys: readonly string[]
  /** The ids of all objects built here, of any kind. */
  ids: number[]
  idOf(kind: ObjectKind, target: string): unknown
  signInAgain(): Promise<void>
  /**
   * Turns a request into a visit to an existing link, or into a merchant's report about such a
   * visit.
   */
  track(request: FuzzRequest, random: Random): void
  /** Collects the ids of clicks from answers. */
  remember(response: LightMyRequestResponse): void
}

export async function buildFuzzWorld(services: TestServices, caller: Caller): Promise<FuzzWorld> {
  const { db } = services
  // The matrix assumes that payouts are hidden. A good request may have changed that.
  await db.updateTable('options').set({ value: '0' }).where('name', '=', 'payout_visible').execute()
  const home = await buildHome(db)
  const ids = [home.officeId, home.agentId]
  const clickIds = ['x', 'a'.repeat(32)]
  const merchant = await buildMerchant(services, home)
  const built = await buildObjects(db, home)
  for (const id of built.values()) {
    for (const one of typeof id === 'object' ? Object.values(id ?? {}) : [id]) {
      if (typeof one === 'number') ids.push(one)
    }
  }

  const otherTokens: string[] = []
  for (const other of ['agent', 'office', 'admin', 'superadmin'] as const) {
    const token = await signedIn(services, other, home)
    if (token !== undefined) otherTokens.push(token)
  }

  const world: FuzzWorld = {
    caller,
    otherTokens,
    keys: [merchant.key],
    home,
    ids,
    token: await signedIn(services, caller, home),
    idOf: (kind, target) => built.get(`${kind} ${target}`),
    async signInAgain() {
      world.token = await signedIn(services, caller, home)
    },
    track({ path, params, query }, random) {
      const { siteId, typeId, key } = merchant
      params['siteId'] = String(siteId)
      if (path.startsWith('/api/links')) {
        Object.assign(params, { typeId: String(typeId), agentId: String(home.agentId) })
        query.push(['sub1', random.pick(['green', 'a\r\nset-cookie: x=1', '{click_id}', '😀'])])
        return
      }
      query.push(
        ['key', key],
        ['click_id', random.pick(clickIds)],
        ['txid', `t${random.below(20)}`],
        [
          'event',
          random.pick(['sale', 'bonus', 'click', 'approval', 'void', 'chargeback', 'fraud']),
        ],
      )
    },
    remember({ headers }) {
      const clickId = /[?&]click_id=(\w{32})/.exec(String(headers.location))?.[1]
      if (clickId !== undefined) clickIds.push(clickId)
    },
  }
  return world
}

/** An object of every kind for every relation, by kind and relation. */
async function buildObjects(db: Db, home: Home): Promise<Map<string, unknown>> {
  const builders: Record<string, Record<string, (db: Db, home: Home) => Promise<unknown>>> = objects
  const built = new Map<string, unknown>()
  // One by one, because a new site goes to every existing office, and a new office gets every site.
  for (const [kind, targets] of Object.entries(builders)) {
    for (const [target, build] of Object.entries(targets)) {
      built.set(`${kind} ${target}`, await build(db, home))
    }
  }
  return built
}

type Merchant = { siteId: number; typeId: number; key: string }

/** A site whose links work and whose merchant sends postbacks. */
async function buildMerchant(services: TestServices, { officeId }: Home): Promise<Merchant> {
  const { db } = services
  const siteId = await buildSite(db, { soldBy: [officeId] })
  const typeId = await buildLinkType(db, { site_id: siteId, bonus: true })
  await inTransaction(db, (tx) => announceChange(tx, 'destinations'))
  return { siteId, typeId, ...(await makeSiteKeys(services).provide(siteId)) }
}

/** Who may do what, and to whom each account belongs. */
export type Rights = Map<number, Account>

type Account = {
  id: number
  role: number
  officeId: number | null
  agentId: number | null
  /** The office of an agent. */
  agentOfficeId: number | null
  flags: boolean[]
}

export async function readRights(db: Db): Promise<Rights> {
  const { rows } = await sql<Account>`
    select
      accounts.id,
      role,
      accounts.office_id as "officeId",
      agent_id as "agentId",
      agents.office_id as "agentOfficeId",
      array[delete_agents, delete_sites, approve_agents, show_common_logs, earning_visible, show_suspend, pay] as flags
    from accounts
    left join agents on agents.id = accounts.agent_id
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const ROLE = { superadmin: 0, admin: 5, agent: 20 }

/** Changes of accounts that `caller` must not be able to make. */
export function rightsGained(before: Rights, after: Rights, { caller, home }: FuzzWorld): string[] {
  const isSuperadmin = caller.startsWith('superadmin')
  const isStaff = isSuperadmin || caller.startsWith('admin')
  return [...after.values()].flatMap((now) => {
    const then = before.get(now.id)
    const tell = (what: string) => [`${caller}: account ${now.id} ${what}: ${JSON.stringify(now)}`]
    // Only the operator can grant it, on the command line.
    const firstFlag = isSuperadmin ? 2 : now.flags.length
    if (!then) {
      if (now.role === ROLE.superadmin) return tell('is a new superadmin')
      if (!isSuperadmin && now.role !== ROLE.agent) return tell('is new and no agent')
      if (!isStaff && now.agentOfficeId !== home.officeId) return tell('is new elsewhere')
      return now.flags.slice(0, firstFlag).some(Boolean) ? tell('is new with rights') : []
    }
    if (now.role !== then.role || now.agentId !== then.agentId) return tell('is another')
    if (now.officeId !== then.officeId) return tell('got another office')
    if (!isStaff && now.agentOfficeId !== then.agentOfficeId) return tell('was moved')
    // Whether to see suspended accounts is the account's own choice.
    const gained = now.flags
      .slice(0, firstFlag)
      .some((flag, index) => flag && !then.flags[index] && index !== 5)
    return gained ? tell('gained rights') : []
  })
}

/**
 * What offices, agents and visitors can't change: a fingerprint of what belongs to staff and to
 * other offices.
 */
export async function readForeign(db: Db, { home }: FuzzWorld): Promise<string> {
  const fingerprint = sql`select md5(string_agg(row::text, ',' order by row::text))`
  const parts = [
    sql`${fingerprint} from offices as row where id <> ${home.officeId}`,
    sql`${fingerprint} from agents as row where office_id <> ${home.officeId}`,
    ...staffTables.map((table) => sql`${fingerprint} from ${sql.table(table)} as row`),
  ]
  const { rows } = await sql<{ md5: string | null }>`
    ${sql.join(parts, sql` union all `)}
  `.execute(db)
  return rows.map(({ md5 }) => md5).join(' ')
}

const staffTables = [
  'sites',
  'link_types',
  'rates',
  'rate_withdrawals',
  'options',
  'preferred_domains',
  'news',
  'alerts',
  'site_manuals',
  'avp_tiers',
  'ip_blacklist',
  'uploads',
  'site_keys',
  'coupons',
] as const
