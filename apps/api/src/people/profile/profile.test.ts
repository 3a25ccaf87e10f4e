import { profileEndpoints } from '@tallyroom/contract/people/profile'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { roleNumber } from '@tallyroom/domain/roles'
import { beforeEach, expect, test } from 'vitest'
import type { Membership, Viewer } from '../../access/viewer.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import { verifyPassword } from '../../lib/password.ts'
import { accountOf as readAccount } from '../accounts/account.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { openSession } from '../sessions/open-session.ts'
import { profileRoutes } from './profile.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock, secret } = services
const call = await callRoutes(profileRoutes(services))
const findViewer = makeFindViewer(services)

const staff = { officeId: undefined, agentId: undefined } as const
const newPassword = { password: 'another "pw" ₱', passwordConfirm: 'another "pw" ₱' }

let admin: Viewer
let superadmin: Viewer
let office: Viewer
let agent: Viewer

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('sign_in_waits').execute()
  for (const table of ['sessions', 'accounts', 'agents', 'offices'] as const) {
    await db.deleteFrom(table).execute()
  }
  const email = 'someone@example.com'
  admin = await asViewer(
    await buildAccount(db, { role: roleNumber('admin'), username: 'admin', email }),
    { role: 'admin', ...staff },
  )
  superadmin = await asViewer(await buildAccount(db, { username: 'superadmin', email }), {
    role: 'superadmin',
    ...staff,
  })
  const officeId = await buildOffice(db, { name: 'Manila', man_first_name: 'Ramon' })
  office = await asViewer(await accountIdOf('office_id', officeId), {
    role: 'company',
    officeId,
    agentId: undefined,
  })
  const agentId = await buildAgent(db, { office_id: officeId })
  agent = await asViewer(await accountIdOf('agent_id', agentId), {
    role: 'agent',
    officeId,
    agentId,
  })
})

test('admins change their email and, once granted, whether they see suspended accounts', async () => {
  await db.updateTable('accounts').set({ show_suspend: true }).execute()
  const { body } = await call(admin, profileEndpoints.adminProfile)
  expect(body).toEqual({
    username: 'admin',
    email: 'someone@example.com',
    showSuspend: true,
    showSuspendGranted: true,
    version: 1,
  })
  const saved = await call(admin, profileEndpoints.updateAdminProfile, {
    body: { email: 'new@example.com', showSuspend: false, version: 1 },
  })
  expect([saved.status, saved.body]).toEqual([200, { ok: true }])
  expect((await call(admin, profileEndpoints.adminProfile)).body).toMatchObject({
    email: 'new@example.com',
    showSuspend: false,
  })
  expect(await permissionsOf(admin)).toEqual([])
  const stale = await call(admin, profileEndpoints.updateAdminProfile, {
    body: { email: 'x@example.com', showSuspend: true, version: 1 },
  })
  expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT'])
})

test('admins cannot grant themselves suspended accounts', async () => {
  const save = (body: object) => call(admin, profileEndpoints.updateAdminProfile, { body })
  expect((await call(admin, profileEndpoints.adminProfile)).body).toMatchObject({
    showSuspend: false,
    showSuspendGranted: false,
  })
  const refused = await save({ email: 'evil@example.com', showSuspend: true })
  expect([refused.status, refused.body.data]).toEqual([
    422,
    { showSuspend: ['can only be granted by a superadmin'] },
  ])
  expect((await save({ showSuspendGranted: true })).body.data).toEqual({
    showSuspendGranted: ['can’t be changed here'],
  })
  expect((await save({ email: 'new@example.com', showSuspend: false })).status).toBe(200)
  expect(await permissionsOf(admin)).toEqual([])
  expect((await call(admin, profileEndpoints.adminProfile)).body.email).toBe('new@example.com')
  // A later grant takes effect at once, because the admin has not opted out.
  await db.updateTable('accounts').set({ show_suspend: true }).execute()
  expect(await permissionsOf(admin)).toEqual(['SHOW_SUSPEND'])
})

