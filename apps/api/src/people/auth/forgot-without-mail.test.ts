import { bellEndpoints, type BellLine } from '@tallyroom/contract/desk/bell'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { elsewhere } from '../../../test/test-clock.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forgottenPasswords } from './forgot.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

let ids: { manila: number; maria: number }

beforeAll(async () => {
  const manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
  const cebu = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
  const maria = await buildAgent(db, { office_id: manila, username: 'maria' })
  await buildAgent(db, { office_id: manila, username: 'jun' })
  await buildAgent(db, { office_id: cebu, username: 'noel' })
  await buildAgent(db, { office_id: manila, username: 'newcomer', approved_at: null })
  await buildAccount(db, { username: 'root' })
  await buildAccount(db, { username: 'rosa' })
  await buildAccount(db, { role: 5, username: 'ann' })
  await buildAccount(db, { role: 5, username: 'bea' })
  ids = { manila, maria }
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('facts').execute()
  await db.deleteFrom('sign_in_waits').execute()
  await db
    .updateTable('accounts')
    .set({ login_blocked: false, suspended: false, invited_at: null })
    .execute()
})

test('an agent’s office and staff hear that they ask, and nobody else', async () => {
  expect(await answerOf('MARIA')).toEqual(done)
  await until(async () => (await facts()).length > 0)
  const line = {
    title: 'maria asks for a new password',
    text: 'Set one on their page once you have made sure that it is them, in person or by a call you make.',
    page: `/app/agents/edit/${ids.maria}`,
    unread: true,
  }
  expect(await heard()).toEqual({
    root: line,
    rosa: line,
    ann: line,
    bea: line,
    manila: line,
    maria: {
      title: 'Somebody asked for a new password for your account',
      text: 'Your office and the network see it. If it wasn’t you, tell them.',
      page: '/app/profile',
      unread: true,
    },
  })
})

test('staff hear that an office asks', async () => {
  await ask('manila')
  const { manila, ...others } = await heard()
  expect(Object.keys(others)).toEqual(['root', 'rosa', 'ann', 'bea'])
  expect(others['ann']).toMatchObject({
    title: 'manila asks for a new password',
    page: `/app/offices/edit/${ids.manila}`,
  })
  expect(manila).toMatchObject({
    title: 'Somebody asked for a new password for your account',
    text: 'The network sees it. If it wasn’t you, tell them.',
  })
})

test('superadmins hear that an admin asks, or another superadmin', async () => {
  await ask('ann')
  const { id } = await account('ann')
  let told = await heard()
  expect(Object.keys(told)).toEqual(['root', 'rosa'])
  expect(told['root']?.page).toBe(`/app/admins/edit/${id}`)

  await db.deleteFrom('facts').execute()
  await ask('rosa')
  told = await heard()
  expect(Object.keys(told)).toEqual(['root', 'rosa'])
  expect(told['root']).toMatchObject({
    title: 'rosa asks for a new password',
    text: expect.stringMatching(/^The operator sets/),
    page: '/app/home',
  })
})

test.each([
  ['nobody has this name', 'nobody'],
  ['the name is a password', 'my s3cret passphrase'],
  ['the name is a pattern', '%'],
  ['the name ends a text of SQL', "maria' or true --"],
  ['the name is HTML', '<b>maria</b>'],
  ['the name has an invisible character', 'mar\u200Dia'],
  ['they are not approved yet', 'newcomer'],
])('the answer is the same, and nobody hears of it, when %s', async (_, username) => {
  expect(await answerOf(username)).toEqual(done)
  await ask(username)
  expect(await facts()).toEqual([])
})

test.each([
  ['invited', { invited_at: new Date('2026-02-01T00:00:00Z') }],
  ['suspended', { suspended: true }],
  ['blocked', { login_blocked: true }],
])('nobody hears of an account that is %s: a password would not open it', async (_, change) => {
  const { id } = await account('ann')
  await db.updateTable('accounts').set(change).where('id', '=', id).execute()
  await ask('ann')
  expect(await facts()).toEqual([])
})

test.each([
  ['control characters', 'mar\u0000ia'],
  ['half a character', 'maria\uD800'],
  ['65 characters', 'm'.repeat(65)],
  ['blanks alone', ' \u200B '],
])('a name with %s is refused at its field', async (_, username) => {
  const { status, body } = await answerOf(username)
  expect([status, Object.keys(body.data)]).toEqual([422, ['username']])
})

