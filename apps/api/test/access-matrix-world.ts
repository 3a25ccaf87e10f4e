import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { addDays } from '@tallyroom/domain/new-york'
import type { TokenGroup } from '@tallyroom/contract/token-groups'
import { PERMISSIONS } from '@tallyroom/domain/abilities'
import { lookOf } from '@tallyroom/domain/short-link'
import { type Role, roleNumber } from '@tallyroom/domain/roles'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../src/db/database.ts'
import { inTransaction } from '../src/db/transaction.ts'
import type { DB } from '../src/db/types.ts'
import { makeWebhookSecret, webhookSeals } from '../src/desk/partner-postbacks/webhook-secret.ts'
import { permissionColumns } from '../src/people/accounts/accounts.queries.ts'
import { hashToken } from '../src/lib/tokens.ts'
import { makeTokenText } from '../src/people/tokens/token-text.ts'
import { insertRows } from '../src/db/rows.queries.ts'
import { openSession } from '../src/people/sessions/open-session.ts'
import type { Membership } from '../src/access/viewer.ts'
import { addAndFold } from './add-to-totals.ts'
import {
  buildAccount,
  buildAgent,
  buildBackdating,
  buildDomain,
  buildFee,
  buildLinkType,
  buildCoupon,
  buildManual,
  buildOffice,
  buildSite,
} from './build-world.ts'
import {
  buildClosedMonth,
  buildOwed,
  buildPaidRun,
  buildRefusedRun,
  buildRunAtBank,
  buildRun,
  buildWaitingAccount,
  genericLayout,
  seenOf,
  statementOf,
} from './payment-world.ts'
import type { TestServices } from './services.ts'

/** The callers, in the order of the matrix's columns. */
export const callers = [
  'nobody',
  'agent',
  'office',
  'admin',
  'admin with all flags',
  'superadmin',
  'superadmin who may delete',
] as const
export type Caller = (typeof callers)[number]

const roles: Record<Exclude<Caller, 'nobody'>, Role> = {
  agent: 'agent',
  office: 'company',
  admin: 'admin',
  'admin with all flags': 'admin',
  superadmin: 'superadmin',
  'superadmin who may delete': 'superadmin',
}

const allFlags = Object.fromEntries(PERMISSIONS.map((flag) => [permissionColumns[flag], true]))
const flags: Partial<Record<Caller, Record<string, boolean>>> = {
  'admin with all flags': allFlags,
  'superadmin who may delete': { delete_agents: true, delete_sites: true },
}

/** An office and one of its agents; the caller's own if the caller is an office or agent. */
export type Home = { officeId: number; agentId: number }

/**
 * The office may sell only these sites and those built for it later. Allowing thousands of offices all sites would take
 * millions of rows.
 */
export const buildHome = async (db: Db, sells: readonly number[] = []): Promise<Home> => {
  const officeId = await buildOffice(db, { sells })
  return { officeId, agentId: await buildAgent(db, { office_id: officeId }) }
}

/** The account of a caller: a new one for staff. */
export async function accountOfCaller(db: Db, caller: Exclude<Caller, 'nobody'>, home: Home) {
  const membership = membershipOf(roles[caller], home)
  const accountId =
    membership.role === 'superadmin' || membership.role === 'admin'
      ? await buildAccount(db, { role: roleNumber(membership.role), ...flags[caller] })
      : await accountOfMember(db, membership)
  return { accountId, membership }
}

/** A token for programs, of a caller's account. */
export async function tokenOfCaller(
  { db }: TestServices,
  caller: Exclude<Caller, 'nobody'>,
  home: Home,
  may: readonly TokenGroup[],
): Promise<string> {
  const { accountId } = await accountOfCaller(db, caller, home)
  const token = makeTokenText()
  const hash = hashToken(token)
  await inTransaction(db, (tx) =>
    insertRows(tx, 'api_tokens', {
      account_id: accountId,
      name: 'a test',
      may: [...may],
      hash,
      made_at: tx.now,
      ends_at: new Date(tx.now.getTime() + 24 * 60 * 60_000),
    }),
  )
  return token
}