test('a superadmin always sees suspended accounts', async () => {
  const switched = await call(superadmin, profileEndpoints.updateAdminProfile, {
    body: { showSuspend: false },
  })
  expect(switched.body.data).toEqual({ showSuspend: ['is always on for a superadmin'] })
  const body = { email: 'new@example.com', showSuspend: true }
  await call(superadmin, profileEndpoints.updateAdminProfile, { body })
  expect((await call(superadmin, profileEndpoints.adminProfile)).body).toMatchObject({
    email: 'new@example.com',
    showSuspend: true,
  })
})

const officeForm = {
  officeName: 'Manila North',
  manFirstName: 'Rosa',
  manLastName: 'Lim',
  manEmail: 'rosa@example.com',
  agentNotes: 'Read this.',
}

test('an office changes its own data even while it is hidden and suspended', async () => {
  await db.updateTable('offices').set({ active: false, hidden: true }).execute()
  const saved = await call(office, profileEndpoints.updateCompanyProfile, { body: officeForm })
  expect([saved.status, saved.body]).toEqual([200, { ok: true }])
  expect((await call(office, profileEndpoints.companyProfile)).body).toEqual({
    ...officeForm,
    username: expect.any(String),
    activated: false,
    version: 2,
  })
  // Password reset links go to this address.
  expect((await accountOf(office)).email).toBe('rosa@example.com')
})

test.each([
  [{ officeName: '' }, { officeName: ['Enter an office name'] }],
  [{ officeName: 'CEBU' }, { officeName: ['is already taken'] }],
  [{ manEmail: 'x' }, { manEmail: ['must be an email address'] }],
  [
    { password: 'long enough', passwordConfirm: '' },
    { passwordConfirm: ['does not match the password'] },
  ],
])('an office form with %o is refused', async (values, data) => {
  await buildOffice(db, { name: 'Cebu' })
  const { status, body } = await call(office, profileEndpoints.updateCompanyProfile, {
    body: { ...officeForm, ...values },
  })
  expect([status, body.data]).toEqual([422, data])
})

test('agents change their password, entered in both fields', async () => {
  const { username } = (await call(agent, profileEndpoints.agentProfile)).body
  expect(username).toBe(agent.username)
  const wrong = { body: { ...newPassword, x: 1 } }
  expect((await call(agent, profileEndpoints.updateAgentProfile, wrong)).status).toBe(422)
  const saved = await call(agent, profileEndpoints.updateAgentProfile, { body: newPassword })
  expect([saved.status, saved.body]).toEqual([200, { ok: true }])
  expect(await verifyPassword(newPassword.password, (await accountOf(agent)).password_hash)).toBe(
    true,
  )
})

test('a program need not repeat the new password', async () => {
  const body = { password: 'quiet-otter-91' }
  expect((await call(agent, profileEndpoints.updateAgentProfile, { body })).status).toBe(200)
  const { password_hash } = await accountOf(agent)
  expect(await verifyPassword(body.password, password_hash)).toBe(true)
})

test.each([
  ['agent', () => agent, profileEndpoints.updateAgentProfile, {}],
  ['office', () => office, profileEndpoints.updateCompanyProfile, officeForm],
  [
    'admin',
    () => admin,
    profileEndpoints.updateAdminProfile,
    { email: 'a@example.com', showSuspend: false },
  ],
] as const)(
  'an %s’s new password ends the other sessions and keeps a readable copy for the lists',
  async (_, who: () => Viewer, endpoint: Endpoint, form: object) => {
    const [here, elsewhere] = [await signIn(who()), await signIn(who())]
    const caller = (await findViewer(here)) ?? who()
    await call(caller, endpoint, { body: { ...form, ...newPassword } })
    expect(await findViewer(here)).toBeDefined()
    expect(await findViewer(elsewhere)).toBeUndefined()
    expect((await accountOf(who())).password_sealed).toBeInstanceOf(Buffer)
  },
)

