import { type BellLine, bellEndpoints } from '@tallyroom/contract/desk/bell'
import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { FACT_KINDS } from '@tallyroom/domain/facts'
import { beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../access/viewer.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forgetFacts, type NewFact, writeFacts } from '../../notices/index.ts'
import { agentsRoutes, approvalRoutes, officesRoutes, tellOfChange } from '../../people/index.ts'
import { bellRoutes } from './bell.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...bellRoutes(services),
  ...approvalRoutes(services),
  ...agentsRoutes({ ...services, giveBack: async () => {} }),
  ...officesRoutes(services),
])
const { bell, bellCount, readBell } = bellEndpoints

let world: Awaited<ReturnType<typeof buildPayWorld>>
let readers: Record<'superadmin' | 'payer' | 'admin' | 'manila' | 'cebu' | 'maria' | 'noel', Viewer>

beforeEach(async () => {
  await emptyTables(connection, ['facts', 'bells', 'mails', ...PAY_TABLES])
  world = await buildPayWorld(services, { avp: 'information' })
  const { offices, agents } = world
  const of = async (column: 'office_id' | 'agent_id', id: number) =>
    (await db.selectFrom('accounts').select('id').where(column, '=', id).executeTakeFirstOrThrow())
      .id
  const office = async (id: number) => ({
    ...viewer({ role: 'company', officeId: id, agentId: undefined }),
    accountId: await of('office_id', id),
  })
  const agent = async (officeId: number, agentId: number) => ({
    ...viewer({ role: 'agent', officeId, agentId }),
    accountId: await of('agent_id', agentId),
  })
  const staff = { role: 'admin', officeId: undefined, agentId: undefined } as const
  readers = {
    superadmin: { ...viewer(), accountId: await buildAccount(db) },
    payer: { ...viewer(staff, ['PAY']), accountId: await buildAccount(db) },
    admin: { ...viewer(staff), accountId: await buildAccount(db) },
    manila: await office(offices.manila),
    cebu: await office(offices.cebu),
    maria: await agent(offices.manila, agents.maria),
    noel: await agent(offices.cebu, agents.noel),
  }
  await showPayouts('1')
  await emptyTables(connection, ['facts'])
})

const showPayouts = (value: '0' | '1') =>
  db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()

const write = (facts: readonly NewFact[], byAccountId: number | null = null) =>
  inTransaction(db, (tx) => writeFacts(tx, facts, { at: tx.now, byAccountId }))

const linesOf = async (who: Viewer): Promise<BellLine[]> => (await call(who, bell)).body.lines
const titlesOf = async (who: Viewer) => (await linesOf(who)).map(({ title }) => title)
const unreadOf = async (who: Viewer) => (await call(who, bellCount)).body.unread

/** Who reads a line of this. */
async function readersOf(fact: NewFact): Promise<string[]> {
  await emptyTables(connection, ['facts'])
  await write([fact])
  const found: string[] = []
  for (const [name, who] of Object.entries(readers)) {
    const { length } = await linesOf(who)
    expect(await unreadOf(who)).toBe(length)
    if (length > 0) found.push(name)
  }
  return found
}

