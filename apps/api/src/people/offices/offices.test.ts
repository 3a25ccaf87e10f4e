import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { roleNumber } from '@tallyroom/domain/roles'
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
import { insertSession } from '../sessions/sessions.queries.ts'
import { officesRoutes } from './offices.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(officesRoutes(services))

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const seeing = viewer({ role: 'admin', ...staff }, ['SHOW_SUSPEND'])

const form = {
  officeName: 'Manila',
  manFirstName: 'Ramon',
  manLastName: 'Villanueva',
  username: 'manila',
  password: 'Pa55"word, 100% ₱ ñ',
  passwordConfirm: 'Pa55"word, 100% ₱ ñ',
}
const { username: _, ...nameless } = form
const change = {
  ...nameless,
  password: '',
  passwordConfirm: '',
  preferredDomainId: null,
  siteIds: [] as number[],
  active: true,
  hidden: false,
}

let main: number
let other: number

beforeEach(async () => {
  for (const table of [
    'sessions',
    'accounts',
    'agents',
    'office_sites',
    'offices',
    'sites',
    'preferred_domains',
  ] as const) {
    await db.deleteFrom(table).execute()
  }
  main = await addDomain('https://go.example')
  other = await addDomain('https://r.example')
})

test('a new office may sell every site, gets the first active domain, and can sign in', async () => {
  await db.updateTable('preferred_domains').set({ hidden: true }).where('id', '=', main).execute()
  const sites = [
    await buildSite(db, { sitename: 'Alpha' }),
    await buildSite(db, { sitename: 'Beta' }),
  ]
  await buildSite(db, { deleted_at: new Date(0) })
  const hidden = await buildSite(db, { hidden: true })

  const { status, body } = await call(superadmin, officesEndpoints.createOffice, { body: form })
  expect(status).toBe(200)
  expect(await getForm(body.id)).toEqual({
    companyId: body.id,
    officeName: 'Manila',
    manFirstName: 'Ramon',
    manLastName: 'Villanueva',
    manEmail: '',
    agentNotes: '',
    preferredDomainId: other,
    siteIds: sites,
    active: true,
    hidden: false,
    username: 'manila',
    version: 1,
  })
  expect(await sitesOf(body.id)).toEqual([...sites, hidden])
  const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
  expect(account).toMatchObject({ role: roleNumber('company'), office_id: body.id })
  expect(await verifyPassword(form.password, account.password_hash)).toBe(true)
})

test('a new office gets what was chosen', async () => {
  const [first] = [await buildSite(db), await buildSite(db)]
  const { body } = await call(superadmin, officesEndpoints.createOffice, {
    body: { ...form, preferredDomainId: other, siteIds: [first], active: false, hidden: true },
  })
  expect(await getForm(body.id)).toMatchObject({
    preferredDomainId: other,
    siteIds: [first],
    active: false,
    hidden: true,
  })
})

test.each([
  [{ officeName: ' ' }, { officeName: ['Enter an office name'] }],
  [{ manFirstName: '' }, { manFirstName: ['Enter the manager’s first name'] }],
  [{ username: 'two words' }, { username: ['must not have spaces'] }],
  [{ password: 'short', passwordConfirm: 'short' }, { password: [/8 characters/] }],
  [{ passwordConfirm: 'another one' }, { passwordConfirm: ['does not match the password'] }],
  [{ siteIds: [99_999] }, { siteIds: [/no longer exists/] }],
  [{ preferredDomainId: 99_999 }, { preferredDomainId: ['is not an active domain'] }],
])('an office is not created with %o', async (values, messages) => {
  const answer = await call(superadmin, officesEndpoints.createOffice, {
    body: { ...form, ...values },
  })
  expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_ERROR'])
  for (const [field, [message]] of Object.entries(messages)) {
    expect(answer.body.data[field][0]).toMatch(message)
  }
  expect(await db.selectFrom('offices').select('id').execute()).toEqual([])
})

