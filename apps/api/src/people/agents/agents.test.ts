import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { beforeEach, expect, test } from 'vitest'
import { countChanges } from '../../../test/count-changes.ts'
import { buildAgent, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import { verifyPassword } from '../../lib/password.ts'
import { checkRows } from '../../seals/index.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { openSession } from '../sessions/open-session.ts'
import { agentsRoutes } from './agents.routes.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock, secret } = services
const call = await callRoutes([...agentsRoutes(services), ...eraseRoutes(services)])
const findViewer = makeFindViewer(services)

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const seeing = viewer({ role: 'admin', ...staff }, ['SHOW_SUSPEND'])
type Caller = typeof superadmin

const form = {
  firstName: 'Maria',
  lastName: 'Santos',
  username: 'maria',
  password: 'Pa55"word, 100% ₱ ñ',
  passwordConfirm: 'Pa55"word, 100% ₱ ñ',
}
const change = {
  firstName: 'Maria',
  lastName: 'Santos',
  mustRead: '',
  active: true,
  hidden: false,
  loginBlocked: false,
}

let manila: number
let cebu: number
let sites: number[]
let office: Caller

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  for (const table of [
    'sessions',
    'accounts',
    'agents',
    'office_sites',
    'offices',
    'sites',
  ] as const) {
    await db.deleteFrom(table).execute()
  }
  sites = [
    await buildSite(db, { sitename: 'a' }),
    await buildSite(db, { sitename: 'b' }),
    await buildSite(db, { sitename: 'c' }),
  ]
  manila = await buildOffice(db, { name: 'Manila' })
  cebu = await buildOffice(db, { name: 'cebu' })
  office = viewer({ role: 'company', officeId: manila, agentId: undefined })
})

test('a new agent waits for approval, is active and may sell all of its office’s sites', async () => {
  const { status, body } = await create(superadmin, { officeId: manila })
  expect(status).toBe(200)
  expect(await getForm(body.id)).toEqual({
    id: body.id,
    officeId: manila,
    officeName: 'Manila',
    username: 'maria',
    firstName: 'Maria',
    lastName: 'Santos',
    email: '',
    emailConfirmed: true,
    mustRead: '',
    active: true,
    hidden: false,
    loginBlocked: false,
    loginOpenUntil: null,
    fraudFlaggedAt: null,
    approved: false,
    sites: sites.map((siteId, index) => ({ siteId, sitename: 'abc'[index], enable: true })),
    version: 1,
  })
  expect(await verifyPassword(form.password, (await accountOf(body.id)).password_hash)).toBe(true)
})

test('a password made of the agent’s or the office’s names is refused, for new and existing agents', async () => {
  const weak = (password: string) => ({ password, passwordConfirm: password })
  const refused = await create(superadmin, { officeId: manila, ...weak('manila-2026') })
  const reason = (name: string) => ({
    password: [`must have at least 8 characters besides the name “${name}”`],
  })
  expect([refused.status, refused.body.data]).toEqual([422, reason('manila')])
  expect(await db.selectFrom('agents').select('id').execute()).toEqual([])

  const { id } = (await create(superadmin, { officeId: manila })).body
  const state = { active: true, hidden: false, loginBlocked: false, sites: [] }
  const { username: _, ...values } = { ...form, ...state, ...weak('Santos-2026') }
  const update = await call(superadmin, agentsEndpoints.updateAgent, {
    params: { id },
    body: values,
  })
  expect([update.status, update.body.data]).toEqual([422, reason('santos')])
})

test('a new agent gets what was chosen', async () => {
  const { body } = await create(superadmin, {
    officeId: manila,
    siteIds: [sites[1]],
    mustRead: 'Read this.',
    active: false,
    hidden: true,
    loginBlocked: true,
  })
  expect(await getForm(body.id)).toMatchObject({
    mustRead: 'Read this.',
    active: false,
    hidden: true,
    loginBlocked: true,
    sites: [{ enable: false }, { enable: true }, { enable: false }],
  })
})