test('each kind is read by whom its page is for, and of theirs only', async () => {
  const { offices, agents } = world
  const office = { officeId: offices.manila }
  const agent = { agentId: agents.maria }
  const manila = { kind: 'office', id: offices.manila, name: 'Manila' } as const
  const sum = { payee: manila, amount: 300_00, currency: 'PHP' } as const
  const ofMaria = { agentId: agents.maria, username: 'maria' }
  const alarm = { alarmId: 1, title: 'Alpha is silent', text: '', page: '/app/home' }
  const proof = { title: 'Pay differs', text: 'Hold 1 differs from its seal.' }
  const rate = { siteId: 1, typeId: 1, name: 'Alpha Free', from: '2026-03-01T05:00:00.000Z' }
  const staff = ['superadmin', 'payer', 'admin']
  const cases: [NewFact, string[]][] = [
    [{ kind: 'agent.approved', of: agent, subject: ofMaria }, [...staff, 'manila', 'maria']],
    [{ kind: 'agent.suspended', of: agent, subject: ofMaria }, [...staff, 'manila', 'maria']],
    [
      { kind: 'statement.closed', of: office, subject: { ...sum, statementId: 1, number: 'N-1' } },
      ['superadmin', 'payer', 'manila'],
    ],
    [
      { kind: 'payment.sent', of: office, subject: { ...sum, executionDay: '2026-03-01' } },
      ['superadmin', 'payer', 'manila'],
    ],
    [{ kind: 'payment.failed', of: office, subject: sum }, ['superadmin', 'payer', 'manila']],
    [{ kind: 'payment.returned', of: office, subject: sum }, ['superadmin', 'payer', 'manila']],
    [
      {
        kind: 'payment.contradicted',
        of: 'network',
        subject: { runId: 1, number: 'R-1', transfers: 2, amount: 1, currency: 'PHP' },
      },
      ['superadmin', 'payer'],
    ],
    [
      {
        kind: 'payment.outside',
        of: office,
        subject: { ...sum, way: 'cash', paidOn: '2026-03-01', voucher: '118' },
      },
      ['superadmin', 'payer', 'manila'],
    ],
    [
      {
        kind: 'money.received',
        of: office,
        subject: { ...sum, way: 'transfer', paidOn: '2026-03-01', voucher: 'IPN-7' },
      },
      ['superadmin', 'payer', 'manila'],
    ],
    [
      { kind: 'pay.held', of: office, subject: { payee: manila, told: '' } },
      ['superadmin', 'payer', 'manila'],
    ],
    [
      { kind: 'pay.released', of: office, subject: { payee: manila, told: '' } },
      ['superadmin', 'payer', 'manila'],
    ],
    [
      {
        kind: 'account.changed',
        of: { accountId: readers.maria.accountId },
        subject: { changed: ['password'] },
      },
      ['maria'],
    ],
    [
      {
        kind: 'factor.changed',
        of: { accountId: readers.maria.accountId },
        subject: { happened: 'authenticator added' },
      },
      ['maria'],
    ],
    [
      {
        kind: 'sign-in.noticed',
        of: { accountId: readers.maria.accountId },
        subject: { happened: 'new place', browser: 'Chrome on Windows', ip: '203.0.113.7' },
      },
      ['maria'],
    ],
    [
      { kind: 'sessions.ended', of: { accountId: readers.maria.accountId }, subject: {} },
      ['maria'],
    ],
    [
      {
        kind: 'password.asked',
        of: agent,
        subject: { accountId: 1, username: 'maria', whose: 'agent', id: agents.maria },
      },
      [...staff, 'manila', 'maria'],
    ],
    [
      {
        kind: 'staff-password.asked',
        of: 'network',
        subject: { accountId: 1, username: 'ann', role: 'admin' },
      },
      ['superadmin'],
    ],
    [
      { kind: 'factor.reset', of: 'network', subject: { username: 'maria' } },
      ['superadmin', 'payer'],
    ],
    [
      { kind: 'factor.recovered', of: 'network', subject: { username: 'maria' } },
      ['superadmin', 'payer'],
    ],
    [
      {
        kind: 'postback.failed',
        of: { accountId: readers.maria.accountId },
        subject: { format: 'postback', targetId: 1, host: 'tracker.example', isOff: false },
      },
      ['maria'],
    ],
    [
      {
        kind: 'decision.wanted',
        of: 'network',
        subject: {
          postbackId: '018f2c5e-0000-7000-8000-000000000001',
          name: 'Alpha A-1',
          by: 'ann',
          reason: 'It is recorded for another click.',
        },
      },
      ['superadmin'],
    ],
    [{ kind: 'rate.changed', of: office, subject: { ...rate, office: 'Manila' } }, staff],
    [{ kind: 'alarm.raised', of: 'network', subject: alarm }, staff],
    [{ kind: 'alarm.ended', of: office, subject: alarm }, staff],
    [{ kind: 'proof.broken', of: 'network', subject: proof }, ['superadmin', 'payer']],
    [{ kind: 'proof.mended', of: 'network', subject: proof }, ['superadmin', 'payer']],
    [{ kind: 'proof.verified', of: 'network', subject: proof }, []], // mailed, as it comes every day
  ]
  expect(new Set(cases.map(([{ kind }]) => kind))).toEqual(new Set(FACT_KINDS))
  for (const [fact, expected] of cases)
    expect([fact.kind, await readersOf(fact)]).toEqual([fact.kind, expected])
})

test('an office reads nothing of its agents’ pay, as on its pages', async () => {
  const { maria } = world.agents
  const payee = { kind: 'agent', id: maria, name: 'maria' } as const
  const subject = { payee, told: '' }
  const who = await readersOf({ kind: 'pay.held', of: { agentId: maria }, subject })
  expect(who).toEqual(['superadmin', 'payer', 'maria'])
})

