import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { beforeEach, expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { agentsRoutes } from '../agents/agents.routes.ts'
import { forgotRoutes } from '../auth/forgot.routes.ts'
import { forgottenPasswords } from '../auth/forgot.ts'
import { profileRoutes } from '../profile/profile.routes.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { newAddressRoutes } from './new-address.routes.ts'

const services = testServices(await testDatabase(), {
  environment: { CAPTCHA: 'off', PUBLIC_URL: 'https://office.example', ALLOW_INSECURE_HOST: 'yes' },
})
const { db, clock } = services
const forgotten = forgottenPasswords(services)
const unused = async () => {
  throw new Error('no figure is asked for')
}
const on = await callRoutes([
  ...agentsRoutes({ ...services, giveBack: unused, findEarnings: unused }),
  ...forgotRoutes(services, forgotten),
  ...newAddressRoutes(services),
  ...profileRoutes(services),
])

const officeId = await buildOffice(db, { name: 'Manila', username: 'manila' })
const agentId = await buildAgent(db, { office_id: officeId, username: 'maria' })
const otherId = await buildAgent(db, { office_id: officeId, username: 'bea' })

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('former_addresses').execute()
  await db.deleteFrom('sign_in_tokens').execute()
  await db.deleteFrom('sign_in_waits').execute()
  await db
    .updateTable('accounts')
    .set({ email: null, new_email: null, new_email_by: null })
    .execute()
})

const call = async (
  endpoint: Endpoint,
  username: string | undefined,
  sent: { params?: Record<string, number>; body?: object } = {},
) => {
  const who =
    username === undefined
      ? viewer()
      : await makeFindViewer(services)(await tokenOf(services, username))
  if (!who) throw new Error(`${username} can't sign in`)
  return on(who, endpoint, sent)
}

const enter = (email: string) =>
  call(profileEndpoints.updateAgentProfile, 'maria', { body: { email } })
const confirm = (token: string, username = 'maria') =>
  call(addressesEndpoints.confirmAddress, username, { body: { token } })
