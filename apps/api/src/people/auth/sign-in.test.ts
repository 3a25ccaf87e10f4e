import { Writable } from 'node:stream'
import { sql, type Updateable } from 'kysely'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, password, wrongPassword } from '../../../test/sign-in.ts'
import { about, elsewhere } from '../../../test/test-clock.ts'
import type { DB } from '../../db/types.ts'
import { hashPassword } from '../../lib/password.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { makeCaptcha } from './captchas.ts'
import type { SignInAttempt } from './sign-in.ts'

const database = await testDatabase()
const { db } = database
const written: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({ write: (chunk, _encoding, done) => (written.push(String(chunk)), done()) }),
)
const services = testServices(database, { log })
const { clock } = services
const { office, attempt } = await attempts(services)

const signedIn = { token: expect.any(String) }
const blockedAddress = '198.51.100.23'

beforeAll(async () => {
  const { password_hash } = await accountNamed('maria')
  await buildAgent(db, { office_id: office, username: 'new', approved_at: null })
  await buildAgent(db, { office_id: office, username: 'idle', active: false })
  await buildAgent(db, { office_id: office, username: 'shut' })
  await buildAccount(db, { role: 5, username: 'adm' })
  await buildAccount(db, { role: 0, username: 'Root' })
  await db.updateTable('accounts').set({ password_hash }).execute()
  await setAccount('shut', { login_blocked: true })
  const blackListed = { ip: '198.51.100.0/24', created_at: clock.now() }
  await db.insertInto('ip_blacklist').values(blackListed).execute()
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  written.length = 0
  await db.deleteFrom('sign_in_waits').execute()
  await db.deleteFrom('sessions').execute()
})

test('the correct password opens a session of that account, whatever the case of the name', async () => {
  const { token } = await attempt({ username: 'MARIA' })
  expect(await makeFindViewer(services)(token ?? '')).toMatchObject({
    username: 'maria',
    role: 'agent',
  })
  expect(await db.selectFrom('sessions').selectAll().execute()).toMatchObject([
    {
      started_at: about(clock.now()),
      expires_at: about('2026-03-08T15:00:00Z'),
      ended_at: null,
      ip: '203.0.113.7',
      user_agent: 'a browser',
      signed_in_by: null,
    },
  ])
})

test('a name works however its letters are encoded', async () => {
  await buildAgent(db, { office_id: office, username: 'ren\u00e9' })
  const { password_hash } = await accountNamed('maria')
  await setAccount('ren\u00e9', { password_hash })
  for (const username of ['rene\u0301', 'REN\u00c9', '\uff52\uff45\uff4e\u00e9']) {
    expect(await attempt({ username })).toEqual(signedIn)
  }
  expect(await attempt({ username: 'rene' })).not.toEqual(signedIn)
})

const unknown = 'The username or password is incorrect.'
const unapproved =
  'This account is waiting for approval. You can sign in once it has been approved.'
const blocked = 'Signing in is blocked for this account.'
const address = 'You can’t sign in from this address.'

test.each<[string, Partial<SignInAttempt>, string]>([
  ['a wrong password', { password: wrongPassword }, unknown],
  ['a password in another case', { password: password.toUpperCase() }, unknown],
  ['no such account', { username: 'nobody' }, unknown],
  ['a name that is a pattern', { username: '%' }, unknown],
  ['an unapproved agent', { username: 'new' }, unapproved],
  ['an unapproved agent, wrong password', { username: 'new', password: wrongPassword }, unknown],
  ['a blocked login', { username: 'shut' }, blocked],
  ['a blocked login, wrong password', { username: 'shut', password: wrongPassword }, unknown],
  ['a suspended agent', { username: 'idle' }, 'signed in'],
  ['a black-listed agent', { ip: blockedAddress }, address],
  ['a black-listed office', { ip: blockedAddress, username: 'manila' }, address],
  ['a black-listed admin', { ip: blockedAddress, username: 'adm' }, address],
  ['a black-listed superadmin', { ip: blockedAddress, username: 'root' }, 'signed in'],
  ['a black list read through IPv6', { ip: `::ffff:${blockedAddress}` }, address],
  ['black-listed, wrong password', { ip: blockedAddress, password: wrongPassword }, unknown],
  ['an address that is none', { ip: 'unknown' }, 'signed in'],
])('%s', async (_, values, expected) => {
  const outcome = await attempt(values)
  expect(outcome).toEqual(
    expected === 'signed in' ? signedIn : { code: 'VALIDATION_ERROR', data: { _form: [expected] } },
  )
})

test('a blocked login that was opened until 01:00 can sign in until then', async () => {
  const opened = { login_blocked: true, login_open_until: '2026-03-02T06:00:00Z' }
  await setAccount('shut', opened)
  clock.set('2026-03-02T05:59:59Z')
  expect(await attempt({ username: 'shut' })).toEqual(signedIn)
  clock.set('2026-03-02T06:00:00Z')
  expect(await attempt({ username: 'shut' })).toMatchObject({
    data: { _form: [blocked] },
  })
})

test('a password that changes while it is checked opens nothing', async () => {
  const newHash = await hashPassword('another one')
  const { password_hash: oldHash } = await accountNamed('maria')
  const signingIn = await db.transaction().execute(async (tx) => {
    const set = { password_hash: newHash }
    await tx.updateTable('accounts').set(set).where('username', '=', 'maria').execute()
    const outcome = elsewhere(attempt)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { outcome }
  })
  expect(await signingIn.outcome).toMatchObject({ data: { _form: [unknown] } })
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
  await setAccount('maria', { password_hash: oldHash })
})

test('a hash with an older cost is replaced at the next sign-in', async () => {
  const cheap =
    '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MjZP1+1U9JUbDWvDvtLyEsZiNXOKEUxfi6O2oe46uxA'
  await setAccount('maria', { password_hash: cheap })
  expect(await attempt({ password: 'correct horse' })).toEqual(signedIn)
  expect((await accountNamed('maria')).password_hash).toMatch(/^\$argon2id\$v=19\$m=128,/)
  expect(await attempt({ password: 'correct horse' })).toEqual(signedIn)
  await setAccount('maria', { password_hash: await hashPassword(password) })
})

test('no password, typed name or captcha answer is logged or stored', async () => {
  const typedIntoTheWrongField = 'mYSecret4name'
  const { check } = await makeCaptcha(services, 'KNPRT')
  await attempt({ captchaCheck: check, captchaString: 'KNPRT', password: wrongPassword })
  await attempt({ username: typedIntoTheWrongField })
  await makeCaptcha(services, 'KNPRT')
  await attempt()

  const tables = await sql<{ text: string }>`
    select query_to_xml('select * from ' || quote_ident(tablename), true, false, '')::text as text
    from pg_tables
    where schemaname = 'public'
  `.execute(db)
  const everything = [...written, ...tables.rows.map(({ text }) => text)].join('\n').toLowerCase()
  expect(everything).toContain('maria') // the search looks in the right place
  expect(written.join()).toContain('sign-in refused')
  for (const secret of [password, wrongPassword, typedIntoTheWrongField, 'KNPRT']) {
    expect(everything).not.toContain(secret.toLowerCase())
  }
})

const setAccount = (username: string, values: Updateable<DB['accounts']>) =>
  db.updateTable('accounts').set(values).where('username', '=', username).execute()

const accountNamed = (username: string) =>
  db.selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
