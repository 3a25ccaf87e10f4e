import type { Endpoint } from '@tallyroom/contract/endpoint'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { verifyPassword } from '../../lib/password.ts'
import { adminsRoutes } from '../admins/admins.routes.ts'
import { agentsRoutes } from '../agents/agents.routes.ts'
import { forgotRoutes } from '../auth/forgot.routes.ts'
import { forgottenPasswords } from '../auth/forgot.ts'
import { signIn } from '../auth/sign-in.ts'
import { findPersons } from '../hands/persons.ts'
import { officesRoutes } from '../offices/offices.routes.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { invitationsRoutes } from './invitations.routes.ts'

const services = testServices(await testDatabase(), {
  environment: {
    CAPTCHA: 'off',
    PUBLIC_URL: 'https://office.example',
    ALLOW_INSECURE_HOST: 'yes',
    PASSWORD_COLUMN: 'on',
  },
})
const { db, clock } = services
const forgotten = forgottenPasswords(services)
const unused = async () => {
  throw new Error('no figure is asked for')
}
const figures = { giveBack: unused, findEarnings: unused }
const on = await callRoutes([
  ...adminsRoutes(services),
  ...agentsRoutes({ ...services, ...figures }),
  ...officesRoutes({ ...services, ...figures }),
  ...forgotRoutes(services, forgotten),
  ...invitationsRoutes(services),
])

const root = await buildAccount(db, { username: 'root' })
await buildAccount(db, { role: 5, username: 'ann' })
await buildOffice(db, { name: 'Manila', username: 'manila' })

const { inviteAgent, makeAgentInvitationLink, withdrawAgentInvitation } = invitationsEndpoints
const week = 7 * 86_400_000
const chosen = 'a fresh start 26'
let nth = 0
let username = ''

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  username = `nina${++nth}`
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('sign_in_waits').execute()
})

const call = async (
  endpoint: Endpoint,
  as: string | undefined,
  sent: { params?: Record<string, number>; body?: object } = {},
) => {
  const who =
    as === undefined ? viewer() : await makeFindViewer(services)(await tokenOf(services, as))
  if (!who) throw new Error(`${as} can't sign in`)
  return on(who, endpoint, sent)
}

const agentForm = () => ({ firstName: 'Nina', lastName: 'Reyes', username })
const create = async (values: object): Promise<number> => {
  const { status, body } = await call(agentsEndpoints.createAgent, 'manila', {
    body: { ...agentForm(), ...values },
  })
  expect(status).toBe(200)
  return body.id
}
/** Approved, so that only the password is missing. */
const approve = (id: number) =>
  db.updateTable('agents').set({ approved_at: clock.now() }).where('id', '=', id).execute()

const mails = () => sentMails(services)
const tokenIn = (text: string | undefined) =>
  /https:\/\/office\.example\/invitation#([\w-]{32})$/m.exec(text ?? '')?.[1] ?? ''
const accept = (token: string, password = chosen) =>
  call(invitationsEndpoints.acceptInvitation, undefined, {
    body: { token, password, passwordConfirm: password },
  })
const read = (token: string) =>
  call(invitationsEndpoints.readInvitation, undefined, { body: { token } })
const entering = (password: string) =>
  signIn(services, {
    username,
    password,
    captchaString: '',
    captchaCheck: '',
    ip: '203.0.113.7',
    userAgent: '',
  })
const stored = () =>
  db.selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
const listed = async (id: number) => {
  const { body } = await call(agentsEndpoints.searchAgents, 'manila', {
    body: { criteria: [{ field: 'agents.id', value: id }] },
  })
  return body.items[0]
}

const over = {
  _form: [
    'This invitation was used or withdrawn, or has expired. Ask whoever invited you for another one.',
  ],
}

test('the invited chooses a password once, which nobody else can read, and signs in with it', async () => {
  const id = await create({ invite: 'mail', email: 'nina@example.com' })
  await approve(id)
  const [mail, ...others] = await mails()
  expect([mail?.to, others]).toEqual(['nina@example.com', []])
  expect(mail?.text).toContain(`Your username is ${username}.`)
  expect(await listed(id)).toMatchObject({
    invitedAt: about('2026-03-01T15:00:00Z'),
    invitationEndsAt: about('2026-03-08T15:00:00Z'),
    plainPassword: null,
  })
  const token = tokenIn(mail?.text)
  expect((await read(token)).body).toEqual({ username, waitsForApproval: false })
  expect((await accept(token)).body).toEqual({ ok: true })
  expect(await entering(chosen)).toHaveProperty('token')
  expect(await listed(id)).toMatchObject({
    invitedAt: null,
    invitationEndsAt: null,
    plainPassword: null,
    email: 'nina@example.com',
  })
  expect((await accept(token, 'another one 26')).body.data).toEqual(over)
  expect((await read(token)).body.data).toEqual(over)
})