test('while payouts are hidden, offices and agents read nothing of payments', async () => {
  await showPayouts('0')
  const payee = { kind: 'office', id: world.offices.manila, name: 'Manila' } as const
  const of = { officeId: world.offices.manila }
  const sum = { payee, amount: 1, currency: 'PHP' } as const
  expect(await readersOf({ kind: 'payment.failed', of, subject: sum })).toEqual([
    'superadmin',
    'payer',
  ])
  expect(await readersOf({ kind: 'pay.held', of, subject: { payee, told: '' } })).toContain(
    'manila',
  )
})

test('what is said of suspended and hidden agents is for those who see them', async () => {
  const of = { agentId: world.agents.maria }
  const subject = { agentId: world.agents.maria, username: 'maria' }
  const set = (change: object) =>
    db.updateTable('agents').set(change).where('id', '=', world.agents.maria).execute()
  await set({ active: false })
  expect(await readersOf({ kind: 'agent.suspended', of, subject })).toEqual([
    'superadmin',
    'manila',
    'maria',
  ])
  await set({ active: true, hidden: true })
  expect(await readersOf({ kind: 'agent.suspended', of, subject })).toEqual([
    'superadmin',
    'payer',
    'admin',
    'maria',
  ])
})

test('of an office that asks for a password, staff read who see it on their list, and the office itself', async () => {
  const id = world.offices.manila
  const subject = { accountId: 1, username: 'manila', whose: 'office', id } as const
  const asked = { kind: 'password.asked', of: { officeId: id }, subject } as const
  const set = (change: object) =>
    db.updateTable('offices').set(change).where('id', '=', id).execute()
  expect(await readersOf(asked)).toEqual(['superadmin', 'payer', 'admin', 'manila'])
  await set({ active: false })
  expect(await readersOf(asked)).toEqual(['superadmin', 'manila'])
  await set({ active: true, hidden: true })
  expect(await readersOf(asked)).toEqual(['superadmin', 'payer', 'admin'])
})