test('no readable copy of a superadmin’s password is kept', async () => {
  await db.updateTable('accounts').set({ must_change_password: true }).execute()
  await call(superadmin, profileEndpoints.updateAdminProfile, {
    body: { email: 'new@example.com', showSuspend: true, ...newPassword },
  })
  const account = await accountOf(superadmin)
  expect(await verifyPassword(newPassword.password, account.password_hash)).toBe(true)
  expect([account.password_sealed, account.must_change_password]).toEqual([null, false])
})

const changes = [
  ['password', { ...newPassword, email: 'someone@example.com' }],
  ['email address', { email: 'new@example.com' }],
] as const

test.each(changes)('a new %s needs a recent proof of the holder', async (changed, body) => {
  const { isProved: _, ...unproved } = admin
  const change = (who: Viewer) =>
    call(who, profileEndpoints.updateAdminProfile, { body: { showSuspend: false, ...body } })
  const refused = await change(unproved)
  expect([refused.status, refused.body.code]).toEqual([403, 'PROOF_NEEDED'])
  expect((await accountOf(admin)).email).toBe('someone@example.com')
  expect(await sentMails(services)).toEqual([])
  expect((await change(admin)).status).toBe(200)
  const subject = `Tallyroom: your ${changed} was changed`
  const told = new Set((await sentMails(services)).map(({ to, subject: said }) => `${to} ${said}`))
  const both = changed === 'email address' ? [`new@example.com ${subject}`] : []
  expect(told).toEqual(new Set([`someone@example.com ${subject}`, ...both]))
})

test('harmless changes need none', async () => {
  const { isProved: _, ...unproved } = admin
  const body = { email: 'someone@example.com', showSuspend: false }
  expect((await call(unproved, profileEndpoints.updateAdminProfile, { body })).status).toBe(200)
  expect(await sentMails(services)).toEqual([])
})

test('a superadmin signed in as someone else changes anything but password and address', async () => {
  const visiting = { ...office, signedInBy: superadmin.accountId }
  const present = { ...officeForm, manEmail: 'old@example.com' }
  await db.updateTable('offices').set({ man_email: 'old@example.com' }).execute()
  for (const body of [
    { ...present, ...newPassword },
    { ...present, manEmail: 'evil@example.com' },
  ]) {
    expect((await call(visiting, profileEndpoints.updateCompanyProfile, { body })).status).toBe(403)
  }
  expect(
    (await call(visiting, profileEndpoints.changePassword, { body: newPassword })).status,
  ).toBe(403)
  expect(
    (await call(visiting, profileEndpoints.updateCompanyProfile, { body: present })).status,
  ).toBe(200)
  expect((await call(visiting, profileEndpoints.endOtherSessions)).status).toBe(403)
})

test('an office’s previous manager address is notified', async () => {
  await db.updateTable('offices').set({ man_email: 'old@example.com' }).execute()
  await call(office, profileEndpoints.updateCompanyProfile, {
    body: { ...officeForm, ...newPassword },
  })
  const subject = 'Tallyroom: your password and email address were changed'
  expect(await sentMails(services)).toMatchObject([
    { to: officeForm.manEmail, subject },
    { to: 'old@example.com', subject },
  ])
})

test('the manager’s address takes precedence over the account’s', async () => {
  await db.updateTable('offices').set({ man_email: 'boss@example.com' }).execute()
  await db.updateTable('accounts').set({ email: 'former@example.com' }).execute()
  const body = (await call(office, profileEndpoints.companyProfile)).body
  expect(body.manEmail).toBe('boss@example.com')
  expect((await call(office, profileEndpoints.updateCompanyProfile, { body })).status).toBe(200)
  expect((await accountOf(office)).email).toBe('boss@example.com')
  expect(await sentMails(services)).toEqual([])
})

test('an office without a manager’s address uses and shows its account’s', async () => {
  await db.updateTable('accounts').set({ email: 'former@example.com' }).execute()
  const body = (await call(office, profileEndpoints.companyProfile)).body
  expect(body.manEmail).toBe('former@example.com')
  expect((await call(office, profileEndpoints.updateCompanyProfile, { body })).status).toBe(200)
  expect((await accountOf(office)).email).toBe('former@example.com')
  expect(await sentMails(services)).toEqual([])
})

