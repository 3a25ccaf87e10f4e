import { Writable } from 'node:stream'
import { sql, type Updateable } from 'kysely'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { DB } from '../../db/types.ts'
import { AppError } from '../../http/errors.ts'
import { hashPassword } from '../../lib/password.ts'
import { insertAccount } from '../accounts/index.ts'
import { makeFindViewer } from '../sessions/index.ts'
import { makeCaptcha } from './captchas.ts'
import { purgeSignIn } from './purge.ts'
import { signIn } from './sign-in.ts'

const { db } = await testDatabase()
const written: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({ write: (chunk, _encoding, done) => (written.push(String(chunk)), done()) }),
)
const services = testServices(db, { log })
const { clock } = services

const password = 'Pa55word of the tests'
const wrongPassword = 'Wr0ng guess of the tests'
const blockedAddress = '198.51.100.23'
const day = 24 * 60 * 60 * 1000

beforeAll(async () => {
  const passwordHash = await hashPassword(password)
  const office = await buildOffice(db, { name: 'Manila', username: 'manila' })
  await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAgent(db, { office_id: office, username: 'new', approved_at: null })
  await buildAgent(db, { office_id: office, username: 'idle', active: false })
  await buildAgent(db, { office_id: office, username: 'shut' })
  const createdAt = clock.now()
  await insertAccount(db, { role: 'superadmin', username: 'Root', passwordHash, createdAt })
  await insertAccount(db, { role: 'admin', username: 'adm', passwordHash, createdAt })
  await db.updateTable('accounts').set({ password_hash: passwordHash }).execute()
  await setAccount('shut', { login_blocked: true })
  await db
    .insertInto('ip_blacklist')
    .values({ ip: '198.51.100.0/24', created_at: createdAt })
    .execute()
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  written.length = 0
  await db.deleteFrom('sign_in_waits').execute()
  await db.deleteFrom('sessions').execute()
})

test('the right password opens a session of that account, whatever the case of the name', async () => {
  const { token } = await attempt({ username: 'MARIA' })
  expect(await makeFindViewer(services)(token)).toMatchObject({ username: 'maria', role: 'agent' })
  expect(await db.selectFrom('sessions').selectAll().execute()).toMatchObject([
    {
      started_at: clock.now(),
      expires_at: new Date('2026-03-08T15:00:00Z'),
      ended_at: null,
      ip: '203.0.113.7',
      user_agent: 'a browser',
      signed_in_by: null,
    },
  ])
})

const unknown = 'The username or the password is not right.'
const unapproved =
  'This account is waiting for approval. You can sign in once it has been approved.'
const blocked = 'Signing in is blocked for this account.'
const address = 'You can’t sign in from this address.'

test.each<[string, Partial<Attempt>, string | 'signed in']>([
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
  const outcome = await outcomeOf(attempt(values))
  expect(outcome).toEqual(
    expected === 'signed in' ? signedIn : { code: 'VALIDATION_ERROR', data: { _form: [expected] } },
  )
})

test('a blocked login that was opened until one in the morning can sign in until then', async () => {
  const opened = { login_blocked: true, login_open_until: '2026-03-02T06:00:00Z' }
  await setAccount('shut', opened)
  clock.set('2026-03-02T05:59:59Z')
  expect(await outcomeOf(attempt({ username: 'shut' }))).toEqual(signedIn)
  clock.set('2026-03-02T06:00:00Z')
  expect(await outcomeOf(attempt({ username: 'shut' }))).toMatchObject({
    data: { _form: [blocked] },
  })
})

test('a password that is changed while it is checked opens nothing', async () => {
  const newHash = await hashPassword('another one')
  const { password_hash: oldHash } = await accountNamed('maria')
  const signingIn = await db.transaction().execute(async (tx) => {
    const set = { password_hash: newHash }
    await tx.updateTable('accounts').set(set).where('username', '=', 'maria').execute()
    const outcome = outcomeOf(attempt())
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { outcome }
  })
  expect(await signingIn.outcome).toMatchObject({ data: { _form: [unknown] } })
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
  await setAccount('maria', { password_hash: oldHash })
})

test('a hash of an older cost is made anew at the next sign-in', async () => {
  const cheap =
    '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MjZP1+1U9JUbDWvDvtLyEsZiNXOKEUxfi6O2oe46uxA'
  await setAccount('maria', { password_hash: cheap })
  expect(await outcomeOf(attempt({ password: 'correct horse' }))).toEqual(signedIn)
  expect((await accountNamed('maria')).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,/)
  expect(await outcomeOf(attempt({ password: 'correct horse' }))).toEqual(signedIn)
  await setAccount('maria', { password_hash: await hashPassword(password) })
})