test('before that, the account is closed: to partners, to *Sign in as* and to Forgot password', async () => {
  const id = await create({ invite: 'link', email: 'nina@example.com' })
  await approve(id)
  await db
    .updateTable('accounts')
    .set({ email: 'nina@example.com' })
    .where('username', '=', username)
    .execute()
  await mails()
  await call(forgotEndpoints.forgot, undefined, { body: { username, email: 'nina@example.com' } })
  await forgotten.stop()
  expect(await mails()).toEqual([])
  const token = await tokenOf(services, username)
  expect(await makeFindViewer(services)(token)).toBeUndefined()
})

test('a link is made by hand, shown once, and confirms no address', async () => {
  const id = await create({ invite: 'link', email: 'nina@example.com' })
  await mails()
  expect(await listed(id)).toMatchObject({ invitationEndsAt: null })
  const { link } = (await call(makeAgentInvitationLink, 'manila', { params: { id } })).body
  expect((await accept(tokenIn(link))).status).toBe(200)
  expect(await stored()).toMatchObject({ email: null, new_email: 'nina@example.com' })
  const again = await call(makeAgentInvitationLink, 'manila', { params: { id } })
  expect([again.status, again.body.message]).toEqual([
    409,
    `${username} has a password, and needs no invitation.`,
  ])
})

test.each([
  ['after seven days', async () => clock.advance(week)],
  ['once it was sent again', (id: number) => call(inviteAgent, 'manila', { params: { id } })],
  [
    'once another link was made',
    (id: number) => call(makeAgentInvitationLink, 'manila', { params: { id } }),
  ],
  [
    'once it was withdrawn',
    (id: number) => call(withdrawAgentInvitation, 'manila', { params: { id } }),
  ],
  [
    'once a password was typed',
    (id: number) =>
      call(agentsEndpoints.updateAgent, 'manila', {
        params: { id },
        body: { password: 'typed by staff', passwordConfirm: 'typed by staff' },
      }),
  ],
])('a link is refused %s', async (_, happens) => {
  const id = await create({ invite: 'mail', email: 'nina@example.com' })
  const token = tokenIn((await mails())[0]?.text)
  await happens(id)
  expect((await read(token)).body.data).toEqual(over)
  expect((await accept(token)).body.data).toEqual(over)
  expect(await verifyPassword(chosen, (await stored()).password_hash)).toBe(false)
})

test.each(['other@example.com', ''])(
  'an invitation ends when its address is corrected to “%s”, and the list says so',
  async (email) => {
    const id = await create({ invite: 'mail', email: 'wrong-letter@example.com' })
    const token = tokenIn((await mails())[0]?.text)
    const save = (change: object) =>
      call(agentsEndpoints.updateAgent, 'manila', { params: { id }, body: change })
    await save({ lastName: 'Cruz' })
    expect((await read(token)).status).toBe(200)
    await save({ email })
    expect((await read(token)).body.data).toEqual(over)
    expect((await accept(token)).body.data).toEqual(over)
    expect(await listed(id)).toMatchObject({
      invitedAt: about('2026-03-01T15:00:00Z'),
      invitationEndsAt: null,
    })
  },
)

test('a link that was handed over goes on when the address changes', async () => {
  const id = await create({ invite: 'link', email: 'nina@example.com' })
  const { link } = (await call(makeAgentInvitationLink, 'manila', { params: { id } })).body
  const body = { email: 'other@example.com' }
  await call(agentsEndpoints.updateAgent, 'manila', { params: { id }, body })
  expect((await accept(tokenIn(link))).status).toBe(200)
})

test('a fourth mail has to wait, and a link that is handed over does not', async () => {
  const id = await create({ invite: 'mail', email: 'nina@example.com' })
  const again = () => call(inviteAgent, 'manila', { params: { id } })
  expect([(await again()).status, (await again()).status]).toEqual([200, 200])
  const [, , last] = await mails()
  expect((await again()).status).toBe(429)
  expect(await mails()).toEqual([])
  expect((await read(tokenIn(last?.text))).status).toBe(200)
  expect((await call(makeAgentInvitationLink, 'manila', { params: { id } })).status).toBe(200)
  clock.advance(60_000)
  expect((await again()).status).toBe(200)
})

