import { randomUUID } from 'node:crypto'
import { homeEndpoints, type Home } from '@tallyroom/contract/desk/home'
import { expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import {
  buildAccount,
  buildAgent,
  buildClick,
  buildDomain,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { holdFolds } from '../../../test/hold-folds.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { dashboardRoutes } from './dashboard.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const now = '2026-03-18T15:00:00Z' // a Wednesday, 11:00 in New York
clock.set(now)
const call = await callRoutes(dashboardRoutes(services))

const superadmin = viewer()
const staff = { officeId: undefined, agentId: undefined } as const

async function read(who: Viewer): Promise<Home> {
  clock.advance(6_000)
  const { status, body } = await call(who, homeEndpoints.home)
  expect(status).toBe(200)
  return body as Home // parsed by the same schema
}

test('a new network is guided from its first site to its first sale, for superadmins only', async () => {
  const empty = await testDatabase()
  const callEmpty = await callRoutes(dashboardRoutes({ ...services, ...empty, reportDb: empty.db }))
  const setupOf = async (who: Viewer) =>
    ((await callEmpty(who, homeEndpoints.home)).body as Home).setup
  const setup = () => setupOf(superadmin)
  const nothing = { uncounted: null, failed: null }
  expect(await setup()).toEqual({ done: [], siteId: null, link: null, ...nothing })
  expect(await setupOf(viewer({ role: 'admin', ...staff }))).toBeUndefined()

  const site_id = await buildSite(empty.db)
  const type_id = await buildLinkType(empty.db, { site_id })
  expect(await setup()).toEqual({
    done: ['site', 'type'],
    siteId: site_id,
    link: null,
    ...nothing,
  })

  const office_id = await buildOffice(empty.db)
  const agent_id = await buildAgent(empty.db, { office_id, approved_at: null })
  expect((await setup())?.done).toEqual(['site', 'type', 'office', 'agent'])

  await empty.db
    .updateTable('agents')
    .set({ approved_at: new Date(now) })
    .execute()
  await buildDomain(empty.db, { domain: 'https://go.lantern.example' })
  expect(await setup()).toEqual({
    done: ['site', 'type', 'office', 'agent', 'approval', 'domain'],
    siteId: site_id,
    link: `https://go.lantern.example/api/links/go/${site_id}/${type_id}/${agent_id}`,
    ...nothing,
  })

  const own = { agent_id, office_id, site_id, type_id }
  for (const [uncounted, hour] of [
    ['prefetch', 8],
    ['headless', 9],
  ] as const)
    await buildClick(empty.db, {
      ...own,
      uncounted,
      clicked_at: new Date(`2026-03-10T1${hour}:00:00Z`),
    })
  await empty.db
    .insertInto('postbacks')
    .values({
      id: randomUUID(),
      received_at: new Date('2026-03-10T12:00:00Z'),
      site_id,
      method: 'GET',
      ip: '192.0.2.1',
      params: '{}',
      outcome: 'refused',
      reason: 'time is required',
    })
    .execute()
  expect(await setup()).toMatchObject({
    uncounted: { clicks: 2, because: 'headless' },
    failed: { postbacks: 1, reason: 'time is required' },
  })
  await buildClick(empty.db, own)
  expect((await setup())?.done).not.toContain('postback')
  await insertSale(own, '2026-03-10T12:00:00Z', empty.db)
  expect(await setup()).toBeUndefined()
})

test('from its first sale, a network is guided on to its first payment', async () => {
  const empty = await testDatabase()
  const done = async (more: Partial<typeof services.config> = {}) => {
    const config = { ...services.config, ...more }
    const callEmpty = await callRoutes(
      dashboardRoutes({ ...services, ...empty, reportDb: empty.db, config }),
    )
    return (await callEmpty(superadmin, homeEndpoints.firstPayment)).body.done
  }
  await buildAccount(empty.db, { username: 'root' })
  expect(await done()).toEqual([])
  expect(await done({ smtpUrl: 'smtp://mail.example:587' })).toEqual(['mail'])

  const ann = await buildAccount(empty.db, {
    role: 5,
    username: 'ann',
    pay: true,
    login_blocked: true,
  })
  expect(await done()).toEqual([])
  await empty.db
    .updateTable('accounts')
    .set({ login_blocked: false })
    .where('id', '=', ann)
    .execute()
  expect(await done()).toEqual(['second'])
  await empty.db.updateTable('network_contact').set({ chat: 't.me/lantern' }).execute()
  await empty.db
    .updateTable('options')
    .set({ value: '1' })
    .where('name', '=', 'payout_visible')
    .execute()
  expect(await done()).toEqual(['contact', 'second', 'visible'])
})

const manila = await buildOffice(db, { name: 'Manila Bay' })
const cebu = await buildOffice(db, { name: 'Cebu' })
const joined = { approved_at: new Date('2026-01-01'), created_at: new Date('2026-01-01') }
const maria = await buildAgent(db, { office_id: manila, username: 'maria', ...joined })
const jose = await buildAgent(db, { office_id: manila, username: 'jose', ...joined })
await buildAgent(db, { office_id: manila, username: 'tessa', approved_at: new Date(now) })
await buildAgent(db, { office_id: manila, username: 'jun', hidden: true, ...joined })
await buildAgent(db, {
  office_id: manila,
  username: 'trisha',
  approved_at: null,
  created_at: new Date('2026-03-16T12:00:00Z'),
})
const carlo = await buildAgent(db, { office_id: cebu, username: 'carlo', ...joined })
const harbor = await buildSite(db, { sitename: 'Harbor' })
const moon = await buildSite(db, { sitename: 'Moonroom', soldBy: [cebu] })
const signup = await buildLinkType(db, { site_id: harbor, typename: 'Sign-up' })
const paid = await buildLinkType(db, { site_id: harbor, typename: 'Paid', active: false })
const moonType = await buildLinkType(db, { site_id: moon })
const byMaria = { agent_id: maria, office_id: manila, site_id: harbor, type_id: signup }
const byJose = { ...byMaria, agent_id: jose }
const byCarlo = { agent_id: carlo, office_id: cebu, site_id: moon, type_id: moonType }

await addToTotals(db, [
  { day: '2026-03-05', ...byJose, sales: 4 },
  { day: '2026-03-12', ...byMaria, sales: 1, uniques: 3 },
  { day: '2026-03-14', ...byJose, sales: 1 },
  { day: '2026-03-17', ...byMaria, uniques: 40, type_id: paid },
  { day: '2026-03-18', ...byMaria, sales: 2, uniques: 9, payout_centavos: 100_000 },
  { day: '2026-03-18', ...byCarlo, sales: 30, uniques: 70, payout_centavos: 900_000 },
])

const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
const agent = viewer({ role: 'agent', officeId: manila, agentId: maria })

test('an agent learns nothing about other agents or the network', async () => {
  const shown = await read(agent)
  expect(shown.periods.today.sums).toMatchObject({ sales: 2, uniques: 9 })
  expect(Object.keys(shown)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/agents|network|setup/)]),
  )
  expect(JSON.stringify(shown)).not.toMatch(/jose|carlo|Moonroom/)
})