// ---- waits

test.each(['maria', 'nobody'])(
  'from five failures of %s on each doubles the wait',
  async (username) => {
    const waits = []
    for (let failure = 1; failure <= 12; failure++) {
      const guess = { username, password: wrongPassword, ip: addressNumber(failure) }
      expect(await outcomeOf(attempt(guess))).toMatchObject({ code: 'VALIDATION_ERROR' })
      if (failure < 5) continue
      const outcome = await outcomeOf(attempt(guess))
      expect(outcome).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      const { retryAfter = 0 } = outcome
      waits.push(retryAfter)
      clock.advance(retryAfter * 1000)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
  },
)

test('a right password has to wait as well, and starts the account afresh once it was let through', async () => {
  await fail(5)
  expect(await outcomeOf(attempt())).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 })
  clock.advance(30_000)
  expect(await outcomeOf(attempt())).toEqual(signedIn)
  await fail(4)
  expect(await outcomeOf(attempt())).toEqual(signedIn)
})

test('what is the matter with an account is no guess: it counts as no failure', async () => {
  for (let n = 0; n < 8; n++) {
    expect(await outcomeOf(attempt({ username: 'new' }))).toMatchObject({
      data: { _form: [unapproved] },
    })
  }
})

test('spelling the name otherwise does not start the count afresh', async () => {
  const spellings = ['maria', 'Maria', 'MARIA', 'mARIA', 'marIa']
  for (const username of spellings) await outcomeOf(attempt({ username, password: wrongPassword }))
  expect(await outcomeOf(attempt())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('of fifty wrong guesses at the same moment five are tried', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      outcomeOf(attempt({ password: `guess ${n}`, ip: addressNumber(n) })),
    ),
  )
  const codes = outcomes.map(({ code }) => code ?? 'none')
  expect(Object.groupBy(codes, (code) => code)).toEqual({
    VALIDATION_ERROR: Array(5).fill('VALIDATION_ERROR'),
    TOO_MANY_REQUESTS: Array(45).fill('TOO_MANY_REQUESTS'),
  })
  clock.advance(30_000)
  expect(await outcomeOf(attempt({ password: wrongPassword }))).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  expect(await outcomeOf(attempt())).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 })
})

test('an address waits after twenty failures with any names, other addresses do not', async () => {
  for (let n = 0; n < 20; n++) await outcomeOf(attempt({ username: `name${n}` }))
  expect(await outcomeOf(attempt())).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 })
  expect(await outcomeOf(attempt({ ip: '203.0.113.8' }))).toEqual(signedIn)
})