test('accepting an invitation makes forms stale that were loaded with the address before', async () => {
  const id = await create({ invite: 'mail', email: 'nina@example.com' })
  const { version } = (await call(agentsEndpoints.agent, 'manila', { params: { id } })).body
  await accept(tokenIn((await mails())[0]?.text))
  const body = { email: 'other@example.com', version }
  const saved = await call(agentsEndpoints.updateAgent, 'manila', { params: { id }, body })
  expect(saved.status).toBe(409)
})

test('a weak password is refused at its field, and the link stays valid', async () => {
  await create({ invite: 'mail', email: 'nina@example.com' })
  const token = tokenIn((await mails())[0]?.text)
  expect((await accept(token, 'Password1')).body.data).toEqual({
    password: ['is one of the most common passwords. Please choose another.'],
  })
  expect((await accept(token)).status).toBe(200)
})

test.each([
  [{ invite: 'mail' }, { email: ['Enter an email address'] }],
  [
    { invite: 'link', password: chosen, passwordConfirm: chosen },
    { invite: ['can’t be combined with a password'] },
  ],
  [{}, { password: ['Enter a password'] }],
])('an agent with %o is refused', async (values, data) => {
  const { status, body } = await call(agentsEndpoints.createAgent, 'manila', {
    body: { ...agentForm(), ...values },
  })
  expect([status, body.data]).toEqual([422, data])
})

test('without an address, an invitation can’t be mailed again', async () => {
  const id = await create({ invite: 'link' })
  const { status, body } = await call(inviteAgent, 'manila', { params: { id } })
  expect([status, body.message]).toEqual([
    409,
    `${username} has no email address. Choose “Copy invitation link”, and hand it over yourself.`,
  ])
})

const officeForm = (manEmail: string) => ({
  officeName: `Cebu ${nth}`,
  manFirstName: 'Ana',
  manLastName: 'Cruz',
  manEmail,
  username,
  invite: 'mail',
})

test('an office’s ends when the manager’s address is corrected', async () => {
  const created = { body: officeForm('wrong-letter@example.com') }
  const { id } = (await call(officesEndpoints.createOffice, 'root', created)).body
  const token = tokenIn((await mails())[0]?.text)
  const body = { manEmail: 'ana@example.com' }
  await call(officesEndpoints.updateOffice, 'root', { params: { id }, body })
  expect((await accept(token)).body.data).toEqual(over)
  expect(await stored()).toMatchObject({ invitation_ends_at: null })
})

test('an office is invited at its manager’s address', async () => {
  const body = officeForm('ana@example.com')
  const { id } = (await call(officesEndpoints.createOffice, 'root', { body })).body
  const [mail] = await mails()
  expect(mail?.to).toBe('ana@example.com')
  const list = await call(officesEndpoints.searchOffices, 'ann', { body: {} })
  expect(
    list.body.items.find(({ companyId }: { companyId: number }) => companyId === id),
  ).toMatchObject({ invitedAt: about('2026-03-01T15:00:00Z') })
  expect((await accept(tokenIn(mail?.text))).status).toBe(200)
  expect(await entering(chosen)).toHaveProperty('token')
})

const createAdmin = async (values: object) => {
  const body = { username, email: 'ada@example.com', ...values }
  return call(adminsEndpoints.createAdmin, 'root', { body })
}
const listedAdmin = async (id: number) => {
  const { body } = await call(adminsEndpoints.admins, 'root')
  return body.find((admin: { id: number }) => admin.id === id)
}
const { inviteAdmin, makeAdminInvitationLink, withdrawAdminInvitation } = invitationsEndpoints

test('an admin is invited at their address, and has no password until they choose one', async () => {
  const { id } = (await createAdmin({ invite: 'mail', approveAgents: true })).body
  const [mail, ...others] = await mails()
  expect([mail?.to, others]).toEqual(['ada@example.com', []])
  expect(await listedAdmin(id)).toMatchObject({
    invitedAt: about('2026-03-01T15:00:00Z'),
    invitationEndsAt: about('2026-03-08T15:00:00Z'),
    plainPassword: null,
  })
  expect(await makeFindViewer(services)(await tokenOf(services, username))).toBeUndefined()
  const token = tokenIn(mail?.text)
  expect((await read(token)).body).toEqual({ username, waitsForApproval: false })
  expect((await accept(token)).status).toBe(200)
  expect(await entering(chosen)).toHaveProperty('token')
  expect(await listedAdmin(id)).toMatchObject({
    invitedAt: null,
    invitationEndsAt: null,
    plainPassword: null,
  })
  for (const endpoint of [inviteAdmin, makeAdminInvitationLink, withdrawAdminInvitation])
    expect((await call(endpoint, 'root', { params: { id } })).status).toBe(409)
})

