import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, password } from '../../../test/sign-in.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { hashPassword } from '../../lib/password.ts'
import { placeOf } from '../factors/passkey-place.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { enterFactor } from './enter-factor.ts'
import { resetPassword } from './forgot.ts'
import type { KnownDevice } from './known-device.ts'
import { disownSignIn } from './new-place.ts'
import { loginRemote, signInAs } from './remote-login.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const { attempt } = await attempts(services)
const findViewer = makeFindViewer(services)

const ids = { root: 0, maria: 0, quiet: 0, manila: 0 }
beforeAll(async () => {
  await buildAccount(db, { username: 'root' })
  await buildAccount(db, { username: 'quiet' })
  for (const { id, username } of await db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .execute())
    ids[username as keyof typeof ids] = id
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  for (const table of [
    'sessions',
    'sign_in_waits',
    'sign_in_tokens',
    'authenticators',
    'former_addresses',
    'facts',
    'mails',
  ] as const)
    await db.deleteFrom(table).execute()
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password), password_set_at: null, sign_in_count: 1 })
    .execute()
  await moveTo('root@example.com')
})

const moveTo = (email: string) =>
  db.updateTable('accounts').set({ email }).where('id', '=', ids.root).execute()

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const place = { browser: 'Chrome on Windows', ip: '203.0.113.9' }
const visit = { ip: place.ip, userAgent }

const knownTo = (accountId: number): KnownDevice[] => [
  { accountId, id: 'x'.repeat(16), signedInAt: clock.peek() },
]

async function enter(username: keyof typeof ids, devices: KnownDevice[] = []): Promise<string> {
  const { token } = await attempt({ username, ...visit, devices })
  expect(token).toEqual(expect.any(String))
  return token ?? ''
}

const facts = async () =>
  (
    await db
      .selectFrom('facts')
      .select('subject')
      .where('kind', '=', 'sign-in.noticed')
      .orderBy('happened_at')
      .execute()
  ).map(({ subject }) => subject)

const linkIn = (text = '') => /\/not-me#([\w-]{32})$/m.exec(text)?.[1] ?? ''
const linkTo = async () => linkIn((await sentMails(services))[0]?.text)
const identify = () => {}
const disown = (token: string) => disownSignIn(services, { token, identify })
const set = (token: string) =>
  resetPassword(services, { token, password: 'Quiet-Otter-91', identify })
const refused = { code: 'VALIDATION_ERROR' }

test('a sign-in from a new device is told by mail and in the bell, with where from and when', async () => {
  await enter('root')
  const [mail, ...others] = await sentMails(services)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: 'root@example.com',
    subject: expect.stringContaining('somebody signed in to your account from a new place'),
  })
  expect(mail?.text).toContain('Chrome on Windows, 203.0.113.9\n2026-03-01 (10:00), New York time')
  expect(linkIn(mail?.text)).not.toBe('')
  expect(await facts()).toEqual([{ happened: 'new place', ...place }])
})

test('a known device, the first sign-in of an account and Sign in as are not told', async () => {
  const token = await enter('root', knownTo(ids.root))
  const viewer = await findViewer(token)
  const { id: agentId } = await db.selectFrom('agents').select('id').executeTakeFirstOrThrow()
  const link = await signInAs(services, viewer ?? expect.fail(), { agentId })
  const cookies = link.cookie.split(';', 1)[0]
  await loginRemote(services, { token: link.token, ...visit, cookies, identify })
  await db.updateTable('accounts').set({ sign_in_count: 0 }).execute()
  await enter('maria')
  expect(await facts()).toEqual([])
  expect(await sentMails(services)).toEqual([])
  await enter('maria')
  expect(await facts()).toHaveLength(1)
})

test('a device that knows the password of before is a new place', async () => {
  const devices = knownTo(ids.root)
  clock.advance(1000)
  await db.updateTable('accounts').set({ password_set_at: clock.now() }).execute()
  await enter('root', devices)
  expect(await facts()).toHaveLength(1)
})