test('closing a period is one line for staff, and for a payee their statement with its amount', async () => {
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.sell('b', 'noel', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-17')
  expect(await linesOf(readers.superadmin)).toMatchObject([
    { title: '2 statements are ready', count: 2, unread: true, page: '/app/pay/statements' },
  ])
  const [line, ...more] = await linesOf(readers.manila)
  expect(more).toEqual([])
  expect(line).toMatchObject({
    kind: 'statement.closed',
    title: expect.stringMatching(/^Your statement 2026-02-A-\d+ is ready$/),
    text: '₱300.00',
    page: expect.stringMatching(/^\/app\/pay\/statements\/\d+$/),
  })
  expect(await titlesOf(readers.maria)).toEqual([])
})

test('approving and suspending tells of those whose status changed, and is no news to who did it', async () => {
  const newcomer = await buildAgent(db, {
    office_id: world.offices.manila,
    username: 'newcomer',
    approved_at: null,
  })
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', newcomer)
    .executeTakeFirstOrThrow()
  const approver = readers.superadmin
  for (let n = 0; n < 2; n++)
    await call(approver, approvalEndpoints.approve, { body: { ids: [id] } })
  services.clock.advance(60_000)
  const suspended = { ids: [newcomer, world.agents.maria], active: false }
  await call(readers.manila, agentsEndpoints.agentsStatus, { body: suspended })
  expect(await titlesOf(approver)).toEqual(['2 agents are suspended', 'newcomer may sell now'])
  expect(await unreadOf(approver)).toBe(2)
  expect(await titlesOf(readers.maria)).toEqual(['You are suspended'])
  expect(await unreadOf(readers.manila)).toBe(1)
})

test('an agent who may sell again is told of, but not one who is not approved, or whose office is suspended', async () => {
  const { maria } = world.agents
  const body = { ids: [maria], active: true }
  const waiting = await buildAgent(db, {
    office_id: world.offices.manila,
    approved_at: null,
    active: false,
  })
  const steps = [
    () =>
      call(readers.superadmin, agentsEndpoints.agentsStatus, { body: { ...body, active: false } }),
    () =>
      call(readers.superadmin, agentsEndpoints.agentsStatus, {
        body: { ...body, ids: [maria, waiting] },
      }),
    () =>
      call(readers.superadmin, officesEndpoints.officesStatus, {
        body: { ids: [world.offices.manila], active: false },
      }),
    () => call(readers.superadmin, agentsEndpoints.agentsStatus, { body }),
    () =>
      call(readers.superadmin, officesEndpoints.officesStatus, {
        body: { ids: [world.offices.manila], active: true },
      }),
  ]
  for (const step of steps) {
    services.clock.advance(60_000)
    expect((await step()).status).toBe(200)
  }
  const ofMaria = (await titlesOf(readers.maria)).toReversed()
  expect(ofMaria).toEqual([
    'You are suspended',
    'Your links work',
    'You are suspended',
    'Your links work',
  ])
  const { kinds } = await db
    .selectFrom('facts')
    .select((eb) => eb.fn.countAll<number>().as('kinds'))
    .where('agent_id', '=', waiting)
    .where('kind', '=', 'agent.approved')
    .executeTakeFirstOrThrow()
  expect(kinds).toBe(0)
})

test('what becomes of somebody deleted is for staff', async () => {
  const payee = { kind: 'agent', id: 999_999, name: 'gone' } as const
  const subject = { payee, amount: 300_00, currency: 'PHP' } as const
  expect(await readersOf({ kind: 'payment.returned', of: { agentId: 999_999 }, subject })).toEqual([
    'superadmin',
    'payer',
  ])
})

test('what is rolled back is told to nobody', async () => {
  const change = inTransaction(db, async (tx) => {
    const { accountId } = readers.maria
    await tellOfChange(tx, services, { accountId, username: 'm', changed: ['password'] })
    throw new Error('refused')
  })
  await expect(change).rejects.toThrow('refused')
  expect(await titlesOf(readers.maria)).toEqual([])
})

test('what is read stays read, for this account only', async () => {
  const alarm = { alarmId: 1, title: 'Alpha is silent', text: '', page: '/app/home' }
  const { superadmin, admin } = readers
  await write([{ kind: 'alarm.raised', of: 'network', subject: alarm }])
  services.clock.advance(60_000)
  await write([{ kind: 'alarm.ended', of: 'network', subject: alarm }])
  const [ended, raised] = await linesOf(superadmin)
  await call(superadmin, readBell, { body: { id: ended?.id } })
  await call(superadmin, readBell, { body: { id: ended?.id } })
  expect((await linesOf(superadmin)).map(({ unread }) => unread)).toEqual([false, true])
  expect(await unreadOf(superadmin)).toBe(1)
  expect(await unreadOf(admin)).toBe(2)
  // Marks nothing for who can't read it.
  await call(readers.maria, readBell, { body: { id: raised?.id } })
  expect(await db.selectFrom('bell_reads').selectAll().execute()).toHaveLength(1)
})

test('all are read up to what was seen, and what is committed late is still new', async () => {
  const alarm = { alarmId: 1, title: 'Alpha is silent', text: '', page: '/app/home' }
  const { admin } = readers
  const raised = { kind: 'alarm.raised', of: 'network', subject: alarm } as const
  await write([raised])
  services.clock.advance(60_000)
  const { asOf } = (await call(admin, bell)).body
  services.clock.advance(60_000)
  await write([raised])
  await call(admin, readBell, { body: { until: asOf } })
  expect((await linesOf(admin)).map(({ unread }) => unread)).toEqual([true, false])
  // An act that began before, and took longer.
  const at = new Date(Date.parse(asOf) - 60_000)
  await inTransaction(db, (tx) =>
    writeFacts(tx, [{ ...raised, kind: 'alarm.ended' }], { at, byAccountId: null }),
  )
  expect(await unreadOf(admin)).toBe(2)
  services.clock.advance(60 * 60_000)
  await call(admin, readBell, { body: { until: services.clock.now().toISOString() } })
  expect(await unreadOf(admin)).toBe(0)
  expect(await db.selectFrom('bell_reads').selectAll().execute()).toEqual([])
})

test('a superadmin who is signed in as somebody else leaves their bell alone', async () => {
  const asMaria = { ...readers.maria, signedInBy: readers.superadmin.accountId }
  const { status } = await call(asMaria, readBell, {
    body: { until: services.clock.now().toISOString() },
  })
  expect(status).toBe(403)
})

test('sales are counted by site, since the day began or all was marked as read', async () => {
  services.clock.set('2026-02-04T20:00:00Z')
  await world.sell('a', 'maria', '2026-02-03')
  await world.sell('b', 'maria', '2026-02-04')
  await world.sell('c', 'maria', '2026-02-04')
  await world.sell('d', 'noel', '2026-02-04', { plain: true })
  const salesOf = async (who: Viewer) => {
    const { sales, since } = (await call(who, bell)).body
    return [
      since,
      ...sales.map(({ site, sales: sold }: { site: string; sales: number }) => [site, sold]),
    ]
  }
  const midnight = '2026-02-04T05:00:00.000Z'
  expect(await salesOf(readers.superadmin)).toEqual([midnight, ['Alpha', 2], ['Gamma', 1]])
  expect(await salesOf(readers.cebu)).toEqual([midnight, ['Gamma', 1]])
  expect(await salesOf(readers.maria)).toEqual([midnight, ['Alpha', 2]])
  expect(await unreadOf(readers.maria)).toBe(0)
  const until = services.clock.now().toISOString()
  await call(readers.maria, readBell, { body: { until } })
  expect(await salesOf(readers.maria)).toEqual([until])
})

test('of a site with approve-sale, they are approvals', async () => {
  services.clock.set('2026-02-04T20:00:00Z')
  await db
    .updateTable('sites')
    .set({ use_approve_sale: true })
    .where('sitename', '=', 'Gamma')
    .execute()
  await world.sell('a', 'maria', '2026-02-04')
  await world.sell('b', 'maria', '2026-02-04', { plain: true })
  const { sales } = (await call(readers.maria, bell)).body
  expect(sales).toMatchObject([
    { site: 'Alpha', event: 'sale', sales: 1 },
    { site: 'Gamma', event: 'approval', sales: 1 },
  ])
})

test('they are called what they were when they were made, with the sales of day 2 and without bonuses', async () => {
  services.clock.set('2026-02-04T20:00:00Z')
  await db
    .insertInto('former_site_flags')
    .values({
      site_id: world.sites.gamma,
      until: new Date('2026-02-04T18:00:00Z'),
      avp: false,
      use_approve_sale: true,
      changed_by: 1,
      changed_by_name: 'root',
    })
    .execute()
  const plain = { plain: true } as const
  const later = { occurred_at: new Date('2026-02-04T18:00:00Z') }
  await world.sell('a', 'maria', '2026-02-04', plain)
  await world.sell('b', 'maria', '2026-02-04', { ...plain, event_type: 1 })
  await world.sell('c', 'maria', '2026-02-04', { ...plain, event_type: 1 })
  await world.sell('d', 'maria', '2026-02-04', { ...plain, ...later })
  await world.sell('e', 'maria', '2026-02-04', { ...plain, ...later, event_type: 1 })
  await world.reverse('c', '2026-02-04')
  const { sales } = (await call(readers.maria, bell)).body
  expect(sales).toEqual([
    { siteId: world.sites.gamma, site: 'Gamma', event: 'sale', sales: 3, reversed: 1 },
    { siteId: world.sites.gamma, site: 'Gamma', event: 'approval', sales: 1, reversed: 0 },
  ])
})

test('an agent who moves to an office that is suspended is told of, and when they move back', async () => {
  const { maria } = world.agents
  const { manila, cebu } = world.offices
  await db.updateTable('offices').set({ active: false }).where('id', '=', cebu).execute()
  for (const officeId of [cebu, manila]) {
    services.clock.advance(60_000)
    const moved = { params: { id: String(maria) }, body: { officeId } }
    expect((await call(readers.superadmin, agentsEndpoints.updateAgent, moved)).status).toBe(200)
  }
  expect((await titlesOf(readers.maria)).toReversed()).toEqual([
    'You are suspended',
    'Your links work',
  ])
})

test('facts are forgotten after 90 days, and with their agent', async () => {
  const office = await buildOffice(db)
  const agentId = await buildAgent(db, { office_id: office })
  const subject = { agentId, username: 'x' }
  const kept = () => db.selectFrom('facts').select('kind').execute()
  await write([{ kind: 'agent.approved', of: { agentId }, subject }])
  services.clock.advance(90 * 86_400_000)
  await write([{ kind: 'agent.suspended', of: { agentId }, subject }])
  await forgetFacts(db, new Date(services.clock.now().getTime() + 1))
  expect(await kept()).toEqual([{ kind: 'agent.suspended' }])
  await db.deleteFrom('accounts').where('agent_id', '=', agentId).execute()
  await db.deleteFrom('agents').where('id', '=', agentId).execute()
  expect(await kept()).toEqual([])
})