const own = async () => (await call(profileEndpoints.agentProfile, 'maria')).body
const stored = (username = 'maria') =>
  db
    .selectFrom('accounts')
    .select(['email', 'new_email'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow()

const mails = () => sentMails(services)
const linkIn = (text: string | undefined) =>
  /^https:\/\/office\.example\/confirm-address#([\w-]{32})$/m.exec(text ?? '')?.[1] ?? ''

test('an address counts once its link was opened, which works once', async () => {
  expect((await enter('maria@example.com')).status).toBe(200)
  const [mail, ...others] = await mails()
  expect([mail?.to, others]).toEqual(['maria@example.com', []])
  expect(await own()).toMatchObject({ email: 'maria@example.com', emailConfirmed: false })
  expect(await stored()).toEqual({ email: null, new_email: 'maria@example.com' })

  const confirmed = await confirm(linkIn(mail?.text))
  expect(confirmed.body).toEqual({ username: 'maria', email: 'maria@example.com' })
  expect(await own()).toMatchObject({ email: 'maria@example.com', emailConfirmed: true })
  expect((await confirm(linkIn(mail?.text))).status).toBe(422)
})

test.each([
  ['another agent', () => confirmAs('bea')],
  ['the office that entered it', () => confirmAs('manila')],
  ['whoever is signed in as them', () => confirmAs('maria', 'Sign in as')],
  ['a partner’s session of them', () => confirmAs('maria', 'partner')],
])('%s can’t confirm it, and the link stays theirs', async (_, confirmBy) => {
  const sent = { params: { id: agentId }, body: { email: 'wrong-letter@example.com' } }
  await call(agentsEndpoints.updateAgent, 'manila', sent)
  expect((await confirmBy()).status).not.toBe(200)
  expect(await stored()).toEqual({ email: null, new_email: 'wrong-letter@example.com' })
  expect((await confirmAs('maria')).status).toBe(200)
})

let mailed = ''
/** Without a `way`, in a session that they opened by their password. */
async function confirmAs(username: string, way?: 'partner' | 'Sign in as') {
  mailed = linkIn((await mails())[0]?.text) || mailed
  const token = await tokenOf(services, username, { ...(way && { provedBy: undefined }) })
  const found = await makeFindViewer(services)(token)
  if (!found) throw new Error(`${username} can't sign in`)
  const who = way === 'Sign in as' ? { ...found, signedInBy: 1 } : found
  return on(who, addressesEndpoints.confirmAddress, { body: { token: mailed } })
}

test('until it is confirmed, a forgotten password is not mailed to it, and then it is', async () => {
  const forgot = async () => {
    const body = { username: 'maria', email: 'maria@example.com' }
    await call(forgotEndpoints.forgot, undefined, { body })
    await forgotten.stop()
    return (await mails()).map(({ to }) => to)
  }
  await enter('maria@example.com')
  const [mail] = await mails()
  expect(await forgot()).toEqual([])
  await confirm(linkIn(mail?.text))
  await mails()
  expect(await forgot()).toEqual(['maria@example.com'])
})

test('the address before goes on until then, and is told', async () => {
  await db
    .updateTable('accounts')
    .set({ email: 'old@example.com' })
    .where('username', '=', 'maria')
    .execute()
  await enter('new@example.com')
  const [mail] = await mails()
  expect(await stored()).toEqual({ email: 'old@example.com', new_email: 'new@example.com' })
  await confirm(linkIn(mail?.text))
  const told = await mails()
  expect(told.map(({ to }) => to).toSorted()).toEqual(['new@example.com', 'old@example.com'])
})

test('removing the address counts at once, and it is told', async () => {
  await db
    .updateTable('accounts')
    .set({ email: 'old@example.com' })
    .where('username', '=', 'maria')
    .execute()
  expect((await enter('')).status).toBe(200)
  expect((await mails()).map(({ to }) => to)).toEqual(['old@example.com'])
  expect(await own()).toMatchObject({ email: '', emailConfirmed: true })
})

test.each([
  ['after seven days', async () => clock.advance(7 * 86_400_000)],
  ['once another address was entered', async () => void (await enter('other@example.com'))],
  ['once the address before was taken again', async () => void (await enter(''))],
])('a link is refused %s', async (_, happens) => {
  await enter('maria@example.com')
  const [mail] = await mails()
  await happens()
  expect((await confirm(linkIn(mail?.text))).body.data._form[0]).toMatch(/^This link has expired/)
  expect((await stored()).email).toBeNull()
})

test('a new password drops an address that whoever knew the former one could have entered', async () => {
  await enter('thief@example.com')
  const [mail] = await mails()
  await call(profileEndpoints.changePassword, 'maria', {
    body: { password: 'a fresh start 26', passwordConfirm: 'a fresh start 26' },
  })
  expect((await confirm(linkIn(mail?.text))).status).toBe(422)
  expect(await own()).toMatchObject({ email: '', emailConfirmed: true })
})

test('an office that sets a password enters no address that this drops, however many were entered', async () => {
  for (const [nth, sets] of [1, 3].entries()) {
    for (let count = 0; count < sets; count++) await enter(`thief${nth}-${count}@example.com`)
    await mails()
    const password = `a fresh start ${26 + nth}`
    const sent = { params: { id: agentId }, body: { password, passwordConfirm: password } }
    expect((await call(agentsEndpoints.updateAgent, 'manila', sent)).status).toBe(200)
    expect(await stored()).toEqual({ email: null, new_email: null })
    expect((await mails()).filter(({ to }) => to.startsWith('thief'))).toEqual([])
    clock.advance(86_400_000)
  }
})

test('the link is sent again, in place of the one before, and a fourth time only after a wait', async () => {
  await enter('maria@example.com')
  const [first] = await mails()
  expect((await call(addressesEndpoints.sendAddressLink, 'maria')).status).toBe(200)
  const [second] = await mails()
  expect((await confirm(linkIn(first?.text))).status).toBe(422)
  expect((await call(addressesEndpoints.sendAddressLink, 'maria')).status).toBe(200)
  expect((await call(addressesEndpoints.sendAddressLink, 'maria')).status).toBe(429)
  expect((await enter('another@example.com')).status).toBe(429)
  expect(linkIn(second?.text)).not.toBe('')
  const [third] = await mails()
  expect((await confirm(linkIn(third?.text))).status).toBe(200)
  clock.advance(60_000)
  expect((await call(addressesEndpoints.sendAddressLink, 'maria')).status).toBe(409)
})

test('whoever edits an agent sends the link again, in place of the one before', async () => {
  const { sendAgentAddressLink } = addressesEndpoints
  const sendAgain = (id = agentId) => call(sendAgentAddressLink, 'manila', { params: { id } })
  expect((await sendAgain()).status).toBe(409)
  await enter('maria@example.com')
  const [first] = await mails()
  expect((await sendAgain()).status).toBe(200)
  const [second] = await mails()
  expect(second?.to).toBe('maria@example.com')
  expect((await confirm(linkIn(first?.text))).status).toBe(422)
  // The links of both are counted together.
  expect((await sendAgain()).status).toBe(200)
  expect((await sendAgain()).status).toBe(429)
  const [third] = await mails()
  expect((await confirm(linkIn(third?.text))).status).toBe(200)

  const elsewhere = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
  const foreign = await buildAgent(db, { office_id: elsewhere, username: 'carlo' })
  expect((await sendAgain(foreign)).status).toBe(404)
})

test('whoever is invited and has no password yet gets no link but that of the invitation', async () => {
  const { body } = await call(agentsEndpoints.createAgent, 'manila', {
    body: {
      firstName: 'Noemi',
      lastName: 'Reyes',
      username: 'noemi',
      invite: 'mail',
      email: 'noemi@example.com',
    },
  })
  await mails()
  const sent = { params: { id: body.id } }
  const refused = await call(addressesEndpoints.sendAgentAddressLink, 'manila', sent)
  expect([refused.status, await mails()]).toEqual([409, []])
})

test('an office enters the address of its agents, and two of them may have the same', async () => {
  for (const [id, username] of [
    [agentId, 'maria'],
    [otherId, 'bea'],
  ] as const) {
    const sent = { params: { id }, body: { email: 'both@example.com' } }
    expect((await call(agentsEndpoints.updateAgent, 'manila', sent)).status).toBe(200)
    const [mail] = await mails()
    expect((await confirm(linkIn(mail?.text), username)).status).toBe(200)
    await mails()
    expect((await stored(username)).email).toBe('both@example.com')
  }
})

test.each(['entered', 'confirmed', 'removed', 'dropped'] as const)(
  'a form that was loaded before the agent has %s an address does not take it back',
  async (happened) => {
    const load = async () =>
      (await call(agentsEndpoints.agent, 'manila', { params: { id: agentId } })).body.version
    let version = await load()
    await enter('new@example.com')
    const token = linkIn((await mails())[0]?.text)
    if (happened !== 'entered') {
      version = await load()
      await confirm(token)
    }
    if (happened === 'removed') {
      version = await load()
      await enter('')
    }
    if (happened === 'dropped') {
      await enter('thief@example.com')
      version = await load()
      const body = { password: 'a fresh start 26', passwordConfirm: 'a fresh start 26' }
      await call(profileEndpoints.changePassword, 'maria', { body })
    }
    const present = await stored()
    const sent = { params: { id: agentId }, body: { email: 'old@example.com', version } }
    expect((await call(agentsEndpoints.updateAgent, 'manila', sent)).status).toBe(409)
    expect(await stored()).toEqual(present)
  },
)

test('saving the address that stands leaves the form as fresh as it was', async () => {
  const load = async () =>
    (await call(agentsEndpoints.agent, 'manila', { params: { id: agentId } })).body.version
  const before = await load()
  await enter('')
  expect(await load()).toBe(before)
})

test('whoever entered it has a hand in the account, when it was entered and when it counts', async () => {
  const sent = { params: { id: agentId }, body: { email: 'maria@example.com' } }
  await call(agentsEndpoints.updateAgent, 'manila', sent)
  const [mail] = await mails()
  await confirm(linkIn(mail?.text))
  const hands = await db
    .selectFrom('account_hands')
    .innerJoin('accounts as doer', 'doer.id', 'account_hands.made_by')
    .innerJoin('accounts as account', 'account.id', 'account_hands.account_id')
    .select(['kind', 'doer.username'])
    .where('account.username', '=', 'maria')
    .where('doer.username', '=', 'manila')
    .orderBy('account_hands.id')
    .execute()
  expect(hands.slice(-2)).toEqual([
    { kind: 'new email', username: 'manila' },
    { kind: 'email', username: 'manila' },
  ])
})

test('staff’s new addresses are counted with the agent’s own', async () => {
  const save = (email: string) =>
    call(agentsEndpoints.updateAgent, 'manila', { params: { id: agentId }, body: { email } })
  expect((await save('one@example.com')).status).toBe(200)
  expect((await enter('two@example.com')).status).toBe(200)
  expect((await save('three@example.com')).status).toBe(200)
  await mails()
  expect((await save('four@example.com')).status).toBe(429)
  expect(await mails()).toEqual([])
  expect(await stored()).toEqual({ email: null, new_email: 'three@example.com' })
  expect((await save('')).status).toBe(200)
})

test('a password that is refused uses up no link', async () => {
  for (let tries = 0; tries < 4; tries++) {
    const body = { email: 'maria@example.com', password: 'Password1', passwordConfirm: 'Password1' }
    const { status } = await call(profileEndpoints.updateAgentProfile, 'maria', { body })
    expect(status).toBe(422)
  }
  expect((await enter('maria@example.com')).status).toBe(200)
})

test('a new agent gets the link, and has no address before it is opened', async () => {
  const body = {
    firstName: 'Nina',
    lastName: 'Reyes',
    username: 'nina',
    email: 'nina@example.com',
    password: 'a long one 26',
    passwordConfirm: 'a long one 26',
  }
  const { id } = (await call(agentsEndpoints.createAgent, 'manila', { body })).body
  const form = (await call(agentsEndpoints.agent, 'manila', { params: { id } })).body
  expect(form).toMatchObject({ email: 'nina@example.com', emailConfirmed: false })
  const [mail] = await mails()
  await db.updateTable('agents').set({ approved_at: clock.now() }).where('id', '=', id).execute()
  await confirm(linkIn(mail?.text), 'nina')
  expect(await stored('nina')).toEqual({ email: 'nina@example.com', new_email: null })
})