test('an agent’s links are the working ones, most used first', async () => {
  const { links } = await read(agent)
  expect(links).toEqual([
    {
      siteId: harbor,
      typeId: signup,
      sitename: 'Harbor',
      typename: 'Sign-up',
      link: `http://127.0.0.1:3000/api/links/go/${harbor}/${signup}/${maria}`,
      uniques: 12,
      sales: 3,
    },
  ])
})

test('an office sees which of its own agents are quiet, rose, fell or wait', async () => {
  const { agents, ...shown } = await read(office)
  expect(shown).not.toHaveProperty('network')
  expect(agents).toEqual({
    // Tessa was approved today; Jun is hidden.
    quiet: { total: 1, items: [{ agentId: jose, username: 'jose', lastSaleDay: '2026-03-14' }] },
    compared: {
      start: '2026-03-11',
      end: '2026-03-17',
      before: { start: '2026-03-04', end: '2026-03-10' },
    },
    best: [
      { agentId: jose, username: 'jose', sales: 1, salesBefore: 4 },
      { agentId: maria, username: 'maria', sales: 1, salesBefore: 0 },
    ],
    // Jose is among the best, even with his loss.
    fallen: [],
    unapproved: { count: 1, since: '2026-03-16T12:00:00.000Z' },
  })
})

test('amounts are included only for those who may see them', async () => {
  const keysOf = async (who: Viewer) => {
    const { headline, periods } = await read(who)
    return [headline, ...Object.keys(periods.today.sums).filter((key) => /pay|earn/i.test(key))]
  }
  const visible = async (value: '0' | '1') =>
    db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()

  await visible('0')
  expect(await keysOf(agent)).toEqual(['sales'])
  expect((await read(agent)).periods.today.course.at(-1)).toBe(2)
  await visible('1')
  expect(await keysOf(agent)).toEqual(['payout', 'payout', 'bonusPayout'])
  expect((await read(agent)).periods.today.course.at(-1)).toBe(1000)
  expect(await keysOf(viewer({ role: 'admin', ...staff }))).toEqual([
    'payout',
    'payout',
    'bonusPayout',
  ])
  expect(await keysOf(superadmin)).toEqual([
    'earning',
    'payout',
    'bonusPayout',
    'earning',
    'bonusEarning',
  ])
})