test('the link ends every session, and nothing else, and sets a new password', async () => {
  const hash = Buffer.alloc(32)
  const ends_at = new Date('2027-01-01')
  await db
    .insertInto('api_tokens')
    .values({
      account_id: ids.root,
      name: 'books',
      hash,
      may: ['figures'],
      made_at: clock.now(),
      ends_at,
    })
    .execute()
  const revoked = async () =>
    (await db.selectFrom('api_tokens').select('revoked_at').execute()).map((one) => one.revoked_at)
  const tokens = [
    await enter('root'),
    await tokenOf(services, 'root'),
    await tokenOf(services, 'maria'),
  ]
  const link = await linkTo()
  expect(await disown(link)).toEqual({ setsPassword: true })
  const viewers = await Promise.all(tokens.map((token) => findViewer(token)))
  expect(viewers.map((viewer) => viewer?.username)).toEqual([undefined, undefined, 'maria'])
  expect(await revoked()).toEqual([null])
  await expect(disown(link)).rejects.toMatchObject(refused)

  clock.advance(10 * 60_000 - 1000)
  await set(link)
  await expect(set(link)).rejects.toMatchObject(refused)
  expect(await revoked()).not.toEqual([null])
  expect(await attempt({ username: 'root' })).toMatchObject(refused)
})

test('before it is pressed, the link sets no password, and ten minutes later neither', async () => {
  await enter('root')
  const link = await linkTo()
  await expect(set(link)).rejects.toMatchObject(refused)
  await disown(link)
  clock.advance(10 * 60_000)
  await expect(set(link)).rejects.toMatchObject(refused)
})

test('the link works for seven days, also after a new password', async () => {
  await enter('root')
  const link = await linkTo()
  await enter('root')
  const late = await linkTo()
  clock.advance(7 * 86_400_000 - 60_000)
  await db.updateTable('accounts').set({ password_hash: 'another' }).execute()
  const own = await tokenOf(services, 'root')
  expect(await disown(link)).toEqual({ setsPassword: true })
  expect(await findViewer(own)).toBeUndefined()
  clock.advance(60_000)
  await expect(disown(late)).rejects.toMatchObject(refused)
})

test('once the account has another address, the link ends sessions and sets no password', async () => {
  const token = await enter('root')
  const link = await linkTo()
  await moveTo('thief@example.com')
  expect(await disown(link)).toEqual({ setsPassword: false })
  expect(await findViewer(token)).toBeUndefined()
  await expect(set(link)).rejects.toMatchObject(refused)
})

test('an address of the last 30 days hears of it, without a link', async () => {
  const former = { account_id: ids.root, email: 'before@example.com', left_at: clock.now() }
  await db.insertInto('former_addresses').values(former).execute()
  await enter('root')
  const mails = await sentMails(services)
  expect(mails.map(({ to, text }) => [to, linkIn(text) !== ''])).toEqual([
    ['root@example.com', true],
    ['before@example.com', false],
  ])
})

test('no text of a visitor gets into the mail by the name of their browser', async () => {
  const written = 'Your code expired. Renew it at https://evil.example/ x'
  await attempt({ username: 'root', userAgent: written })
  const [mail] = await sentMails(services)
  expect(mail?.text).not.toContain('evil')
  expect(await facts()).toMatchObject([{ happened: 'new place', browser: 'Unknown browser' }])
})

test('whoever has no address hears of it in the bell', async () => {
  await enter('quiet')
  expect(await facts()).toEqual([{ happened: 'new place', ...place }])
  expect(await db.selectFrom('sign_in_tokens').selectAll().execute()).toEqual([])
})

test('a wrong code after a right password is told, once an hour, and by a known device never', async () => {
  const begun_at = clock.now()
  await db
    .insertInto('authenticators')
    .values({
      account_id: ids.root,
      secret_sealed: Buffer.of(1),
      begun_at,
      added_at: begun_at,
      last_step: 0,
    })
    .execute()
  const guess = async (devices: KnownDevice[] = []) => {
    const { step = '' } = await attempt({ username: 'root', devices })
    const given = { code: 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AAAA' }
    const entered = { step, given, place: placeOf(services.config, 'localhost'), ...visit, devices }
    await expect(enterFactor(services, entered)).rejects.toMatchObject(refused)
  }
  await guess(knownTo(ids.root))
  expect(await facts()).toEqual([])
  await guess()
  await guess()
  expect(await facts()).toEqual([{ happened: 'wrong code', ...place }])
  const [mail, ...others] = await sentMails(services)
  expect(others).toEqual([])
  expect(mail?.subject).toContain('somebody entered your password, and then a wrong code')
  clock.advance(60 * 60_000)
  await guess()
  expect(await facts()).toHaveLength(2)
})