test('an office adds agents to itself, whatever the request says', async () => {
  const { body } = await create(office, { officeId: cebu })
  expect(await getForm(body.id)).toMatchObject({ officeId: manila })
})

test('staff must choose an office', async () => {
  expect((await create(admin, {})).body.data).toEqual({ officeId: ['Choose an office'] })
  const gone = await create(admin, { officeId: 99_999 })
  expect(gone.body.data).toEqual({ officeId: ['no longer exists'] })
  const suspended = await buildOffice(db, { active: false })
  expect((await create(admin, { officeId: suspended })).status).toBe(422)
  expect((await create(admin, { officeId: cebu })).status).toBe(200)
})

test.each([
  [{ username: 'elevenchars' }, 'username', /at most 10 characters/],
  [{ username: '' }, 'username', /Enter a username/],
  [{ firstName: ' ' }, 'firstName', /Enter a first name/],
  [{ lastName: '' }, 'lastName', /Enter a last name/],
  [{ password: '', passwordConfirm: '' }, 'password', /Enter a password/],
  [{ passwordConfirm: 'else' }, 'passwordConfirm', /does not match/],
  [{ siteIds: [99_999] }, 'siteIds', /may not sell/],
])('an agent is not created with %o', async (values, field, message) => {
  const { status, body } = await create(superadmin, { officeId: manila, ...values })
  expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR'])
  expect(body.data[field][0]).toMatch(message)
  expect(await db.selectFrom('agents').select('id').execute()).toEqual([])
})

test('a username that is taken in another case is refused at its field', async () => {
  await buildAgent(db, { office_id: cebu, username: 'MARIA' })
  const { status, body } = await create(superadmin, { officeId: manila })
  expect([status, body.data]).toEqual([422, { username: ['is already taken'] }])
})

test('the form changes an agent and switches their sites', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  const [a, b, c] = sites
  const counter = await changes()
  const answer = await update(superadmin, agent, {
    firstName: 'Mary',
    mustRead: 'x',
    active: false,
    sites: [
      { siteId: a, enable: false },
      { siteId: b, enable: false },
    ],
  })
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect(await changes()).toBe(counter + 1)
  expect(await getForm(agent)).toMatchObject({
    firstName: 'Mary',
    mustRead: 'x',
    active: false,
    version: 2,
    sites: [{ enable: false }, { enable: false }, { siteId: c, enable: true }],
  })
  await update(superadmin, agent, { sites: [{ siteId: a, enable: true }] })
  expect(await getForm(agent)).toMatchObject({
    sites: [{ enable: true }, { enable: false }, { enable: true }],
  })
  const foreign = await update(superadmin, agent, { sites: [{ siteId: 99_999, enable: true }] })
  expect(foreign.body.data).toEqual({ sites: ['contains a site that the office may not sell'] })
})

test('the second person to save is told; a status set in between counts as a change', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  const { version } = await getForm(agent)
  expect((await update(office, agent, { firstName: 'First', version })).status).toBe(200)
  const second = await update(admin, agent, { firstName: 'Second', version })
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  expect(await getForm(agent)).toMatchObject({ firstName: 'First' })

  await setStatus(admin, { ids: [agent], loginBlocked: true })
  const third = await update(admin, agent, { version: version + 1 })
  expect(third.status).toBe(409)
  expect(await getForm(agent)).toMatchObject({ loginBlocked: true })
})

test('a new password ends the agent’s sessions and works from then on', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  const token = await signIn(agent)
  await db.updateTable('accounts').set({ email: 'maria@example.com' }).execute()
  await db.deleteFrom('mails').execute()
  await update(office, agent, { password: 'another pw', passwordConfirm: 'another pw' })
  expect(await sentMails(services)).toMatchObject([
    { to: 'maria@example.com', subject: 'Tallyroom: your password was changed' },
  ])
  expect(await findViewer(token)).toBeUndefined()
  expect(await verifyPassword('another pw', (await accountOf(agent)).password_hash)).toBe(true)
})