test.each([
  ['once it was sent again', (id: number) => call(inviteAdmin, 'root', { params: { id } })],
  [
    'once another link was made',
    (id: number) => call(makeAdminInvitationLink, 'root', { params: { id } }),
  ],
  [
    'once it was withdrawn',
    (id: number) => call(withdrawAdminInvitation, 'root', { params: { id } }),
  ],
  [
    'once the address is corrected',
    (id: number) =>
      call(adminsEndpoints.updateAdmin, 'root', {
        params: { id },
        body: { email: 'eda@example.com' },
      }),
  ],
  [
    'once the admin is deleted',
    (id: number) => call(adminsEndpoints.deleteAdmin, 'root', { params: { id } }),
  ],
])('an admin’s link is refused %s', async (_, happens) => {
  const { id } = (await createAdmin({ invite: 'mail' })).body
  const token = tokenIn((await mails())[0]?.text)
  expect((await happens(id)).status).toBe(200)
  expect((await read(token)).body.data).toEqual(over)
  expect((await accept(token)).body.data).toEqual(over)
})

test.each([
  [{}, { password: ['Enter a password'] }],
  [{ invite: 'link', email: '' }, { email: ['Enter an email address'] }],
  [
    { invite: 'mail', password: chosen, passwordConfirm: chosen },
    { invite: ['can’t be combined with a password'] },
  ],
])('an admin with %o is refused', async (values, data) => {
  const { status, body } = await createAdmin(values)
  expect([status, body.data]).toEqual([422, data])
})

test.each([
  [inviteAdmin, 'ann'],
  [makeAdminInvitationLink, 'ann'],
  [withdrawAdminInvitation, 'manila'],
])('nobody but superadmins invites an admin', async (endpoint, who) => {
  const { id } = (await createAdmin({ invite: 'link' })).body
  expect((await call(endpoint, who, { params: { id } })).status).toBe(403)
})

test('superadmins can’t be invited', async () => {
  expect((await call(inviteAdmin, 'root', { params: { id: root } })).status).toBe(404)
  expect((await call(makeAdminInvitationLink, 'root', { params: { id: root } })).status).toBe(404)
})

test('whoever invites an admin who may pay is one person with them, as whoever types their password', async () => {
  const { id } = (await createAdmin({ invite: 'link', pay: true })).body
  const deeds = await db
    .selectFrom('account_hands')
    .select('kind')
    .where('account_id', '=', id)
    .orderBy('kind')
    .execute()
  expect(deeds.map(({ kind }) => kind)).toEqual(['made', 'pay'])
  const granted = db.selectFrom('pay_grants').select('granted').where('account_id', '=', id)
  expect(await granted.execute()).toEqual([{ granted: true }])
  const { link } = (await call(makeAdminInvitationLink, 'root', { params: { id } })).body
  const onePerson = async () => (await findPersons(db, clock.now(), [root, id])).onePerson(root, id)
  clock.advance(2 * week)
  expect(await onePerson()).toMatchObject({ until: null })
  const another = (await call(makeAdminInvitationLink, 'root', { params: { id } })).body.link
  expect((await accept(tokenIn(link))).body.data).toEqual(over)
  await accept(tokenIn(another))
  expect((await onePerson())?.until).toBeInstanceOf(Date)
  clock.advance(week)
  expect(await onePerson()).toBeUndefined()
})

test('whoever invites counts as the invited until a week after these have chosen a password', async () => {
  const id = await create({ invite: 'link' })
  const { id: account } = await stored()
  const { link } = (await call(makeAgentInvitationLink, 'root', { params: { id } })).body
  const onePerson = async () =>
    (await findPersons(db, clock.now(), [root, account])).onePerson(root, account)
  expect(await onePerson()).toMatchObject({ until: null })
  clock.advance(1000)
  await accept(tokenIn(link))
  expect((await onePerson())?.until?.toISOString()).toEqual(about('2026-03-08T15:00:01Z'))
  clock.advance(week)
  expect(await onePerson()).toBeUndefined()
})
