import { createSecretKey, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'

const partnerSecret = 'shared with the partner, 32 characters and more'
const publicUrl = 'http://127.0.0.1:3000'
const password = 'Wooden-Harbor-77'
const nextPassword = 'Quiet-Otter-91'
const dataDir = await mkdtemp(join(tmpdir(), 'credentials-'))

const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: {
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    CAPTCHA: 'off',
    PARTNER_SECRET: partnerSecret,
    PARTNER_ISSUER: 'partner',
  },
})
const { clock } = services
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
})

const office = await buildOffice(db, { username: 'manila', man_email: 'boss@manila.example' })
const maria = await buildAgent(db, { office_id: office, username: 'maria' })
await buildAccount(db, { username: 'root' })

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
  await db.deleteFrom('sign_in_tokens').execute()
  await rm(join(dataDir, 'outbox'), {
    recursive: true,
    force: true,
    maxRetries: 10,
    retryDelay: 20,
  })
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password), email: 'boss@manila.example' })
    .execute()
})

const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints

/** Each credential, made anew: its text, and the cookie of the browser for which it was made. */
const credentials = {
  'a superadmin’s session': async () => ({ text: await signIn('root') }),
  'an agent’s session': async () => ({ text: await signIn('maria') }),
  'a link of Sign in as': async () => askForLink(await signIn('root')),
  'a session of Sign in as': async () => {
    const { text, cookie } = await askForLink(await signIn('root'))
    return { text: await open(text, cookie), cookie }
  },
  'the cookie of the asking browser': async () => {
    const { cookie } = await askForLink(await signIn('root'))
    return { text: cookie.split('=')[1] ?? '', cookie }
  },
  'a device cookie': async () => {
    const { headers } = await logIn('root', password)
    const cookie = [headers['set-cookie']].flat().at(-1)?.split(';', 1)[0] ?? ''
    return { text: cookie.slice('device='.length), cookie }
  },
  'a partner’s token': async () => ({ text: await partnerToken('maria') }),
  'a mailed link': async () => ({ text: await mailedLink() }),
} satisfies Record<string, () => Promise<{ text: string; cookie?: string }>>

type Credential = keyof typeof credentials
type Given = { text: string; cookie?: string | undefined }

/** Each way to exchange something for access. Returns whose account is then open, or nothing. */
const exchanges = {
  'as a session': ({ text }: Given) => whoseIs(text),
  'for a session': async ({ text, cookie }: Given) =>
    whoseIs(await tokenIn(send(app, loginRemote, { body: { token: text } }, from(cookie)))),
  'for the session before Sign in as': async ({ text, cookie }: Given) =>
    whoseIs(await tokenIn(send(app, returnToOwn, {}, { ...from(cookie), token: text }))),
  'for a link of Sign in as': async ({ text, cookie }: Given) => {
    const sent = { ...from(cookie), token: text }
    const answer = await send(app, signInAs, { body: { agentId: maria } }, sent)
    const own = String(answer.headers['set-cookie']).split(';', 1)[0]
    return answer.statusCode === 200
      ? whoseIs(await open(answer.json().token, own ?? ''))
      : undefined
  },
  'for a new password': async ({ text, cookie }: Given) => {
    const body = { token: text, password: nextPassword, passwordConfirm: nextPassword }
    await send(app, forgotEndpoints.resetPassword, { body }, from(cookie))
    for (const username of ['root', 'manila', 'maria']) {
      const token = await tokenIn(logIn(username, nextPassword))
      if (token !== undefined) return whoseIs(token)
    }
    return undefined
  },
  'for a sign-in with a wrong password': async ({ text, cookie }: Given) => {
    for (const username of ['root', 'manila', 'maria']) {
      const token = await tokenIn(logIn(username, text, cookie))
      if (token !== undefined) return whoseIs(token)
    }
    return undefined
  },
} satisfies Record<string, (given: Given) => Promise<string | undefined>>

type Exchange = keyof typeof exchanges

