import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { makeCaptcha } from '../src/people/auth/captchas.ts'
import { hashPassword } from '../src/lib/password.ts'
import { buildAccount, buildAgent, buildOffice, buildSite } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'no-secrets-'))
const partnerSecret = 'Partner-Secret-of-32-characters-or-more'
const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (text: string) => void logged.push(text) })

const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  log,
  environment: { DATA_DIR: dataDir, PARTNER_SECRET: partnerSecret, PARTNER_ISSUER: 'partner' },
})
const app = await buildApp(services, { loggerInstance: log })
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** All answers except those whose purpose is to return a secret. */
const answered: string[] = []
const secrets = new Map<string, string>([
  ['the first password', 'First-Passw0rd'],
  ['the wrong password', 'Wr0ng-Passw0rd'],
  ['a password typed as a name', 'Typed-As-A-Name'],
  ['the new password', 'Second-Passw0rd'],
  ['the refused password', 'Short1!'],
  ['a password chosen for another', 'Chosen-Passw0rd'],
  ['the answer of the captcha', 'HJKNP'],
  ['the partner’s secret', partnerSecret],
  ['the installation’s secret', services.secret.toString('base64')],
  ['a guessed token', 'A-Guessed-Token-of-some-length'],
])
const secretOf = (name: string) => secrets.get(name) ?? ''

test('no password, token or key appears in plain text where it does not belong', async () => {
  const officeId = await buildOffice(db, {
    name: 'Manila',
    username: 'manila',
    man_email: 'boss@manila.example',
  })
  const agentId = await buildAgent(db, { office_id: officeId, username: 'maria' })
  const siteId = await buildSite(db)
  await buildAccount(db, { username: 'Root' })
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(secretOf('the first password')) })
    .execute()

  await callEverything({ officeId, agentId, siteId })

  const found: string[] = []
  const look = (where: string, text: string) => {
    for (const [what, secret] of secrets)
      if (text.includes(secret)) found.push(`${what} in ${where}`)
  }
  look('the log', logged.join(''))
  look('an answer', answered.join('\n'))
  for (const [table, content] of await everyColumn()) look(table, content)
  expect(found.toSorted()).toEqual([])
  // The search would have found it.
  expect(secrets.size).toBe(19)
  expect(logged.join('')).toContain('answered')
  expect(answered.join('')).toContain('[removed]')
})

async function callEverything({
  officeId,
  agentId,
  siteId,
}: {
  officeId: number
  agentId: number
  siteId: number
}) {
  const [first, wrong, typed, second, short] = [
    secretOf('the first password'),
    secretOf('the wrong password'),
    secretOf('a password typed as a name'),
    secretOf('the new password'),
    secretOf('the refused password'),
  ]
  await login('Root', wrong)
  await login(typed, first)
  const root = keep('the superadmin’s session', (await login('Root', first)).json().token)

  // Refused with a secret, in undeclared fields, too.
  await call(
    commonLogsEndpoints.searchCommonLogs,
    { password: first, more: { token: wrong } },
    root,
  )
  await call(accountsEndpoints.me, undefined, root)

  await callAccounts(officeId, root)

  const { key } = (
    await send(app, postbacksEndpoints.rotatePostbackKey, { params: { siteId } }, { token: root })
  ).json()
  keep('a site’s key', key)
  await app.inject({ url: `/api/postback/${siteId}?key=${key}&click_id=nothing` })
  await app.inject({ url: `/api/postback/${siteId}?key=${key}x&click_id=nothing` })

  const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints
  const asAgent = await answerOf(signInAs, { agentId }, root)
  keep('a token to sign in as another', asAgent.token)
  const agent = keep(
    'a session as another',
    (await answerOf(loginRemote, { token: asAgent.token })).token,
  )
  await call(loginRemote, { token: asAgent.token })
  await call(loginRemote, { token: secretOf('a guessed token') })
  await call(accountsEndpoints.me, undefined, agent)
  await call(loginLogsEndpoints.searchLoginLogs, { password: first }, agent)
  const again = keep(
    'the session returned to',
    (await answerOf(returnToOwn, undefined, agent)).token,
  )
  await call(signInAs, { companyId: officeId, token: secretOf('a guessed token') }, again)

  await call(forgotEndpoints.forgot, { username: 'manila', email: 'boss@manila.example' })
  const mailed = keep('a link to a new password', await mailedToken())
  const { resetPassword } = forgotEndpoints
  await call(resetPassword, { token: mailed, password: short, passwordConfirm: short })
  await call(resetPassword, { token: mailed, password: second, passwordConfirm: first })
  await call(resetPassword, { token: mailed, password: second, passwordConfirm: second })
  await call(resetPassword, { token: mailed, password: second, passwordConfirm: second })
  const office = keep('an office’s session', (await login('manila', second)).json().token)
  await call(loginLogsEndpoints.searchLoginLogs, {}, office)
  await call(authEndpoints.logout, undefined, office)

  // The logs themselves come last, so that they contain the other calls.
  await call(loginLogsEndpoints.searchLoginLogs, {}, again)
  await call(commonLogsEndpoints.searchCommonLogs, { postParams: 'removed' }, again)
  await call(commonLogsEndpoints.downloadCommonLogs, {}, again)
}