/** A token for programs: `own` is the agent's. */
async function buildToken(db: Db, accountId: number): Promise<number> {
  const { id } = await db
    .insertInto('api_tokens')
    .values({
      account_id: accountId,
      name: 'a test',
      may: ['figures'],
      hash: randomBytes(32),
      made_at: new Date(0),
      ends_at: new Date('2100-01-01T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A session token, created without signing in. Undefined for the anonymous caller. */
export async function signedIn(
  { db, clock, secret }: TestServices,
  caller: Caller,
  home: Home,
): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  const { accountId, membership } = await accountOfCaller(db, caller, home)
  const account = { accountId, username: caller, permissions: [], ...membership }
  const visit = {
    ip: '203.0.113.9',
    userAgent: 'a test',
    now: clock.now(),
    secret,
    provedBy: 'password',
  } as const
  return inTransaction(db, (tx) => openSession(tx, { account, ...visit }))
}

function membershipOf(role: Role, { officeId, agentId }: Home): Membership {
  switch (role) {
    case 'superadmin':
    case 'admin':
      return { role, officeId: undefined, agentId: undefined }
    case 'company':
      return { role, officeId, agentId: undefined }
    case 'agent':
      return { role, officeId, agentId }
  }
}

async function accountOfMember(db: Db, { role, officeId, agentId }: Membership): Promise<number> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where(role === 'agent' ? 'agent_id' : 'office_id', '=', (agentId ?? officeId) as number) // not staff
    .executeTakeFirstOrThrow()
  return account.id
}

/** An id that no row has. */
const missingId = 2_000_000_000

/**
 * The objects that calls are about. Each builder creates a fresh object, so that cells of the matrix stay independent,
 * and returns its id. `own` belongs to the caller or their office, `colleague` to another agent of the office,
 * `foreign` to another office. Objects without an owner have no `foreign`.
 */
export const objects = {
  office: {
    own: async (_: Db, home: Home) => home.officeId,
    foreign: async (db: Db) => (await buildHome(db)).officeId,
    missing: async () => missingId,
  },
  agent: {
    own: async (_: Db, home: Home) => home.agentId,
    colleague: (db: Db, home: Home) => buildAgent(db, { office_id: home.officeId }),
    foreign: async (db: Db) => (await buildHome(db)).agentId,
    missing: async () => missingId,
  },
  /** `own` belongs to the agent. */
  session: {
    own: async (db: Db, home: Home) =>
      buildSession(db, await accountOfMember(db, { role: 'agent', ...home })),
    foreign: async (db: Db) => buildSession(db, await buildAccount(db)),
    missing: async () => randomUUID(),
  },
  /** `own` belongs to the agent. */
  token: {
    own: async (db: Db, home: Home) =>
      buildToken(db, await accountOfMember(db, { role: 'agent', ...home })),
    foreign: async (db: Db) => buildToken(db, await buildAccount(db)),
    missing: async () => missingId,
  },
  /** `own` belongs to the agent. */
  savedView: {
    own: async (db: Db, home: Home) =>
      buildSavedView(db, await accountOfMember(db, { role: 'agent', ...home })),
    foreign: async (db: Db) => buildSavedView(db, await buildAccount(db)),
    missing: async () => missingId,
  },
  /** `own` belongs to the agent, with a delivery. Nothing is sent to it. */
  partnerPostback: {
    own: (db: Db, { agentId }: Home) => buildPartnerPostback(db, agentId),
    foreign: async (db: Db) => buildPartnerPostback(db, (await buildHome(db)).agentId),
    missing: async () => ({ id: missingId, deliveryId: missingId }),
  },
  /** Of the network, with a delivery. Nothing is sent to it. `foreign` is an agent's postback. */
  webhook: {
    own: buildWebhook,
    foreign: async (db: Db) => buildPartnerPostback(db, (await buildHome(db)).agentId),
    missing: async () => ({ id: missingId, deliveryId: missingId }),
  },
  /** About the whole network. */
  alarm: {
    own: buildAlarm,
    missing: async () => missingId,
  },
  /** The agent's office may sell `own`. */
  site: {
    own: (db: Db, home: Home) => buildMerchant(db, home),
    foreign: buildForeignMerchant,
    missing: async () => missingId,
  },
  /** Belongs to a site that the agent's office may sell. */
  manual: {
    own: async (db: Db, home: Home) => buildManual(db, { site_id: await buildMerchant(db, home) }),
    foreign: async (db: Db) => buildManual(db, { site_id: await buildForeignMerchant(db) }),
    missing: async () => missingId,
  },
  /** Belongs to the agent, or to one of another office. */
  coupon: {
    own: async (db: Db, home: Home) =>
      buildCoupon(db, { site_id: await buildMerchant(db, home), agent_id: home.agentId }),
    foreign: async (db: Db) => {
      const { agentId } = await buildHome(db)
      return buildCoupon(db, { site_id: await buildForeignMerchant(db), agent_id: agentId })
    },
    missing: async () => missingId,
  },
  /** Identified by the name in its address. */
  image: {
    own: buildImage,
    missing: async () => `${'0'.repeat(64)}.png`,
  },
  admin: {
    own: (db: Db) => buildAccount(db, { role: roleNumber('admin'), email: 'admin@example.com' }),
    missing: async () => missingId,
  },
  /** An agent waiting for approval; the id is the account's. */
  unapproved: {
    own: (db: Db, home: Home) => buildUnapproved(db, home.officeId),
    foreign: async (db: Db) => buildUnapproved(db, (await buildHome(db)).officeId),
    missing: async () => missingId,
  },
  /** A postback that may be delivered again. */
  postback: {
    own: buildConflict,
    missing: async () => randomUUID(),
  },
  /** A postback whose date needs a decision. */
  heldPostback: {
    own: buildHeld,
    missing: async () => randomUUID(),
  },
  /** A sale of the agent, another agent of their office, or another office. */
  sale: {
    own: buildSale,
    colleague: async (db: Db, { officeId }: Home) =>
      buildSale(db, { officeId, agentId: await buildAgent(db, { office_id: officeId }) }),
    foreign: async (db: Db) => buildSale(db, await buildHome(db)),
    missing: async () => randomUUID(),
  },
  linkType: {
    own: async (db: Db, home: Home) => firstTypeOf(db, await buildMerchant(db, home)),
    missing: async () => ({ siteId: missingId, typeId: missingId }),
  },
  blackListIp: {
    own: (db: Db) => buildBlackListIp(db),
    missing: async () => missingId,
  },
  /** An agent and a site their office may sell. */
  seller: {
    own: async (db: Db, home: Home) => ({
      siteId: await buildMerchant(db, home),
      agentId: home.agentId,
    }),
    colleague: async (db: Db, home: Home) => ({
      siteId: await buildMerchant(db, home),
      agentId: await buildAgent(db, { office_id: home.officeId }),
    }),
    foreign: async (db: Db, home: Home) => {
      const another = await buildHome(db)
      return { siteId: await buildMerchant(db, home, another), agentId: another.agentId }
    },
    missing: async (db: Db, home: Home) => ({
      siteId: await buildMerchant(db, home),
      agentId: missingId,
    }),
  },
  /** An agent and a link type that their office may sell. */
  sellerOfType: {
    own: async (db: Db, home: Home) => ({
      typeId: await buildType(db, home),
      agentId: home.agentId,
    }),
    colleague: async (db: Db, home: Home) => ({
      typeId: await buildType(db, home),
      agentId: await buildAgent(db, { office_id: home.officeId }),
    }),
    foreign: async (db: Db, home: Home) => {
      const another = await buildHome(db)
      return { typeId: await buildType(db, home, another), agentId: another.agentId }
    },
    missing: async (db: Db, home: Home) => ({
      typeId: await buildType(db, home),
      agentId: missingId,
    }),
  },
  /** Of the agent, another agent of their office, or another office. */
  shortLink: {
    own: buildShortLink,
    colleague: async (db: Db, { officeId }: Home) =>
      buildShortLink(db, { officeId, agentId: await buildAgent(db, { office_id: officeId }) }),
    foreign: async (db: Db) => buildShortLink(db, await buildHome(db)),
    missing: async () => missingId,
  },
  /** Made by the agent, who alone sees it. */
  linkTest: {
    own: async (db: Db, home: Home) => {
      const id = randomBytes(12).toString('base64url')
      await db
        .insertInto('link_tests')
        .values({
          id,
          agent_id: home.agentId,
          type_id: await buildType(db, home),
          made_by: await accountOfMember(db, { role: 'agent', ...home }),
          made_at: new Date('2026-03-01T10:00:00Z'),
          ends_at: new Date('2026-03-01T10:10:00Z'),
        })
        .execute()
      return id
    },
    missing: async () => 'x'.repeat(16),
  },
  /** The name of the world's first link, which the server has known since it started. */
  shortName: {
    own: async () => FIRST_NAME,
    missing: async () => 'nobody-has-it',
  },
  /** An office and a link type it may have own rates for. */
  officeFee: {
    own: async (db: Db, home: Home) => ({
      companyId: home.officeId,
      typeId: (await firstTypeOf(db, await buildMerchant(db, home))).typeId,
    }),
    missing: async () => ({ companyId: missingId, typeId: missingId }),
  },
  /** Prepared rates of an office for a future day. */
  preparedRate: {
    own: async (db: Db, home: Home) =>
      buildFee(db, {
        office_id: home.officeId,
        type_id: (await firstTypeOf(db, await buildMerchant(db, home))).typeId,
        valid_from: new Date('2199-12-01T05:00:00Z'),
      }),
    missing: async () => missingId,
  },
  /** An office's rates, and the number of their changes. */
  backdatableRate: {
    own: async (db: Db, home: Home) => {
      const { typeId } = await firstTypeOf(db, await buildMerchant(db, home))
      const rates = await db
        .selectFrom('rates')
        .select('id')
        .where('type_id', '=', typeId)
        .execute()
      return { companyId: home.officeId, typeId, version: rates.length }
    },
    missing: async () => ({ companyId: missingId, typeId: missingId, version: 1 }),
  },
  backdating: {
    own: async (db: Db, home: Home) => {
      const { typeId } = await firstTypeOf(db, await buildMerchant(db, home))
      return buildBackdating(db, { type_id: typeId, office_id: home.officeId })
    },
    missing: async () => missingId,
  },
  preferredDomain: {
    own: (db: Db) => buildDomain(db),
    missing: async () => missingId,
  },
  /** An account entered by an office. */
  payeeAccount: {
    own: async (db: Db) => buildWaitingAccount(db, await buildOffice(db)),
    missing: async () => missingId,
  },
  /** An account of the home office. */
  ownPayeeAccount: {
    own: (db: Db, home: Home) => buildWaitingAccount(db, home.officeId),
    foreign: async (db: Db) => buildWaitingAccount(db, await buildOffice(db)),
    missing: async () => missingId,
  },
  /** The name of a closed month in which an office can be paid. */
  owed: {
    own: async (db: Db) => buildClosedMonth(db, await buildOwed(db, await buildOffice(db))),
  },
  preparedRun: {
    own: async (db: Db) => {
      // Otherwise the layout is new until another caller has approved the first run.
      await buildRun(db, ['approved'])
      const run = await buildRun(db, [])
      return { ...run, seen: await seenOf(db, run.id) }
    },
    missing: async () => ({
      id: missingId,
      lineId: missingId,
      seen: { amount: 0, files: [], ticked: [] },
    }),
  },
  /** A run whose files were downloaded. */
  sentRun: {
    own: (db: Db) => buildRun(db, ['approved', 'files taken']),
    missing: async () => ({ id: missingId, lineId: missingId }),
  },
  /** A run whose only file was kept and downloaded. */
  runAtBank: {
    own: (db: Db) => buildRunAtBank(db),
    missing: async () => ({ id: missingId, lineId: missingId, file: 'R-test.csv' }),
  },
  /** A run of which a transfer was paid. */
  paidRun: {
    own: (db: Db) => buildPaidRun(db),
    missing: async () => ({ id: missingId, lineId: missingId }),
  },
  /** A run of which a transfer was paid, and refused as well. */
  refusedRun: {
    own: (db: Db) => buildRefusedRun(db),
    missing: async () => ({ id: missingId, lineId: missingId }),
  },
  payFileTemplate: {
    own: (db: Db) => buildTemplate(db),
    missing: async () => missingId,
  },
  /** A statement of the office for a separate period before pay’s first one. */
  statement: {
    own: buildStatement,
    foreign: async (db: Db) => buildStatement(db, await buildHome(db)),
    missing: async () => missingId,
  },
  adjustment: {
    own: buildAdjustment,
    missing: async () => missingId,
  },
  /** An adjustment above its limit, which somebody else has entered. */
  payProposal: {
    own: buildProposal,
    missing: async () => missingId,
  },
  /** The world's first link, which the server has known since it started. */
  trackedLink: {
    own: findTrackedLink,
    missing: async (db: Db) => ({ ...(await findTrackedLink(db)), agentId: missingId }),
  },
} satisfies Record<string, Record<string, (db: Db, home: Home) => Promise<unknown>>>

export type ObjectKind = keyof typeof objects
export type TargetOf<Kind extends ObjectKind> = keyof (typeof objects)[Kind] & string
export type IdOf<Kind extends ObjectKind> = Awaited<
  ReturnType<
    Extract<(typeof objects)[Kind][keyof (typeof objects)[Kind]], (...args: never) => unknown>
  >
>

/** The minimum a server needs: an office, its agent and what they sell. Pay is on, from 2026-02-B. */
export async function buildFirstLink(db: Db): Promise<void> {
  const home = await buildHome(db)
  await buildMerchant(db, home)
  await buildShortLink(db, home, await findTrackedLink(db), FIRST_NAME)
  const firstDay = '2026-02-16'
  const setAt = new Date('2026-02-16T05:00:00Z')
  await db.insertInto('pay_state').values({ started_at: setAt, first_day: firstDay }).execute()
  await db
    .insertInto('pay_settings')
    .values({
      from_day: firstDay,
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'instead',
      minimum_centavos: 0,
      minimum_cents: 0,
      set_at: setAt,
      set_by: 0,
    })
    .execute()
}

async function findTrackedLink(db: Db) {
  const { id: agentId } = await db
    .selectFrom('agents')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const type = await db
    .selectFrom('link_types')
    .select(['id', 'site_id'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { siteId: type.site_id, typeId: type.id, agentId }
}

async function firstTypeOf(db: Db, siteId: number) {
  const { id } = await db
    .selectFrom('link_types')
    .select('id')
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return { siteId, typeId: id }
}

const buildType = async (db: Db, ...homes: Home[]): Promise<number> =>
  (await firstTypeOf(db, await buildMerchant(db, ...homes))).typeId

const FIRST_NAME = 'first-link'
let shortNames = 0

async function buildShortLink(
  db: Db,
  home: Home,
  link?: { typeId: number; agentId: number },
  name = `made-${++shortNames}-${home.agentId}`,
): Promise<number> {
  const { id } = await db
    .insertInto('short_links')
    .values({
      agent_id: link?.agentId ?? home.agentId,
      type_id: link?.typeId ?? (await buildType(db, home)),
      name,
      made_at: new Date('2026-03-01T10:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('short_names')
    .values({ look: lookOf(name), name, link_id: id, changed_in: id })
    .execute()
  return id
}

/** A site with a link type that these offices may sell. */
async function buildMerchant(db: Db, ...homes: Home[]): Promise<number> {
  const siteId = await buildSite(db, { soldBy: homes.map(({ officeId }) => officeId) })
  await buildLinkType(db, { site_id: siteId })
  return siteId
}

/** A site that another office may sell, but not the caller's. */
async function buildForeignMerchant(db: Db): Promise<number> {
  return buildMerchant(db, await buildHome(db))
}

async function buildImage(db: Db): Promise<string> {
  const content = randomBytes(20)
  const hash = createHash('sha256').update(content).digest('hex')
  await db
    .insertInto('uploads')
    .values({
      content_hash: hash,
      media_type: 'image/png',
      width: 1,
      height: 1,
      bytes: content.length,
      content,
      uploaded_at: new Date('2026-03-01T10:00:00Z'),
    })
    .execute()
  return `${hash}.png`
}

async function buildUnapproved(db: Db, officeId: number): Promise<number> {
  const agentId = await buildAgent(db, { office_id: officeId, approved_at: null })
  return accountOfMember(db, { role: 'agent', officeId, agentId })
}

async function buildSession(db: Db, accountId: number): Promise<string> {
  const id = randomUUID()
  const startedAt = new Date('2026-03-01T14:00:00Z')
  await db
    .insertInto('sessions')
    .values({
      id,
      account_id: accountId,
      started_at: startedAt,
      last_seen_at: startedAt,
      expires_at: new Date('2026-03-08T14:00:00Z'),
      ip: '203.0.113.7',
    })
    .execute()
  return id
}

async function buildSavedView(db: Db, accountId: number): Promise<number> {
  const { id } = await db
    .insertInto('saved_views')
    .values({
      account_id: accountId,
      name: randomUUID(),
      url: '/app/stats/sites',
      position: 1,
      created_at: new Date('2026-03-01T10:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function buildAlarm(db: Db): Promise<number> {
  const at = new Date('2026-03-01T10:00:00Z')
  const { id } = await db
    .insertInto('alarms')
    .values({
      kind: 'no-clicks',
      watched: 'office',
      watched_id: randomInt(2 ** 30),
      raised_at: at,
      since: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function buildPartnerPostback(db: Db, agentId: number) {
  return buildTarget(db, agentId, {
    agent_id: agentId,
    url: 'https://tracker.example/?cid={sub1}',
    host: 'tracker.example',
    token: 'a token',
  })
}

/** With the key of all tests' services. */
function buildWebhook(db: Db) {
  const keys = { secret: Buffer.alloc(32, 'tests'), formerSecrets: [] }
  return buildTarget(db, null, {
    format: 'webhook',
    url: 'http://127.0.0.1/',
    host: '127.0.0.1',
    token: 'a token',
    sealed_secret: webhookSeals(keys).seal('a token', makeWebhookSecret()),
  })
}

async function buildTarget(
  db: Db,
  agentId: number | null,
  target: Pick<Insertable<DB['postback_targets']>, 'url' | 'host' | 'token'> &
    Partial<Insertable<DB['postback_targets']>>,
) {
  const at = new Date('2026-03-01T10:00:00Z')
  // As many as there may be. Those of the network are everybody's: the newest may be in use.
  await db
    .deleteFrom('postback_targets')
    .where('agent_id', agentId === null ? 'is' : '=', agentId)
    .$if(agentId === null, (query) =>
      query.where('id', '<', (eb) =>
        eb.selectFrom('postback_targets').select(sql<number>`max(id) - 5`.as('oldest')),
      ),
    )
    .execute()
  const { id } = await db
    .insertInto('postback_targets')
    .values({ ...target, events: ['sale.recorded'], created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  // As many as a host is sent at a time are under way, so that nothing is sent while a test looks.
  const never = new Date('2999-01-01T00:00:00Z')
  const underWay = {
    target_id: id,
    agent_id: agentId,
    kind: 'sale.recorded',
    made_at: at,
    state: 'waiting',
    next_try_at: never,
    leased_until: never,
  }
  await db
    .insertInto('deliveries')
    .values([1, 2].map(() => ({ ...underWay, event_id: randomUUID() })))
    .execute()
  const delivery = await db
    .insertInto('deliveries')
    .values({
      target_id: id,
      event_id: randomUUID(),
      agent_id: agentId,
      kind: 'sale.recorded',
      made_at: at,
      state: 'sent',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, deliveryId: delivery.id }
}

async function buildConflict(db: Db, home: Home): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('postbacks')
    .values({
      id,
      received_at: new Date('2026-03-01T10:00:00Z'),
      site_id: await buildMerchant(db, home),
      method: 'GET',
      ip: '203.0.113.7',
      params: '{}',
      event: 'sale',
      click_id: `unreadable-${randomInt(2 ** 31)}`,
      outcome: 'conflict',
    })
    .execute()
  return id
}

/** A postback in conflict only because of its date. */
async function buildHeld(db: Db, home: Home): Promise<string> {
  const id = await buildConflict(db, home)
  const at = new Date('2026-03-01T10:00:00Z')
  await db
    .insertInto('held_postbacks')
    .values({ postback_id: id, kind: 'early', held_at: at, earliest_at: at, reason: '' })
    .execute()
  return id
}

async function buildSale(db: Db, { officeId, agentId }: Home): Promise<string> {
  const id = randomUUID()
  const { siteId, typeId } = await firstTypeOf(db, await buildMerchant(db))
  const at = new Date('2026-03-01T10:00:00Z')
  const dimensions = { agent_id: agentId, office_id: officeId, site_id: siteId, type_id: typeId }
  const amounts = { earning_cents: 2000, payout_centavos: 40_000, lpp: 1 }
  await addAndFold(db, [{ day: '2026-03-01', ...dimensions, sales: 1, avp_sales: 1, ...amounts }])
  await db
    .insertInto('sale_events')
    .values({
      id,
      ...dimensions,
      ...amounts,
      occurred_at: at,
      recorded_at: at,
      event_type: 0,
      quantity: 1,
      avp: true,
      rate_source: 'default',
      fraud: false,
      click_id: `click of ${id}`,
      transaction_id: `order ${id}`,
    })
    .execute()
  return id
}

async function buildTemplate(db: Db): Promise<number> {
  const { id } = await db
    .insertInto('pay_file_templates')
    .values({ name: randomUUID(), layout: JSON.stringify(genericLayout) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Each period has a different first day. */
let builtPeriods = 0

async function buildStatement(db: Db, { officeId }: Home): Promise<number> {
  const id = ++builtPeriods
  const { content, hash } = statementOf(officeId)
  const { id: periodId } = await db
    .insertInto('pay_periods')
    .values({
      name: `2025-12-${id}`,
      start_day: addDays('1900-01-01', id),
      end_day: '2026-02-15',
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'instead',
      closed_at: new Date('2026-02-16T10:00:00Z'),
      closed_by: 0,
      closed_by_name: 'boss',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const statement = await db
    .insertInto('statements')
    .values({
      number: `2025-12-${id}-0001`,
      period_id: periodId,
      payee_kind: 'office',
      payee_id: officeId,
      payee_name: 'Manila',
      currency: 'PHP',
      amount: 0,
      carried: 0,
      minimum: 0,
      content,
      content_hash: hash,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return statement.id
}

async function buildAdjustment(db: Db, { officeId }: Home): Promise<number> {
  const { id } = await db
    .insertInto('adjustments')
    .values({
      payee_kind: 'office',
      payee_id: officeId,
      currency: 'PHP',
      amount: 100_00,
      reason: 'a bonus',
      made_at: new Date('2026-02-20T10:00:00Z'),
      made_by: 0,
      made_by_name: 'boss',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function buildProposal(db: Db, { officeId }: Home): Promise<number> {
  const { id } = await db
    .insertInto('pay_proposals')
    .values({
      kind: 'adjustment',
      payee_kind: 'office',
      payee_id: officeId,
      currency: 'PHP',
      amount: 12_000_00,
      reason: 'a bonus',
      why: 'It is above the limit of ₱10,000.00.',
      made_at: new Date('2026-02-20T10:00:00Z'),
      made_by: 9_999_999,
      made_by_name: 'boss',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function buildBlackListIp(db: Db): Promise<number> {
  const { id } = await db
    .insertInto('ip_blacklist')
    .values({
      ip: `2001:db8::${randomInt(2 ** 16).toString(16)}:${randomInt(2 ** 16).toString(16)}`,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