test('a name or username that is taken in another case is refused at its field', async () => {
  await buildOffice(db, { name: 'MANILA', username: 'someone' })
  const named = await call(superadmin, officesEndpoints.createOffice, { body: form })
  expect(named.body.data).toEqual({ officeName: ['is already taken'] })
  const body = { ...form, officeName: 'Other', username: 'SomeOne' }
  const called = await call(superadmin, officesEndpoints.createOffice, { body })
  expect(called.body.data).toEqual({ username: ['is already taken'] })
  // Nothing is left of the office.
  expect(await db.selectFrom('offices').select('name').execute()).toEqual([{ name: 'MANILA' }])
})

test('the form changes everything but the username; an empty password changes nothing', async () => {
  const [kept, added] = [await buildSite(db), await buildSite(db)]
  const office = await buildOffice(db, { username: 'manila' })
  const hidden = await buildSite(db, { hidden: true })
  const before = await accountOf(office)
  const answer = await update(office, {
    officeName: 'Manila North',
    agentNotes: 'Read this.\nAnd this.',
    preferredDomainId: other,
    siteIds: [added],
  })
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect(await getForm(office)).toMatchObject({
    officeName: 'Manila North',
    agentNotes: 'Read this.\nAnd this.',
    preferredDomainId: other,
    siteIds: [added],
    username: 'manila',
    version: 2,
  })
  // The form does not show hidden sites, so saving it does not disable them.
  expect(await sitesOf(office)).toEqual([added, hidden])
  expect(kept).not.toBe(added)
  expect(await accountOf(office)).toEqual(before)
})

test('a new password ends the office’s sessions', async () => {
  const office = await buildOffice(db)
  const { id } = await accountOf(office)
  const sessionId = await addSession(id)
  await update(office, { password: 'another pw', passwordConfirm: 'another pw' })
  expect(await verifyPassword('another pw', (await accountOf(office)).password_hash)).toBe(true)
  expect(await endOf(sessionId)).toBe('password-changed')
})

test('the second person to save is told, and nothing of the first is lost', async () => {
  const office = await buildOffice(db)
  const { version } = await getForm(office)
  expect((await update(office, { officeName: 'First', version })).status).toBe(200)
  const second = await update(office, { officeName: 'Second', version })
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  expect(second.body.message).toContain('Somebody else has changed this office')
  expect(await getForm(office)).toMatchObject({ officeName: 'First', version: version + 1 })
})