test('of two concurrent password changes from two sessions, one succeeds', async () => {
  const elsewhere = (await findViewer(await signIn(agent))) ?? agent
  const answers = await Promise.all(
    [agent, elsewhere].map((who) =>
      call(who, profileEndpoints.changePassword, { body: newPassword }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
})

test('viewers list and end their own sessions', async () => {
  await db.deleteFrom('sessions').where('account_id', '=', agent.accountId).execute()
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
  const older = await signIn(agent, { userAgent: chrome, ip: '198.51.100.7' })
  clock.advance(60_000)
  const here = (await findViewer(await signIn(agent))) ?? agent
  const third = await signIn(agent)
  const signedInBy = { accountId: superadmin.accountId, sessionId: superadmin.sessionId }
  const staffs = await signIn(agent, { signedInBy })
  const { sessions } = (await call(here, profileEndpoints.listSessions)).body
  expect(sessions).toHaveLength(3)
  expect(sessions.filter((one: { isCurrent: boolean }) => one.isCurrent)).toHaveLength(1)
  expect(sessions[2]).toEqual({
    id: expect.any(String),
    ip: '198.51.100.7',
    browser: 'Chrome on Windows',
    startedAt: about('2026-03-01T15:00:00Z'),
    lastUsedAt: about('2026-03-01T15:00:00Z'),
    provedBy: 'password',
    isCurrent: false,
  })

  const end = (who: Viewer, id: string) =>
    call(who, profileEndpoints.endSession, { params: { id } })
  expect((await end(office, sessions[2].id)).status).toBe(404)
  expect((await end(here, (await findViewer(staffs))?.sessionId ?? '')).status).toBe(404)
  expect((await end(here, sessions[2].id)).status).toBe(200)
  expect(await findViewer(older)).toBeUndefined()
  expect((await end(here, sessions[2].id)).status).toBe(404)

  expect((await call(here, profileEndpoints.endOtherSessions)).status).toBe(200)
  expect(await findViewer(third)).toBeUndefined()
  expect(await findViewer(staffs)).toBeDefined()
  expect((await call(here, profileEndpoints.listSessions)).body.sessions).toHaveLength(1)
})

test('each role can use its own form only', async () => {
  const forms = {
    adminProfile: [admin, superadmin],
    companyProfile: [office],
    agentProfile: [agent],
  }
  for (const [name, holders] of Object.entries(forms)) {
    const endpoint = profileEndpoints[name as keyof typeof forms] // keys of `forms`
    for (const who of [admin, superadmin, office, agent]) {
      const expected = holders.includes(who) ? 200 : 403
      expect([name, who.role, (await call(who, endpoint)).status]).toEqual([
        name,
        who.role,
        expected,
      ])
    }
  }
  const body = { ...newPassword }
  expect((await call(office, profileEndpoints.updateAgentProfile, { body })).status).toBe(403)
  expect((await call(agent, profileEndpoints.updateCompanyProfile, { body })).status).toBe(403)
  expect((await call(office, profileEndpoints.updateAdminProfile, { body })).status).toBe(403)
})

const permissionsOf = async ({ accountId }: Viewer) =>
  readAccount(
    await selectAccounts(db).where('accounts.id', '=', accountId).executeTakeFirstOrThrow(),
  ).permissions

async function asViewer(accountId: number, membership: Membership): Promise<Viewer> {
  const who = { ...viewer(membership), accountId }
  return (await findViewer(await signIn(who))) ?? who
}

async function accountIdOf(column: 'office_id' | 'agent_id', id: number): Promise<number> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return account.id
}

const accountOf = ({ accountId }: Viewer) =>
  db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()

function signIn(
  who: Viewer,
  visit: Partial<Parameters<typeof openSession>[1]> = {},
): Promise<string> {
  const usual = {
    ip: '203.0.113.9',
    userAgent: 'a browser',
    now: clock.now(),
    secret,
    provedBy: 'password',
  } as const
  const account = { ...who, permissions: [] }
  return inTransaction(db, (tx) => openSession(tx, { account, ...usual, ...visit }))
}