test('only a superadmin moves an agent, whose past stays with the previous office', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  await db
    .insertInto('clicks')
    .values({
      clicked_at: clock.now(),
      agent_id: agent,
      type_id: 1,
      office_id: manila,
      nonce: 1,
      is_unique: true,
      ip: '203.0.113.7',
    })
    .execute()
  for (const who of [admin, office]) {
    const refused = await update(who, agent, { officeId: cebu })
    expect(refused.body.data).toEqual({ officeId: ['can only be changed by a superadmin'] })
    expect((await update(who, agent, { officeId: manila })).status).toBe(200)
  }
  expect((await update(superadmin, agent, { officeId: cebu })).status).toBe(200)
  expect(await db.selectFrom('agent_moves').selectAll().execute()).toMatchObject([
    {
      agent_id: agent,
      from_office_id: manila,
      to_office_id: cebu,
      moved_by: superadmin.accountId,
      moved_by_name: superadmin.username,
    },
  ])
  const sealed = { table: 'agent_moves', which: 'all' } as const
  expect(await inTransaction(db, (tx) => checkRows(tx, [sealed]))).toEqual([])
  const seals = db.selectFrom('pay_seals').select('kind').where('table_name', '=', 'agent_moves')
  expect(await seals.execute()).toEqual([{ kind: 'row' }])
  expect(await getForm(agent)).toMatchObject({ officeId: cebu, officeName: 'cebu' })
  const click = await db.selectFrom('clicks').select('office_id').executeTakeFirstOrThrow()
  expect(click.office_id).toBe(manila)
  expect((await call(office, agentsEndpoints.agent, { params: { id: agent } })).status).toBe(404)
})

test('disabling login takes effect with the next request; enabling it lasts until 01:00 in New York', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  const token = await signIn(agent)
  expect((await setStatus(office, { ids: [agent], loginBlocked: true })).body).toEqual({ ok: true })
  expect(await findViewer(token)).toBeUndefined()
  const session = await db.selectFrom('sessions').select('end_reason').executeTakeFirstOrThrow()
  expect(session.end_reason).toBe('login-blocked')

  await setStatus(office, { ids: [agent], loginBlocked: false })
  const until = '2026-03-02T06:00:00.000Z'
  expect((await search(office)).items).toMatchObject([
    { loginBlocked: true, loginOpenUntil: until },
  ])
  clock.set('2026-03-02T00:00:00Z')
  const opened = await signIn(agent)
  clock.set('2026-03-02T05:59:59Z')
  expect(await findViewer(opened)).toBeDefined()
  clock.set(until)
  expect(await findViewer(opened)).toBeUndefined()
  expect((await search(office)).items).toMatchObject([{ loginBlocked: true, loginOpenUntil: null }])
  expect(await getForm(agent)).toMatchObject({ loginBlocked: true, loginOpenUntil: null })

  // Disabling it in between closes it again.
  await setStatus(office, { ids: [agent], loginBlocked: false })
  await setStatus(office, { ids: [agent], loginBlocked: true })
  expect(await findViewer(await signIn(agent))).toBeUndefined()
})

test('enabling login has no effect on an agent who is not blocked', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  await setStatus(office, { ids: [agent], loginBlocked: false })
  expect((await search(office)).items).toMatchObject([
    { loginBlocked: false, loginOpenUntil: null },
  ])
})

test('unticking the block in the form lifts it for good; ticking it ends the sessions', async () => {
  const agent = await buildAgent(db, { office_id: manila })
  const token = await signIn(agent)
  await update(office, agent, { loginBlocked: true })
  expect(await findViewer(token)).toBeUndefined()

  await setStatus(office, { ids: [agent], loginBlocked: false })
  const opened = await signIn(agent)
  await update(office, agent, { loginBlocked: true, firstName: 'Mary' })
  // The account was already blocked, so its login window stays open.
  expect(await findViewer(opened)).toBeDefined()

  await update(office, agent, { loginBlocked: false })
  clock.set('2026-04-01T12:00:00Z')
  expect(await findViewer(await signIn(agent))).toBeDefined()
})