/** Accounts are created and changed with passwords, and refused with them. */
async function callAccounts(officeId: number, root: string) {
  const password = secretOf('a password chosen for another')
  const both = { password, passwordConfirm: password }
  const cebu = { officeName: 'Cebu', manFirstName: 'Ana', manLastName: 'Cruz', username: 'cebu' }
  const carlo = { officeId, firstName: 'Carlo', lastName: 'Reyes', username: 'carlo' }
  const nora = { username: 'nora', email: 'nora@tallyroom.example' }
  await call(officesEndpoints.createOffice, { ...cebu, ...both }, root)
  await call(agentsEndpoints.createAgent, { ...carlo, ...both }, root)
  await call(adminsEndpoints.createAdmin, { ...nora, ...both }, root)
  await call(adminsEndpoints.createAdmin, { ...nora, ...both }, root)
  await call(agentsEndpoints.createAgent, { ...carlo, ...both, passwordConfirm: 'another' }, root)
  const made = await db
    .selectFrom('accounts')
    .select(['username', 'password_sealed'])
    .where('username', 'in', ['cebu', 'carlo', 'nora'])
    .execute()
  expect(made.filter((account) => account.password_sealed !== null)).toHaveLength(3)

  const own = keep('an admin’s session', (await login('nora', password)).json().token)
  await call(profileEndpoints.changePassword, both, own)
}

/** Remembers and returns a secret that the server generated. */
function keep(what: string, secret: unknown): string {
  if (typeof secret !== 'string' || secret.length < 20) throw new Error(`${what} is missing`)
  secrets.set(what, secret)
  return secret
}

async function call(endpoint: Endpoint, body: object | undefined, token?: string): Promise<void> {
  const response = await send(app, endpoint, body ? { body: { ...body } } : {}, { token })
  expect(response.statusCode).toBeLessThan(500)
  answered.push(JSON.stringify(response.headers), response.body)
}

/** From calls that return a secret. */
async function answerOf(
  endpoint: Endpoint,
  body: object | undefined,
  token?: string,
): Promise<{ token?: unknown }> {
  const answer = await send(app, endpoint, body ? { body: { ...body } } : {}, { token, cookie })
  const mark = /^sign-in-as=([\w-]+)/.exec(String(answer.headers['set-cookie']))?.[1]
  if (mark !== undefined) {
    cookie = `sign-in-as=${keep('the mark of the browser that asked', mark)}`
  }
  return answer.json()
}

let cookie: string | undefined

async function login(username: string, password: string) {
  const captchaString = secretOf('the answer of the captcha')
  const { check: captchaCheck } = await makeCaptcha(services, captchaString)
  const body = { username, password, captchaString, captchaCheck }
  return send(app, authEndpoints.login, { body }, { token: undefined })
}

/** The link belongs in the outbox. */
async function mailedToken(): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const names = await readdir(join(dataDir, 'outbox')).catch(() => [])
    // The name of an unfinished mail begins with a dot.
    for (const name of names.filter((one) => one.endsWith('.eml') && !one.startsWith('.'))) {
      const mail = await readFile(join(dataDir, 'outbox', name), 'utf8')
      const token = /forgot\/reset#([\w-]+)/.exec(mail)?.[1]
      if (token !== undefined) return token
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no mail was written')
}

/** Every table with all of its values as text; bytes in every usual notation. */
async function everyColumn(): Promise<[table: string, content: string][]> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'
  `.execute(db)
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
        db,
      )
      const texts = rows.flatMap((row) =>
        Object.values(row).flatMap((value) =>
          Buffer.isBuffer(value)
            ? [value.toString('latin1'), value.toString('base64'), value.toString('base64url')]
            : [typeof value === 'string' ? value : JSON.stringify(value)],
        ),
      )
      return [name, texts.join('\n')] as [string, string]
    }),
  )
}