test('of two concurrent saves, one is refused', async () => {
  const office = await buildOffice(db)
  const { version } = await getForm(office)
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((officeName) => update(office, { officeName, version })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})

test('a domain that was hidden in the meantime may stay', async () => {
  const office = await buildOffice(db, { preferred_domain_id: main })
  await db.updateTable('preferred_domains').set({ hidden: true }).where('id', '=', main).execute()
  expect((await update(office, { preferredDomainId: main })).status).toBe(200)
  const elsewhere = await buildOffice(db)
  expect((await update(elsewhere, { preferredDomainId: main })).status).toBe(422)
})

test.each([
  ['suspended', { active: false }],
  ['hidden', { hidden: true }],
])('when it becomes %s, so do its agents, and back', async (_what, status) => {
  const [office, elsewhere] = [await buildOffice(db), await buildOffice(db)]
  const agent = await buildAgent(db, { office_id: office })
  const foreign = await buildAgent(db, { office_id: elsewhere })
  const counter = await changes()

  const answer = await call(superadmin, officesEndpoints.officesStatus, {
    body: { ids: [office], ...status },
  })
  expect(answer.body).toEqual({ ok: true })
  expect(await agentRow(agent)).toMatchObject({ ...status, version: 2 })
  expect(await agentRow(foreign)).toMatchObject({ active: true, hidden: false, version: 1 })
  expect(await changes()).toBe(counter + 1)

  const back = Object.fromEntries(Object.entries(status).map(([key, value]) => [key, !value]))
  await call(superadmin, officesEndpoints.officesStatus, { body: { ids: [office], ...back } })
  expect(await agentRow(agent)).toMatchObject({ active: true, hidden: false })

  // So does the form.
  await update(office, status)
  expect(await agentRow(agent)).toMatchObject(status)
})

test('saving a form without a new status does not touch the agents', async () => {
  const office = await buildOffice(db)
  const agent = await buildAgent(db, { office_id: office, active: false, hidden: true })
  await update(office, { officeName: 'Renamed' })
  expect(await agentRow(agent)).toMatchObject({ active: false, hidden: true, version: 1 })
})

test('several offices are changed together, or none', async () => {
  const [first, second] = [await buildOffice(db), await buildOffice(db)]
  const missing = await setStatus(superadmin, { ids: [first, second, 99_999], active: false })
  expect([missing.status, missing.body.message]).toEqual([
    404,
    'This office was not found. It may have been deleted, or you may not see it.',
  ])
  expect(await getForm(first)).toMatchObject({ active: true })
  await setStatus(superadmin, { ids: [second, first, second], active: false })
  expect([await getForm(first), await getForm(second)]).toMatchObject([
    { active: false },
    { active: false },
  ])
})

test.each([
  [{ ids: [] as number[], active: true }],
  [{ ids: [1] }],
  [{ ids: [1], active: 'no' }],
  [{ ids: [1], active: true, hidden: true }],
])('a status change of %o is refused', async (body) => {
  expect((await setStatus(superadmin, body)).status).toBe(422)
})

test('suspending an office with 5,000 agents suspends them in the same call', async () => {
  const office = await buildOffice(db)
  const rows = Array.from({ length: 5_000 }, () => ({ office_id: office, created_at: new Date(0) }))
  await db.insertInto('agents').values(rows).execute()
  expect((await setStatus(superadmin, { ids: [office], active: false })).status).toBe(200)
  const suspended = await db.selectFrom('agents').select('id').where('active', '=', false).execute()
  expect(suspended).toHaveLength(5_000)
})

test('the list has the numbers of agents and sites, and the password', async () => {
  const manila = (await call(superadmin, officesEndpoints.createOffice, { body: form })).body.id
  await buildAgent(db, { office_id: manila })
  await buildAgent(db, { office_id: manila, hidden: true })
  await buildAgent(db, { office_id: manila, active: false })
  await buildSite(db)
  await buildSite(db, { deleted_at: new Date(0) })

  const all = await search(superadmin)
  expect(all).toEqual({
    items: [
      {
        companyId: manila,
        officeName: 'Manila',
        agentsCount: 3,
        sitesCount: 1,
        username: 'manila',
        plainPassword: form.password,
        invitedAt: null,
        invitationEndsAt: null,
        preferredDomain: 'https://go.example',
        active: true,
        hidden: false,
        regTime: about('2026-03-01T15:00:00Z'),
      },
    ],
    total: 1,
  })
  expect((await search(admin)).items[0]?.agentsCount).toBe(2)
})

test('if the operator does not allow it, no password is stored or shown', async () => {
  const off = testServices(database, { environment: { PASSWORD_COLUMN: 'off' } })
  const callOff = await callRoutes(officesRoutes(off))
  await callOff(superadmin, officesEndpoints.createOffice, { body: form })
  const { body } = await callOff(superadmin, officesEndpoints.searchOffices, { body: {} })
  expect(body.items[0]).not.toHaveProperty('plainPassword')
  expect((await search(superadmin)).items[0]?.plainPassword).toBeNull()
})

test('if passwords are hidden, a list says that there is one, and each is revealed separately', async () => {
  const hiding = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
  const callHiding = await callRoutes(officesRoutes(hiding))
  const { body: made } = await callHiding(superadmin, officesEndpoints.createOffice, { body: form })
  const without = await buildOffice(db)
  const { body } = await callHiding(superadmin, officesEndpoints.searchOffices, { body: {} })
  const [hidden, none] = [made.id, without].map((id) =>
    body.items.find((item: { companyId: number }) => item.companyId === id),
  )
  expect(hidden).toMatchObject({ passwordHidden: 'one by one' })
  expect(hidden).not.toHaveProperty('plainPassword')
  expect(none).toMatchObject({ plainPassword: null })
  expect(JSON.stringify(body)).not.toContain(form.password)

  const reveal = async (id: number) =>
    (await callHiding(admin, officesEndpoints.officePassword, { params: { id } })).body
  expect(await reveal(made.id)).toEqual({ plainPassword: form.password })
  expect(await reveal(without)).toEqual({ plainPassword: null })
})

test('if no passwords are shown, none can be revealed', async () => {
  const off = testServices(database, { environment: { PASSWORD_COLUMN: 'off' } })
  const callOff = await callRoutes(officesRoutes(off))
  const id = await buildOffice(db)
  const answer = await callOff(superadmin, officesEndpoints.officePassword, { params: { id } })
  expect([answer.status, answer.body.message]).toEqual([
    404,
    'This password was not found. It may have been deleted, or you may not see it.',
  ])
})

test('a password whose key is missing reads as none', async () => {
  await call(superadmin, officesEndpoints.createOffice, { body: form })
  const rotated = testServices(database, { secret: Buffer.alloc(32, 'new') })
  const callRotated = await callRoutes(officesRoutes(rotated))
  const lost = await callRotated(superadmin, officesEndpoints.searchOffices, { body: {} })
  expect(lost.body.items[0].plainPassword).toBeNull()

  const kept = await callRoutes(officesRoutes({ ...rotated, formerSecrets: [services.secret] }))
  const found = await kept(superadmin, officesEndpoints.searchOffices, { body: {} })
  expect(found.body.items[0].plainPassword).toBe(form.password)
})

test('a search finds a part of the username, whatever characters it has', async () => {
  for (const username of ['man%ila', 'man_ila', 'manila', 'o\'hara"', 'ü₱😀', 'back\\slash']) {
    await buildOffice(db, { username })
  }
  const found = async (value: string) =>
    (await search(superadmin, { criteria: [{ field: 'username', value, operator: 'LIKE' }] })).items
      .map(({ username }) => username)
      .toSorted()
  expect(await found('%AN_I%')).toEqual(['man_ila'])
  expect(await found('n%i')).toEqual(['man%ila'])
  expect(await found('\'hara"')).toEqual(['o\'hara"'])
  expect(await found('%😀%')).toEqual(['ü₱😀'])
  expect(await found('k\\s')).toEqual(['back\\slash'])
  expect(await found('nobody')).toEqual([])
})

test('a text finds offices by every name, best match first', async () => {
  const add = (username: string, name: string, man_first_name: string, man_last_name: string) =>
    buildOffice(db, {
      name,
      username,
      man_first_name,
      man_last_name,
      man_email: `${username}@x.example`,
    })
  await add('mail-reyes', 'Office D', 'A', 'B')
  await add('inside', 'Office C', 'Xreyesx', 'B')
  await add('begins', 'Reyes & Sons', 'A', 'B')
  await add('manager', 'Office A', 'Ana', 'Reyes')
  await add('reyes', 'Office E', 'A', 'B')
  const found = async (text: string) =>
    (await search(superadmin, { criteria: [{ field: 'text', value: `%${text}%` }] })).items.map(
      ({ username }) => username,
    )
  expect(new Set(await found('REYES'))).toEqual(
    new Set(['reyes', 'manager', 'begins', 'mail-reyes', 'inside']),
  )
  expect((await found('reyes')).at(-1)).toBe('inside')
  expect(await found('sons')).toEqual(['begins'])
  expect(await found('reyes ana')).toEqual(['manager'])
  expect(await found('manager@x')).toEqual(['manager'])
  expect(await found('%')).toEqual([])
})

test('the list is paged, and sorted by every column in both directions', async () => {
  const names = ['alpha', 'Beta', 'gamma']
  for (const [index, name] of names.entries()) {
    const office = await buildOffice(db, {
      name,
      username: name,
      active: index !== 1,
      preferred_domain_id: index === 2 ? main : null,
      created_at: new Date(Date.UTC(2020, index)),
    })
    for (let n = 0; n < index; n++) await buildAgent(db, { office_id: office })
  }
  const order = async (sortField: string, sortAsc: boolean) =>
    (await search(superadmin, { sortField, sortAsc })).items.map(({ officeName }) => officeName)
  expect(await order('officeName', true)).toEqual(names)
  expect(await order('officeName', false)).toEqual(names.toReversed())
  expect(await order('agentsCount', false)).toEqual(names.toReversed())
  expect(await order('username', true)).toEqual(names)
  expect(await order('status', true)).toEqual(['alpha', 'gamma', 'Beta'])
  expect(await order('preferredDomain', false)).toEqual(['gamma', 'Beta', 'alpha'])
  expect(await order('regTime', false)).toEqual(names.toReversed())
  expect(await order('sitesCount', true)).toEqual(names)

  const page = await search(superadmin, { page: 2, pageSize: 2 })
  expect([page.items.map(({ officeName }) => officeName), page.total]).toEqual([['gamma'], 3])
})

test('suspended offices do not exist for an admin without the flag; hidden ones do', async () => {
  const suspended = await buildOffice(db, { name: 'Suspended', active: false })
  const hidden = await buildOffice(db, { name: 'Hidden', hidden: true })
  const names = async (who: typeof admin) =>
    (await search(who)).items.map(({ officeName }) => officeName)
  expect(await names(admin)).toEqual(['Hidden'])
  expect(await names(seeing)).toEqual(['Hidden', 'Suspended'])
  expect(await names(superadmin)).toEqual(['Hidden', 'Suspended'])

  const params = { id: suspended }
  expect((await call(admin, officesEndpoints.office, { params })).status).toBe(404)
  expect((await call(admin, officesEndpoints.officeSites, { params })).status).toBe(404)
  expect((await call(admin, officesEndpoints.updateOffice, { params, body: change })).status).toBe(
    404,
  )
  expect((await setStatus(admin, { ids: [suspended], active: true })).status).toBe(404)
  expect((await call(seeing, officesEndpoints.office, { params })).status).toBe(200)
  expect((await call(admin, officesEndpoints.office, { params: { id: hidden } })).status).toBe(200)
})

test('the sites of an office are listed with their status', async () => {
  const one = await buildSite(db, { sitename: 'b', abbr: 'B', url: 'https://www.a.example/x' })
  const two = await buildSite(db, { sitename: 'A', url: 'https://b.example', active: false })
  const hidden = await buildSite(db, { sitename: 'c', url: 'https://c.example', hidden: true })
  await buildSite(db, { deleted_at: new Date(0) })
  const office = await buildOffice(db)
  await buildSite(db, { deleted_at: new Date(0) })
  const list = async (query: Record<string, string> = {}) =>
    (await call(admin, officesEndpoints.officeSites, { params: { id: office }, query })).body
  expect((await list())[0]).toEqual({
    id: one,
    sitename: 'b',
    abbr: 'B',
    active: true,
    hidden: false,
  })
  const ids = async (query: Record<string, string>) =>
    (await list(query)).map(({ id }: { id: number }) => id)
  expect(await ids({})).toEqual([one, two, hidden])
  expect(await ids({ sortField: 'sitename' })).toEqual([two, one, hidden])
  expect(await ids({ sortField: 'sitename', sortAsc: 'false' })).toEqual([hidden, one, two])
  expect(await ids({ sortField: 'status' })).toEqual([one, hidden, two])
})

test('only superadmins add offices, and only staff see the list', async () => {
  const office = await buildOffice(db)
  const company = viewer({ role: 'company', officeId: office, agentId: undefined })
  expect((await call(admin, officesEndpoints.createOffice, { body: form })).status).toBe(403)
  for (const [endpoint, input] of [
    [officesEndpoints.searchOffices, { body: {} }],
    [officesEndpoints.office, { params: { id: office } }],
    [officesEndpoints.updateOffice, { params: { id: office }, body: change }],
    [officesEndpoints.officesStatus, { body: { ids: [office], active: false } }],
    [officesEndpoints.officeSites, { params: { id: office } }],
  ] as const) {
    expect((await call(company, endpoint, input)).status).toBe(403)
  }
})

async function addDomain(domain: string): Promise<number> {
  const row = { domain, created_at: new Date(0) }
  const { id } = await db
    .insertInto('preferred_domains')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Item = {
  officeName: string
  username: string
  agentsCount: number
  plainPassword: string | null
}

const search = async (
  who: typeof admin,
  body: object = {},
): Promise<{ items: Item[]; total: number }> =>
  (await call(who, officesEndpoints.searchOffices, { body })).body

const getForm = async (id: number) =>
  (await call(superadmin, officesEndpoints.office, { params: { id } })).body

const update = (id: number, values: object) =>
  call(superadmin, officesEndpoints.updateOffice, {
    params: { id },
    body: { ...change, officeName: `Office ${id}`, ...values },
  })

const setStatus = (who: typeof admin, body: object) =>
  call(who, officesEndpoints.officesStatus, { body })

const sitesOf = async (officeId: number) =>
  (
    await db
      .selectFrom('office_sites')
      .select('site_id')
      .where('office_id', '=', officeId)
      .orderBy('site_id')
      .execute()
  ).map(({ site_id }) => site_id)

const accountOf = (officeId: number) =>
  db.selectFrom('accounts').selectAll().where('office_id', '=', officeId).executeTakeFirstOrThrow()

const agentRow = (id: number) =>
  db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const changes = () => countChanges(db, 'destinations')

async function addSession(accountId: number): Promise<string> {
  const id = crypto.randomUUID()
  const [started_at, last_seen_at] = [services.clock.now(), services.clock.now()]
  const expires_at = new Date('2030-01-01T00:00:00Z')
  const session = { id, account_id: accountId, started_at, last_seen_at, expires_at, ip: '::1' }
  await inTransaction(db, (tx) => insertSession(tx, session))
  return id
}

const endOf = async (id: string) =>
  (
    await db
      .selectFrom('sessions')
      .select('end_reason')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).end_reason

test('a superadmin changes the username and the manager’s email; sessions under the old name end', async () => {
  const { body } = await call(superadmin, officesEndpoints.createOffice, {
    body: { ...form, manEmail: 'ramon@example.com' },
  })
  const params = { id: body.id }
  const updateAs = (who: typeof superadmin, values: object) =>
    call(who, officesEndpoints.updateOffice, { params, body: values })
  expect((await updateAs(admin, { username: 'cebu' })).body.data).toEqual({
    username: ['can only be changed by a superadmin'],
  })
  expect((await updateAs(superadmin, { username: 'ce bu' })).body.data).toEqual({
    username: ['must not have spaces'],
  })
  const account = () =>
    db
      .selectFrom('accounts')
      .select(['username', 'email', 'username_look'])
      .where('office_id', '=', body.id)
      .executeTakeFirstOrThrow()
  expect(await account()).toMatchObject({ username: 'manila', email: 'ramon@example.com' })
  const agent = await buildAgent(db, { office_id: body.id })
  const { id: agentAccount } = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', agent)
    .executeTakeFirstOrThrow()
  const { id: accountId } = await accountOf(body.id)
  const [officeSession, agentSession] = [
    await addSession(accountId),
    await addSession(agentAccount),
  ]
  expect((await updateAs(superadmin, { username: 'manila', officeName: 'Manila 2' })).status).toBe(
    200,
  )
  expect(await endOf(officeSession)).toBeNull()
  expect((await updateAs(superadmin, { username: 'cebu', manEmail: '' })).status).toBe(200)
  expect(await endOf(officeSession)).toBe('username-changed')
  expect(await endOf(agentSession)).toBeNull()
  expect(await account()).toEqual({ username: 'cebu', email: null, username_look: 'cebu' })
})

test('the manager is notified, at the previous address, of a new password or email address', async () => {
  const { body } = await call(superadmin, officesEndpoints.createOffice, {
    body: { ...form, manEmail: 'ramon@example.com' },
  })
  await db.deleteFrom('mails').execute()
  const save = (values: object) =>
    call(admin, officesEndpoints.updateOffice, { params: { id: body.id }, body: values })
  const password = 'kumquat-4711-x'
  await save({ agentNotes: 'Read this.', manEmail: 'ramon@example.com' })
  await save({ password, passwordConfirm: password })
  await save({ manEmail: 'rosa@example.com' })
  await save({ manEmail: 'x' })
  const subject = 'Tallyroom: your email address was changed'
  expect(await sentMails(services)).toMatchObject([
    { to: 'ramon@example.com', subject: 'Tallyroom: your password was changed' },
    { to: 'rosa@example.com', subject },
    { to: 'ramon@example.com', subject },
  ])
})

test('saving an office makes its manager’s address the account’s', async () => {
  const { body } = await call(superadmin, officesEndpoints.createOffice, {
    body: { ...form, manEmail: 'ramon@example.com' },
  })
  await db.updateTable('accounts').set({ email: 'former@example.com' }).execute()
  const params = { id: body.id }
  await call(admin, officesEndpoints.updateOffice, { params, body: { agentNotes: 'Read this.' } })
  const account = await db.selectFrom('accounts').select('email').executeTakeFirstOrThrow()
  expect(account.email).toBe('ramon@example.com')
})