test('several agents are activated, suspended, shown or hidden together, or none', async () => {
  const ids = [
    await buildAgent(db, { office_id: manila }),
    await buildAgent(db, { office_id: cebu }),
  ]
  for (const status of [{ active: false }, { hidden: true }, { active: true }, { hidden: false }]) {
    const counter = await changes()
    expect((await setStatus(superadmin, { ids, ...status })).status).toBe(200)
    for (const id of ids) expect(await getForm(id)).toMatchObject(status)
    expect(await changes()).toBe(counter + 1)
  }
  const foreign = await setStatus(office, { ids, active: false })
  expect([foreign.status, foreign.body.message]).toEqual([
    404,
    'This agent was not found. It may have been deleted, or you may not see it.',
  ])
  expect(await getForm(ids[0] ?? 0)).toMatchObject({ active: true })
  expect((await setStatus(superadmin, { ids, active: true, hidden: true })).status).toBe(422)
})

test('an office does not see its hidden agents, and hides none', async () => {
  const shown = await buildAgent(db, { office_id: manila, username: 'shown' })
  const hidden = await buildAgent(db, { office_id: manila, username: 'hidden', hidden: true })
  expect(await usernames(office)).toEqual(['shown'])
  expect(await usernames(admin)).toEqual(['hidden', 'shown'])
  expect(await search(office)).toMatchObject({ total: 1, leftOut: 1 })
  expect(await search(admin)).toMatchObject({ total: 2, leftOut: 0 })
  // A search usually finds fewer, so it needs no note.
  const criteria = [{ field: 'text', value: 'shown' }]
  const found = await search(office, { criteria })
  expect([found.total, 'leftOut' in found]).toEqual([1, false])
  expect((await call(office, agentsEndpoints.agent, { params: { id: hidden } })).status).toBe(404)
  expect((await call(admin, agentsEndpoints.agent, { params: { id: hidden } })).status).toBe(200)
  expect((await setStatus(office, { ids: [shown], hidden: true })).status).toBe(403)
  const saved = await update(office, shown, { hidden: true })
  expect(saved.body.data).toEqual({ hidden: ['can only be changed by an admin'] })
  expect((await create(office, { hidden: true })).status).toBe(422)
})

test('suspended agents do not exist for an admin without the flag; their own office sees them', async () => {
  const agent = await buildAgent(db, { office_id: manila, username: 'gone', active: false })
  expect(await usernames(admin)).toEqual([])
  for (const who of [seeing, superadmin, office]) expect(await usernames(who)).toEqual(['gone'])
  const params = { id: agent }
  expect((await call(admin, agentsEndpoints.agent, { params })).status).toBe(404)
  expect((await call(admin, agentsEndpoints.agentSites, { params })).status).toBe(404)
  expect((await update(admin, agent, {})).status).toBe(404)
  expect((await setStatus(admin, { ids: [agent], active: true })).status).toBe(404)
})

test('an office’s list has only its own agents and their passwords', async () => {
  await buildAgent(db, { office_id: cebu, username: 'foreign' })
  const { id } = (await create(office, { siteIds: [sites[0]] })).body
  await db.updateTable('agents').set({ approved_at: clock.now() }).where('id', '=', id).execute()
  await signIn(id)
  clock.advance(60_000)
  await signIn(id)
  expect(await search(office)).toEqual({
    items: [
      {
        id,
        companyId: manila,
        officeName: 'Manila',
        username: 'maria',
        firstName: 'Maria',
        lastName: 'Santos',
        plainPassword: form.password,
        email: null,
        regTime: about('2026-03-01T15:00:00Z'),
        lastLoginTime: about('2026-03-01T15:01:00Z'),
        loginCount: 2,
        active: true,
        hidden: false,
        approved: true,
        invitedAt: null,
        invitationEndsAt: null,
        loginBlocked: false,
        loginOpenUntil: null,
        fraudFlaggedAt: null,
        sitesCount: 1,
      },
    ],
    total: 1,
    leftOut: 0,
  })
})