/** All that opens anything, and whose account. In another browser, what needs the cookie of the asking one opens nothing. */
const opens: Partial<Record<Credential, Partial<Record<Exchange, string>>>> = {
  'a superadmin’s session': { 'as a session': 'root', 'for a link of Sign in as': 'maria' },
  'an agent’s session': { 'as a session': 'maria' },
  'a link of Sign in as': { 'for a session': 'maria' },
  'a session of Sign in as': {
    'as a session': 'maria',
    'for the session before Sign in as': 'root',
  },
  'a partner’s token': { 'for a session': 'maria' },
  'a mailed link': { 'for a new password': 'manila' },
}

const needsBrowser = new Set<string>([
  'a link of Sign in as for a session',
  'a session of Sign in as for the session before Sign in as',
])

const names = Object.keys(credentials) as Credential[]
const ways = Object.keys(exchanges) as Exchange[]

describe.each(names)('%s', (name) => {
  test.each(ways)('%s', async (exchange) => {
    const expected = opens[name]?.[exchange]
    const { text }: Given = await credentials[name]()
    const elsewhere = needsBrowser.has(`${name} ${exchange}`) ? undefined : expected
    expect(await exchanges[exchange]({ text }), 'in another browser').toBe(elsewhere)
    expect(await exchanges[exchange](await credentials[name]()), 'in its browser').toBe(expected)
  })
})

test('the cookie of another superadmin’s browser opens nothing', async () => {
  const mine = await askForLink(await signIn('root'))
  const other = await askForLink(await signIn('root'))
  expect(
    await exchanges['for a session']({ text: mine.text, cookie: other.cookie }),
  ).toBeUndefined()
  const session = await open(mine.text, mine.cookie)
  const stolen = { text: session, cookie: other.cookie }
  expect(await exchanges['for the session before Sign in as'](stolen)).toBeUndefined()
  expect(await whoseIs(session)).toBeUndefined()
})

const from = (cookie: string | undefined) => ({ token: undefined, cookie })

const tokenIn = async (answering: ReturnType<typeof send>): Promise<string | undefined> => {
  const answer = await answering
  return answer.statusCode === 200 ? answer.json().token : undefined
}

async function whoseIs(token: string | undefined): Promise<string | undefined> {
  if (token === undefined) return undefined
  const answer = await send(app, accountsEndpoints.me, {}, { token })
  return answer.statusCode === 200 ? answer.json().username : undefined
}

const logIn = (username: string, secret: string, cookie?: string) =>
  send(app, authEndpoints.login, { body: { username, password: secret } }, from(cookie))

const signIn = async (username: string): Promise<string> =>
  (await logIn(username, password)).json().token

async function askForLink(token: string) {
  const answer = await send(app, signInAs, { body: { agentId: maria } }, { token })
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { text: answer.json().token as string, cookie }
}

const open = async (token: string, cookie: string): Promise<string> =>
  (await send(app, loginRemote, { body: { token } }, from(cookie))).json().token

function partnerToken(sub: string): Promise<string> {
  const exp = Math.floor(clock.now().getTime() / 1000) + 60
  return new SignJWT({ sub, exp, jti: randomUUID(), iss: 'partner', aud: publicUrl })
    .setProtectedHeader({ alg: 'HS256', typ: 'sign-in+jwt' })
    .sign(createSecretKey(Buffer.from(partnerSecret)))
}

async function mailedLink(): Promise<string> {
  await rm(join(dataDir, 'outbox'), {
    recursive: true,
    force: true,
    maxRetries: 10,
    retryDelay: 20,
  })
  const body = { username: 'manila', email: 'boss@manila.example' }
  await send(app, forgotEndpoints.forgot, { body }, { token: undefined })
  return vi.waitFor(async () => {
    const files = await readdir(join(dataDir, 'outbox'))
    // The name of an unfinished mail begins with a dot. Some tell of sign-ins.
    const written = files.filter((one) => one.endsWith('.eml') && !one.startsWith('.'))
    const mails = await Promise.all(
      written.map((name) => readFile(join(dataDir, 'outbox', name), 'utf8')),
    )
    const [link] = mails.flatMap((mail) => /forgot\/reset#([\w-]+)/.exec(mail)?.[1] ?? [])
    return link ?? Promise.reject(new Error('no link'))
  }, 60_000)
}