test('staff see what needs attention, as far as they may settle it', async () => {
  const postback = (outcome: string, received_at: string) => ({
    id: randomUUID(),
    received_at: new Date(received_at),
    method: 'GET',
    ip: '192.0.2.1',
    params: {},
    outcome,
  })
  const waiting = [
    postback('waiting', '2026-03-18T14:00:00Z'),
    postback('waiting', '2026-03-15T14:59:00Z'), // unmatched, until its next try still in the queue
  ]
  const unmatched = [
    postback('waiting', '2026-03-10T14:00:00Z'),
    postback('waiting', '2026-03-01T14:00:00Z'), // too long ago
  ]
  const conflicts = [
    postback('conflict', '2026-03-17T10:00:00Z'),
    postback('conflict', '2026-03-16T10:00:00Z'),
    postback('conflict', '2025-11-16T10:00:00Z'),
  ]
  const settled = postback('waiting', '2026-03-12T10:00:00Z')
  const tests = [
    { ...postback('waiting', '2026-03-13T10:00:00Z'), test: true },
    { ...postback('conflict', '2026-03-13T10:00:00Z'), test: true },
  ]
  const held = postback('waiting', '2026-03-14T10:00:00Z')
  await db
    .insertInto('postbacks')
    .values([...waiting, ...unmatched, ...conflicts, settled, held])
    .execute()
  await db.insertInto('postbacks').values(tests).execute()
  await db
    .insertInto('waiting_postbacks')
    .values(
      waiting.map(({ id, received_at }) => ({
        postback_id: id,
        received_at,
        waits_for: 'click',
        next_try_at: received_at,
      })),
    )
    .execute()
  await db
    .insertInto('postback_settlements')
    .values({ postback_id: settled.id, settled_at: new Date(now), outcome: 'refused' })
    .execute()
  await db
    .insertInto('held_postbacks')
    .values(
      [held, ...conflicts, ...tests.slice(1)].map(({ id, received_at }) => ({
        postback_id: id,
        kind: id === held.id ? 'early' : 'again',
        held_at: received_at,
        earliest_at: id === held.id ? received_at : null,
        reason: 'Somebody has to decide',
      })),
    )
    .execute()

  const pending = [
    postback('pending', '2026-02-10T10:00:00Z'),
    postback('pending', '2026-03-10T10:00:00Z'), // the merchant may take its time
  ]
  await db.insertInto('postbacks').values(pending).execute()
  await db
    .insertInto('pending_postbacks')
    .values(
      pending.map(({ id, received_at }) => ({
        postback_id: id,
        site_id: 1,
        order_key: id,
        received_at,
      })),
    )
    .execute()

  expect((await read(superadmin)).network?.needs).toEqual({
    held: [
      { kind: 'again', count: 3, since: '2025-11-16T10:00:00.000Z' },
      { kind: 'early', count: 1, since: '2026-03-14T10:00:00.000Z' },
    ],
    words: [],
    unmatched: { count: 2, since: '2026-03-10T14:00:00.000Z' },
    waiting: { count: 1, since: '2026-03-18T14:00:00.000Z' },
    pending: { count: 1, since: '2026-02-10T10:00:00.000Z' },
    unapproved: { count: 1, since: '2026-03-16T12:00:00.000Z' },
  })
  const plain = await read(viewer({ role: 'admin', ...staff }))
  expect(plain.network?.needs.unapproved).toBeNull()
})

test('staff see open alarms, unless they or their sites are quiet', async () => {
  const at = new Date(now)
  const later = new Date('2026-03-20T04:00:00Z')
  const alarm = { watched: 'site', watched_id: moon, site_id: moon, raised_at: at, since: at }
  await db
    .insertInto('alarms')
    .values([
      { ...alarm, kind: 'no-clicks', expected: 64, came: 1 },
      { ...alarm, kind: 'many-sales', expected: 6, came: 60, ended_at: at },
      { ...alarm, kind: 'refused', expected: 0.5, came: 9, quiet_until: later },
    ])
    .execute()
  const shown = async () =>
    (await read(superadmin)).network?.alarms.map(({ kind, name }) => [kind, name])
  expect(await shown()).toEqual([['no-clicks', 'Moonroom']])
  await db.insertInto('quiet_sites').values({ site_id: moon, until: later }).execute()
  expect(await shown()).toEqual([])
  await db.updateTable('quiet_sites').set({ until: at }).execute()
  expect(await shown()).toEqual([['no-clicks', 'Moonroom']])
})

/** Only an event. What it adds to the totals is inserted separately. */
async function insertSale(who: typeof byMaria, occurredAt: string, into = db): Promise<void> {
  await into
    .insertInto('sale_events')
    .values({
      ...who,
      id: randomUUID(),
      occurred_at: new Date(occurredAt),
      recorded_at: new Date(occurredAt),
      event_type: 0,
      quantity: 1,
      earning_cents: 0,
      payout_centavos: 0,
      lpp: 0,
      avp: false,
      rate_source: 'default',
      fraud: false,
      click_id: 'a click',
    })
    .execute()
}

test('while totals are held, Home is refused like a report, instead of showing old figures', async () => {
  const shown = await read(agent)
  await addToTotals(db, [{ day: '2026-03-18', ...byMaria, sales: 1 }])
  const release = await holdFolds(db)
  clock.advance(6_000)
  const { status, body } = await call(agent, homeEndpoints.home)
  await release()
  expect(status).toBe(503)
  expect(body).toMatchObject({ code: 'UNAVAILABLE' })
  expect((await read(agent)).periods.today.sums.sales).toBe(shown.periods.today.sums.sales + 1)
}, 30_000)