test('the number of sites matches the linked list', async () => {
  const hidden = await buildSite(db, { sitename: 'd', hidden: true })
  const agent = await buildAgent(db, { office_id: manila })
  await db
    .insertInto('agent_sites_off')
    .values([{ agent_id: agent, site_id: sites[0] ?? 0 }])
    .execute()
  await db.updateTable('sites').set({ active: false }).where('sitename', '=', 'b').execute()
  await db
    .updateTable('sites')
    .set({ deleted_at: clock.now() })
    .where('sitename', '=', 'c')
    .execute()
  for (const [who, expected] of [
    [office, [sites[1]]],
    [admin, [sites[1], hidden]],
  ] as const) {
    const list = await call(who, agentsEndpoints.agentSites, {
      params: { id: agent },
      query: { sortField: 'sitename' },
    })
    expect(list.body.map(({ id }: { id: number }) => id)).toEqual(expected)
    expect((await search(who)).items[0]?.sitesCount).toBe(expected.length)
  }
})

test('a search finds agents by part of the username, by id, by office and by status', async () => {
  const ana = await buildAgent(db, { office_id: manila, username: 'Ana_100%' })
  await buildAgent(db, { office_id: manila, username: 'anabel', active: false })
  await buildAgent(db, { office_id: cebu, username: 'bob' })
  const found = (...criteria: object[]) => usernames(superadmin, { criteria })
  expect(await found({ field: 'username', value: '%ANA%', operator: 'LIKE' })).toEqual([
    'Ana_100%',
    'anabel',
  ])
  expect(await found({ field: 'username', value: 'a_1', operator: 'LIKE' })).toEqual(['Ana_100%'])
  expect(await found({ field: 'username', value: '0%', operator: 'LIKE' })).toEqual(['Ana_100%'])
  expect(await found({ field: 'username', value: 'BOB', operator: '=' })).toEqual(['bob'])
  expect(await found({ field: 'agents.id', value: ana })).toEqual(['Ana_100%'])
  expect(await found({ field: 'companyId', value: cebu })).toEqual(['bob'])
  expect(
    await found({ field: 'companyId', value: manila }, { field: 'active', value: false }),
  ).toEqual(['anabel'])
  // Criteria do not widen the scope.
  expect(await usernames(office, { criteria: [{ field: 'companyId', value: cebu }] })).toEqual([])
})

test('a new agent gets the sites that single switches leave on; exactly one of the two ways is required', async () => {
  const [first, second, third] = sites
  const off = [{ siteId: first, enable: 0, sitename: 'a' }]
  const { body } = await create(superadmin, { officeId: manila, sites: off })
  const { sites: switches } = await getForm(body.id)
  const on = switches.filter(({ enable }: { enable: boolean }) => enable)
  expect(on.map(({ siteId }: { siteId: number }) => siteId)).toEqual([second, third])
  const both = await create(superadmin, { officeId: manila, sites: off, siteIds: [second] })
  expect([both.status, both.body.data]).toMatchObject([
    422,
    { siteIds: ['can’t be combined with sites'] },
  ])
})

test('statuses are accepted as 0 and 1 and as booleans; answers have booleans', async () => {
  const { body } = await create(superadmin, { officeId: manila, active: 0, hidden: 1 })
  expect(await getForm(body.id)).toMatchObject({ active: false, hidden: true })
  expect((await update(superadmin, body.id, { active: 1, hidden: 0 })).status).toBe(200)
  expect(await getForm(body.id)).toMatchObject({ active: true, hidden: false })
  expect((await setStatus(superadmin, { ids: [body.id], active: 0 })).status).toBe(200)
  expect(await usernames(superadmin, { criteria: [{ field: 'active', value: 0 }] })).toEqual([
    'maria',
  ])
  for (const wrong of [2, -1, '1', null]) {
    expect((await update(superadmin, body.id, { hidden: wrong })).body.data).toEqual({
      hidden: ['must be true or false'],
    })
    expect((await setStatus(superadmin, { ids: [body.id], active: wrong })).status).toBe(422)
  }
  expect(await getForm(body.id)).toMatchObject({ active: false, hidden: false })
})