test('a name that is normalized to another is that account’s', async () => {
  await ask('\uFF4Daria')
  expect(await facts()).toEqual([{ kind: 'password.asked', username: 'maria' }])
})

test('one account is told of once in 24 hours, also if it asks twice at once', async () => {
  const forgotten = forgottenPasswords(services)
  await Promise.all([ask('maria', forgotten), ask('maria', forgotten)])
  await ask('manila')
  expect(await facts()).toHaveLength(2)
  clock.set('2026-03-02T14:59:59Z')
  await ask('maria')
  expect(await facts()).toHaveLength(2)
  clock.set('2026-03-02T15:01:00Z')
  await ask('maria')
  expect(await facts()).toHaveLength(3)
})

test('it counts with requests for a link, by name, whether or not there is an account', async () => {
  for (const username of ['maria', 'nobody']) {
    const mailed = { body: { username, email: 'maria@example.com' } }
    for (let n = 0; n < 2; n++) await send(app, forgotEndpoints.forgot, mailed, anonymous)
    expect((await answerOf(username)).status).toBe(200)
    const refused = await answerOf(username)
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'Too many requests. Please try again in 60 seconds.',
    ])
    expect((await send(app, forgotEndpoints.forgot, mailed, anonymous)).statusCode).toBe(429)
  }
  await until(async () => (await facts()).length > 0)
})

test('many requests from one address have to wait', async () => {
  const ip = '203.0.113.50'
  for (let n = 0; n < 10; n++) expect((await answerOf(`name${n}`, ip)).status).toBe(200)
  expect((await answerOf('another', ip)).status).toBe(429)
  expect((await answerOf('another', '203.0.113.51')).status).toBe(200)
})

test('the answer waits neither for the look-up of the account nor for what is told', async () => {
  const forgotten = forgottenPasswords(services)
  let stopping: Promise<void> | undefined
  let isStopped = false
  await inTransaction(db, async (tx) => {
    await sql`lock table accounts in access exclusive mode`.execute(tx)
    await elsewhere(() => forgotten.ask({ username: 'maria', ip: '203.0.113.7' }))
    stopping = forgotten.stop().then(() => void (isStopped = true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isStopped).toBe(false)
  })
  await stopping
  expect(await facts()).toHaveLength(1)
})

test('it leaves password, hands and sessions as they are, and mails nobody', async () => {
  const token = await tokenOf(services, 'maria')
  const stands = async () => [
    await account('maria'),
    await db.selectFrom('account_hands').selectAll().execute(),
    await db.selectFrom('mails').selectAll().execute(),
  ]
  const before = await stands()
  await ask('maria')
  expect(await stands()).toEqual(before)
  expect((await send(app, bellEndpoints.bell, {}, { token })).statusCode).toBe(200)
})

const anonymous = { token: undefined }

/** The answer, whether or not there is such an account. */
const done = { status: 200, body: { ok: true } }

/** Asks, and waits for what is told after the answer. */
async function ask(username: string, forgotten = forgottenPasswords(services)): Promise<void> {
  await forgotten.ask({ username, ip: '203.0.113.7' })
  await forgotten.stop()
}

async function answerOf(username: string, ip?: string) {
  const visit = ip === undefined ? anonymous : { ...anonymous, ip }
  const answer = await send(app, forgotEndpoints.forgotWithoutMail, { body: { username } }, visit)
  return { status: answer.statusCode, body: answer.json() }
}

const facts = () =>
  db
    .selectFrom('facts')
    .select(['kind', sql<string>`subject ->> 'username'`.as('username')])
    .execute()

/** What each account's bell says, but of those whose bell is empty. */
async function heard(): Promise<Record<string, Told>> {
  const told: Record<string, Told> = {}
  for (const username of ['root', 'rosa', 'ann', 'bea', 'manila', 'cebu', 'maria', 'jun', 'noel']) {
    const token = await tokenOf(services, username)
    const { lines } = (await send(app, bellEndpoints.bell, {}, { token })).json<{
      lines: BellLine[]
    }>()
    const [line, ...more] = lines
    expect(more).toEqual([])
    if (!line) continue
    const { title, text, page, unread } = line
    told[username] = { title, text, page, unread }
  }
  return told
}

type Told = Pick<BellLine, 'title' | 'text' | 'page' | 'unread'>

const account = (username: string) =>
  db.selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
