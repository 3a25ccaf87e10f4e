import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { partnerEnvironment, password, waysIn } from '../../../test/ways-in.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())
const { signInAs, signInByPartner } = waysIn(app, clock)

const office = await buildOffice(db, { username: 'manila' })
const maria = await buildAgent(db, { office_id: office, username: 'maria' })
const elsewhere = await buildOffice(db, { username: 'davao' })
const carlo = await buildAgent(db, { office_id: elsewhere, username: 'carlo' })
await buildAccount(db, { username: 'root' })
const ann = await buildAccount(db, { username: 'ann', role: 5 })
const password_hash = await hashPassword(password)

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  for (const table of ['sessions', 'facts', 'mails'] as const) await db.deleteFrom(table).execute()
  await db
    .updateTable('accounts')
    .set({ email: 'holder@example.com', password_hash, login_blocked: false })
    .execute()
})

const whoseIs = async (token: string) => {
  const answer = await send(app, accountsEndpoints.me, {}, { token })
  return answer.statusCode === 200 ? answer.json().username : answer.statusCode
}

const { endAgentSessions } = agentsEndpoints
const endOf = (id: number, token: string) =>
  send(app, endAgentSessions, { params: { id: String(id) } }, { token })

const told = () =>
  db.selectFrom('facts').select('account_id').where('kind', '=', 'sessions.ended').execute()

describe.each([
  ['an agent', 'maria', endAgentSessions, maria],
  ['an office', 'manila', officesEndpoints.endOfficeSessions, office],
  ['an admin', 'ann', adminsEndpoints.endAdminSessions, ann],
] as const)('%s', (_, username, endpoint, id) => {
  test('is signed out everywhere, told so once, and can sign in again', async () => {
    const tokens = [await tokenOf(services, username), await tokenOf(services, username)]
    const root = await tokenOf(services, 'root')
    const end = () => send(app, endpoint, { params: { id: String(id) } }, { token: root })
    expect((await end()).statusCode).toBe(200)
    expect(await Promise.all(tokens.map(whoseIs))).toEqual([401, 401])
    expect(await whoseIs(root)).toBe('root')
    const reasons = await db
      .selectFrom('sessions')
      .select('end_reason')
      .where('end_reason', 'is not', null)
      .execute()
    expect(reasons).toEqual(tokens.map(() => ({ end_reason: 'ended-by-staff' })))
    expect(await told()).toHaveLength(1)
    expect(await db.selectFrom('mails').select(['recipient', 'subject']).execute()).toEqual([
      {
        recipient: 'holder@example.com',
        subject: expect.stringContaining('you were signed out everywhere'),
      },
    ])

    const body = { username, password }
    const again = await send(app, authEndpoints.login, { body }, { token: undefined })
    expect(await whoseIs(again.json().token)).toBe(username)
    // Nobody is signed out, so nobody is told.
    await db
      .deleteFrom('sessions')
      .where('end_reason', 'is', null)
      .where('id', '<>', sidOf(root))
      .execute()
    expect((await end()).statusCode).toBe(200)
    expect(await told()).toHaveLength(1)
  })
})

const sidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

test('API tokens go on', async () => {
  const own = await tokenOf(services, 'maria')
  const body = { name: 'books', may: ['figures'] }
  const made = await send(app, tokensEndpoints.createToken, { body }, { token: own })
  await endOf(maria, await tokenOf(services, 'root'))
  expect(await whoseIs(own)).toBe(401)
  expect(await whoseIs(made.json().token)).toBe('maria')
})

test('a session of Sign in as ends with the holder’s, of which it is not told alone', async () => {
  const root = await tokenOf(services, 'root')
  const { token } = await signInAs(root, { agentId: maria })
  expect((await endOf(maria, root)).statusCode).toBe(200)
  expect([await whoseIs(token), await whoseIs(root)]).toEqual([401, 'root'])
  expect(await told()).toEqual([])
})

test('an office ends those of its agents, and no others', async () => {
  const manila = await tokenOf(services, 'manila')
  const theirs = await tokenOf(services, 'carlo')
  expect((await endOf(carlo, manila)).statusCode).toBe(404)
  expect(await whoseIs(theirs)).toBe('carlo')
  expect((await endOf(maria, manila)).statusCode).toBe(200)
  expect((await endOf(maria, theirs)).statusCode).toBe(403)
})

test('it takes the password of the last ten minutes, which neither a partner nor Sign in as has', async () => {
  const theirs = await tokenOf(services, 'maria')
  const root = await tokenOf(services, 'root')
  const as = (await signInAs(root, { companyId: office })).token
  const weak = [as, await signInByPartner('manila')]
  clock.advance(11 * 60_000)
  for (const token of [...weak, root]) expect((await endOf(maria, token)).statusCode).toBe(403)
  expect(await whoseIs(theirs)).toBe('maria')
  expect(await told()).toEqual([])
})