test.each([
  [{ criteria: [{ field: 'password_hash', value: 'x' }] }],
  [{ criteria: [{ field: 'username', value: 'x', operator: 'BETWEEN' }] }],
  [{ sortField: 'password' }],
  [{ page: 0 }],
  [{ pageSize: 5_000 }],
  [{ unknown: 1 }],
])('a search for %o is refused', async (body) => {
  expect((await call(superadmin, agentsEndpoints.searchAgents, { body })).status).toBe(422)
})

test('the list is paged, and sorted by every column in both directions', async () => {
  for (const [index, username] of ['ana', 'Bob', 'carl'].entries()) {
    const id = await buildAgent(db, {
      office_id: index === 2 ? cebu : manila,
      username,
      active: index !== 1,
      created_at: new Date(Date.UTC(2021, index)),
    })
    for (let n = 0; n < index; n++) await signIn(id)
    clock.advance(1_000)
    const off = sites.slice(0, index).map((site_id) => ({ agent_id: id, site_id }))
    if (off.length > 0) await db.insertInto('agent_sites_off').values(off).execute()
  }
  const ascending = {
    username: ['ana', 'Bob', 'carl'],
    officeName: ['carl', 'ana', 'Bob'],
    regTime: ['ana', 'Bob', 'carl'],
    lastLoginTime: ['ana', 'Bob', 'carl'],
    loginCount: ['ana', 'Bob', 'carl'],
    status: ['ana', 'carl', 'Bob'],
    sitesCount: ['carl', 'Bob', 'ana'],
  }
  for (const [sortField, names] of Object.entries(ascending)) {
    expect([sortField, await usernames(superadmin, { sortField })]).toEqual([sortField, names])
    const descending = await usernames(superadmin, { sortField, sortAsc: false })
    expect([sortField, descending]).toEqual([sortField, names.toReversed()])
  }
  expect(await search(superadmin, { page: 2, pageSize: 2 })).toMatchObject({
    items: [{ username: 'carl' }],
    total: 3,
  })
})

test('agents have no access', async () => {
  const id = await buildAgent(db, { office_id: manila })
  const agent = viewer({ role: 'agent', officeId: manila, agentId: id })
  for (const [endpoint, input] of [
    [agentsEndpoints.searchAgents, { body: {} }],
    [agentsEndpoints.agent, { params: { id } }],
    [agentsEndpoints.agentSites, { params: { id } }],
    [agentsEndpoints.createAgent, { body: form }],
    [agentsEndpoints.updateAgent, { params: { id }, body: change }],
    [agentsEndpoints.agentsStatus, { body: { ids: [id], active: false } }],
    [agentsEndpoints.deleteAgent, { params: { id } }],
  ] as const) {
    expect((await call(agent, endpoint, input)).status).toBe(403)
  }
})

test('what belongs to another office does not exist', async () => {
  const id = await buildAgent(db, { office_id: cebu })
  const params = { id }
  expect((await call(office, agentsEndpoints.agent, { params })).status).toBe(404)
  expect((await call(office, agentsEndpoints.agentSites, { params })).status).toBe(404)
  expect((await update(office, id, {})).status).toBe(404)
  expect((await setStatus(office, { ids: [id], loginBlocked: true })).status).toBe(404)
})

type Item = {
  username: string
  sitesCount: number
  loginBlocked: boolean
  loginOpenUntil: string | null
}

const create = (who: Caller, values: object) =>
  call(who, agentsEndpoints.createAgent, { body: { ...form, ...values } })