test('signing in does not clear the failures of the address, and adds none', async () => {
  for (let n = 0; n < 19; n++) await outcomeOf(attempt({ username: `name${n}` }))
  for (let n = 0; n < 3; n++) expect(await outcomeOf(attempt())).toEqual(signedIn)
  await outcomeOf(attempt({ username: 'name19' }))
  expect(await outcomeOf(attempt())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('addresses of one IPv6 subscriber wait together', async () => {
  for (let n = 0; n < 20; n++) {
    await outcomeOf(attempt({ username: `name${n}`, ip: `2001:db8:1:1::${n}` }))
  }
  expect(await outcomeOf(attempt({ ip: '2001:db8:1:1:ffff::' }))).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  expect(await outcomeOf(attempt({ ip: '2001:db8:1:2::1' }))).toEqual(signedIn)
})

test('failures are forgotten a day after the last', async () => {
  await fail(4)
  clock.advance(day)
  await purgeSignIn(services)
  expect(await waits()).toHaveLength(2)
  clock.advance(1)
  await purgeSignIn(services)
  expect(await waits()).toEqual([])
})

// ---- captcha

test('a captcha is for one attempt, right or wrong', async () => {
  const refused = { code: 'VALIDATION_ERROR', data: { captchaString: [expect.any(String)] } }
  const { check } = await makeCaptcha(services, 'ACEFH')
  expect(await outcomeOf(attempt({ captchaCheck: check, captchaString: 'ACEFK' }))).toEqual(refused)
  expect(await outcomeOf(attempt({ captchaCheck: check, captchaString: 'ACEFH' }))).toEqual(refused)

  const second = await makeCaptcha(services, 'ACEFH')
  const answer = { captchaCheck: second.check, captchaString: ' acefh ' }
  expect(await outcomeOf(attempt({ ...answer, password: wrongPassword }))).toMatchObject({
    data: { _form: [unknown] },
  })
  expect(await outcomeOf(attempt(answer))).toEqual(refused)
})

test('of many who use one captcha at once, one is let through', async () => {
  const { check } = await makeCaptcha(services, 'ACEFH')
  const answer = { captchaCheck: check, captchaString: 'ACEFH' }
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(attempt(answer))))
  expect(outcomes.filter((outcome) => outcome.token !== undefined)).toHaveLength(1)
})

test.each<[string, { check?: string; answer?: string; ageMs?: number }]>([
  ['five minutes old', { ageMs: 5 * 60 * 1000 }],
  ['not answered', { answer: '' }],
  ['never made', { check: '0199e5f2-0000-4000-8000-000000000001' }],
  ['no captcha id', { check: "' or true --" }],
  ['without an id', { check: '' }],
])(
  'a captcha that is %s is refused, and the password is not tried',
  async (_, { check, answer, ageMs }) => {
    const captcha = await makeCaptcha(services, 'ACEFH')
    clock.advance(ageMs ?? 0)
    const given = { captchaCheck: check ?? captcha.check, captchaString: answer ?? 'ACEFH' }
    expect(await outcomeOf(attempt({ ...given, password: wrongPassword }))).toMatchObject({
      data: { captchaString: [expect.any(String)] },
    })
    expect(await waits()).toEqual([])
  },
)

test('a captcha just under five minutes old is good', async () => {
  const { check } = await makeCaptcha(services, 'ACEFH')
  clock.advance(5 * 60 * 1000 - 1)
  expect(await outcomeOf(attempt({ captchaCheck: check, captchaString: 'ACEFH' }))).toEqual(
    signedIn,
  )
})

test('the purge removes captchas that are too old and keeps the others', async () => {
  await db.deleteFrom('captchas').execute()
  await makeCaptcha(services)
  clock.advance(60_000)
  const young = await makeCaptcha(services)
  clock.advance(4 * 60_000)
  await purgeSignIn(services)
  expect(await db.selectFrom('captchas').select('id').execute()).toEqual([{ id: young.check }])
})

test('with the captcha off there is no picture and none is asked for', async () => {
  const without = testServices(db, { environment: { CAPTCHA: 'off' } })
  expect(await makeCaptcha(without)).toEqual({ image: '', check: '' })
  const { token } = await signIn(without, { ...usual, captchaString: '', captchaCheck: '' })
  expect(token).not.toBe('')
})

// ---- secrets

test('no password, typed name or captcha answer is logged or stored', async () => {
  const typedIntoTheWrongField = 'mYSecret4name'
  const { check } = await makeCaptcha(services, 'KNPRT')
  await outcomeOf(attempt({ captchaCheck: check, captchaString: 'KNPRT', password: wrongPassword }))
  await outcomeOf(attempt({ username: typedIntoTheWrongField }))
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

type Attempt = Parameters<typeof signIn>[1]

const usual = { username: 'maria', password, ip: '203.0.113.7', userAgent: 'a browser' }

const signedIn = { token: expect.any(String) }

/** An attempt of maria's with the right password and a right captcha, unless `values` say otherwise. */
async function attempt(values: Partial<Attempt> = {}): Promise<{ token: string }> {
  const captchaString = 'HJKNP'
  const captchaCheck = values.captchaCheck ?? (await makeCaptcha(services, captchaString)).check
  return signIn(services, { ...usual, captchaString, captchaCheck, ...values })
}

type Outcome = { token?: string } & Partial<Pick<AppError, 'code' | 'data' | 'retryAfter'>>

/** The token, or what the refusal says to the outside. */
async function outcomeOf(attempted: Promise<{ token: string }>): Promise<Outcome> {
  try {
    return await attempted
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, data, retryAfter } = error
    return { code, ...(data && { data }), ...(retryAfter !== undefined && { retryAfter }) }
  }
}

async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await outcomeOf(attempt({ password: wrongPassword }))
}

const addressNumber = (n: number) => `192.0.2.${n}`

const waits = () => db.selectFrom('sign_in_waits').selectAll().execute()

const setAccount = (username: string, values: Updateable<DB['accounts']>) =>
  db.updateTable('accounts').set(values).where('username', '=', username).execute()

const accountNamed = (username: string) =>
  db.selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