const update = (who: Caller, id: number, values: object) =>
  call(who, agentsEndpoints.updateAgent, { params: { id }, body: { ...change, ...values } })

const setStatus = (who: Caller, body: object) => call(who, agentsEndpoints.agentsStatus, { body })

const getForm = async (id: number) =>
  (await call(superadmin, agentsEndpoints.agent, { params: { id } })).body

const search = async (
  who: Caller,
  body: object = {},
): Promise<{ items: Item[]; total: number; leftOut?: number }> =>
  (await call(who, agentsEndpoints.searchAgents, { body })).body

const usernames = async (who: Caller, body: object = {}) =>
  (await search(who, body)).items.map(({ username }) => username)

const accountOf = (agentId: number) =>
  db.selectFrom('accounts').selectAll().where('agent_id', '=', agentId).executeTakeFirstOrThrow()

async function signIn(agentId: number): Promise<string> {
  const { id, username } = await accountOf(agentId)
  const account = {
    accountId: id,
    username,
    permissions: [],
    role: 'agent' as const,
    officeId: manila,
    agentId,
  }
  const visit = { ip: '203.0.113.9', userAgent: 'a browser', now: clock.now(), secret }
  return inTransaction(db, (tx) => openSession(tx, { account, ...visit }))
}

const changes = () => countChanges(db, 'destinations')

test('a text finds agents by all their names, best match first', async () => {
  const found = async (text: string) => {
    const { body } = await call(superadmin, agentsEndpoints.searchAgents, {
      body: { criteria: [{ field: 'text', value: `%${text}%` }] },
    })
    return body.items.map(({ username }: { username: string }) => username)
  }
  const west = await buildOffice(db, { name: 'Zamboanga West' })
  const add = (username: string, first_name: string, last_name: string) =>
    buildAgent(db, { office_id: west, username, first_name, last_name })
  await add('inside', 'Xsantosx', 'Y')
  await add('zbegins', 'Santosa', 'Y')
  await add('aword', 'Maria', 'Del Santos-Cruz')
  await add('whole', 'Ana', 'Santos')
  await add('SANTOS', 'Bea', 'Y')
  expect(await found('santos')).toEqual(['SANTOS', 'whole', 'zbegins', 'aword', 'inside'])
  expect(await found('cruz maria')).toEqual(['aword'])
  expect(await found('zamboanga bea')).toEqual(['SANTOS'])
  expect(await found('100%_no')).toEqual([])
})

test('lookalike names and invisible characters are refused; other spellings of a letter become one', async () => {
  const officeId = await buildOffice(db)
  const createNamed = (username: string) =>
    call(superadmin, agentsEndpoints.createAgent, {
      body: {
        officeId,
        username,
        firstName: 'A',
        lastName: 'B',
        password: 'kumquat-4711-x',
        passwordConfirm: 'kumquat-4711-x',
      },
    })
  expect((await createNamed('paolo1')).status).toBe(200)
  for (const alike of ['\u0440aolo1', 'paolol', 'pa0lo1', 'paoloI']) {
    const { status, body } = await createNamed(alike)
    expect([alike, status, body.data]).toEqual([
      alike,
      422,
      { username: ['looks too similar to one that is taken'] },
    ])
  }
  for (const hidden of [
    'a\u200bb',
    '\u202egnp',
    'te\u2060st',
    '\u2066te',
    'x\ue000',
    'x\u3164',
    'x\u{e0100}',
  ]) {
    const { status, body } = await createNamed(hidden)
    expect([hidden, status, body.data]).toEqual([
      hidden,
      422,
      { username: ['must not have invisible characters'] },
    ])
  }
  const { body } = await createNamed('\uff4barl\u0065\u0301')
  expect(
    await db
      .selectFrom('accounts')
      .select('username')
      .where('agent_id', '=', body.id)
      .executeTakeFirstOrThrow(),
  ).toEqual({ username: 'karlé' })
})
