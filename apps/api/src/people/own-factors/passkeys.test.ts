import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { type FactorAsked, MOST_PASSKEYS } from '@tallyroom/contract/people/passkeys'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Sent } from '../../../test/access-matrix.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { addAuthenticator } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { type Twist, virtualAuthenticator } from '../../../test/virtual-authenticator.ts'
import { partnerEnvironment, password, waysIn } from '../../../test/ways-in.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'
import { resetFactor } from '../admins/operator.ts'
import { purgeSignIn } from '../auth/purge-sign-in.ts'
import { placeOf } from '../factors/passkey-place.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { signInAs } = waysIn(app, clock)
const { login, enterFactor, challengeStep, challengePasskey, signInByPasskey } = authEndpoints
const { prove, challengeProof } = authEndpoints
const { ownFactors, beginPasskey, addPasskey, removePasskey, removeAuthenticator } =
  factorsEndpoints

/** As browsers see the test's server. */
const origin = 'http://localhost:80'

let passwordHash: string
let agentId: number
beforeAll(async () => {
  passwordHash = await hashPassword(password)
  const office = await buildOffice(db, { name: 'Manila', username: 'manila' })
  agentId = await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'root', email: 'root@example.com' })
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  for (const table of [
    'sessions',
    'sign_in_waits',
    'authenticators',
    'passkeys',
    'used_challenges',
    'recovery_codes',
    'mails',
    'facts',
    'ip_blacklist',
  ] as const)
    await db.deleteFrom(table).execute()
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash, suspended: false, password_set_at: null })
    .execute()
})

type By = { token?: string | undefined; cookie?: string; ip?: string; factor?: object }
const answer = (endpoint: Endpoint, sent: Sent = {}, by: By = {}) =>
  send(app, endpoint, sent, { token: undefined, ...by })
const call = async (endpoint: Endpoint, sent: Sent = {}, by: By = {}) =>
  (await answer(endpoint, sent, by)).json()

type Device = ReturnType<typeof virtualAuthenticator>

/**
 * Adds a passkey to the account of a proved session.
 *
 * @param give what confirms it if the account has another factor
 */
async function withPasskey(
  username = 'root',
  device = virtualAuthenticator({ origin }),
  give?: (asked: FactorAsked) => object,
) {
  const token = await tokenOf(services, username)
  const made = device.create(await call(beginPasskey, {}, { token }))
  const sent = { body: { name: 'Phone', made } }
  const first = await call(addPasskey, sent, { token })
  const { recoveryCodes } = give
    ? await call(addPasskey, sent, { token, factor: give(first.asks) })
    : first
  expect(recoveryCodes).toEqual(expect.any(Array))
  return { device, token, recoveryCodes: recoveryCodes as string[] }
}

/** What a device signs for an act that asks for it. */
const signedBy =
  (device: Device) =>
  ({ challenge, passkey }: FactorAsked) => ({ challenge, passkey: device.get(passkey!) })

/** A browser that asks to sign in by a passkey alone. */
async function asking() {
  const asked = await answer(challengePasskey)
  expect(asked.statusCode).toBe(200)
  const cookie = String(asked.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { challenge: asked.json(), cookie }
}

/** Signs in by a passkey alone. */
async function alone(device: Device, twist: Twist = {}, by: By = {}) {
  const { challenge, cookie } = await asking()
  const body = { passkey: device.get(challenge, twist) }
  return call(signInByPasskey, { body }, { cookie, ...by })
}

async function stepOf(username = 'root'): Promise<string> {
  const { step, ways } = await call(login, { body: { username, password } })
  expect(ways).toContain('passkey')
  return step
}

/** Signs in by password and passkey. */
async function beside(device: Device, twist: Twist = {}, username = 'root') {
  const step = await stepOf(username)
  const passkey = device.get(await call(challengeStep, { body: { step } }), twist)
  return call(enterFactor, { body: { step, passkey } })
}

const signedIn = { token: expect.any(String) }
const wrong = {
  code: 'VALIDATION_ERROR',
  data: { passkey: ['The passkey was not accepted. Try again'] },
}
const wrongAlone = {
  data: { _form: ['The passkey was not accepted. Try again, or sign in with your password.'] },
}
const copied = { data: { passkey: [expect.stringContaining('may have copied it')] } }
const provedBy = async () =>
  (await db.selectFrom('sessions').select('proved_by').orderBy('started_at').execute()).map(
    ({ proved_by }) => proved_by,
  )
/** How often the holder was told of what. */
async function told() {
  const facts = await db.selectFrom('facts').select('subject').execute()
  const kinds = facts.map(({ subject }) => String(Object(subject).happened))
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]),
  )
}

test('a passkey is added, named, and brings recovery codes', async () => {
  const { token, recoveryCodes } = await withPasskey()
  expect(recoveryCodes).toHaveLength(10)
  const addedAt = expect.stringContaining('2026-03-01T15:00:00')
  expect(await call(ownFactors, {}, { token })).toEqual({
    authenticatorAddedAt: null,
    passkeys: [
      { id: expect.any(Number), name: 'Phone', host: 'localhost', addedAt, lastUsedAt: null },
    ],
    recoveryCodesLeft: 10,
  })
  expect((await call(accountsEndpoints.me, {}, { token })).factors).toEqual(['passkey'])
  expect(await told()).toEqual({ 'passkey added': 1 })
  const mails = await db.selectFrom('mails').select(['recipient', 'subject']).execute()
  expect(mails).toEqual([
    {
      recipient: 'root@example.com',
      subject: expect.stringContaining('a passkey was added to your account'),
    },
  ])
})

test('a password then leads to a step, which a passkey of the account ends', async () => {
  const { device } = await withPasskey()
  expect(await beside(device)).toEqual(signedIn)
  expect(await provedBy()).toEqual(['password', 'password and passkey'])
  // A touch is enough beside the password, and the handle may be missing.
  expect(await beside(device, { verified: false, userHandle: undefined })).toEqual(signedIn)
})

test('a passkey alone opens a session, without password and captcha', async () => {
  const { device } = await withPasskey()
  expect(await alone(device)).toEqual(signedIn)
  expect(await provedBy()).toEqual(['password', 'passkey'])
  const { token } = await alone(device)
  expect(await call(accountsEndpoints.me, {}, { token })).toMatchObject({ username: 'root' })
  expect((await call(ownFactors, {}, { token })).passkeys).toMatchObject([
    { lastUsedAt: expect.any(String) },
  ])
})

const twists: [string, Twist][] = [
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another port', { origin: 'http://localhost:3000' }],
  ['of another host name', { rpId: 'evil.example' }],
  ['of another ceremony', { type: 'webauthn.create' }],
  ['of a challenge that we did not give', { challenge: Buffer.alloc(54).toString('base64url') }],
  ['that nobody has touched', { touched: false }],
  ['of another account’s handle', { userHandle: 'OTk5' }],
]

test.each(twists)('an answer %s opens nothing', async (_, twist) => {
  const { device } = await withPasskey()
  expect(await alone(device, twist)).toMatchObject(wrongAlone)
  expect(await beside(device, twist)).toMatchObject(wrong)
  expect(await alone(device)).toEqual(signedIn)
})

test.each(twists.slice(0, 6))('a new passkey %s is not added', async (_, twist) => {
  const token = await tokenOf(services, 'root')
  const device = virtualAuthenticator({ origin })
  const ceremony = twist.type ? { type: 'webauthn.get' } : twist
  const made = device.create(await call(beginPasskey, {}, { token }), ceremony)
  const refused = await call(addPasskey, { body: { name: 'Phone', made } }, { token })
  expect(refused).toMatchObject({ data: { _form: [expect.stringContaining('not accepted')] } })
  expect(await call(login, { body: { username: 'root', password } })).toEqual(signedIn)
})

test.each(['android-key', 'packed', 'of no kind'])(
  'what a device says of its maker (%s) is neither read nor checked anywhere',
  async (format) => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('offline'))
    const token = await tokenOf(services, 'root')
    const device = virtualAuthenticator({ origin })
    const made = device.create(await call(beginPasskey, {}, { token }), { format })
    const added = await call(addPasskey, { body: { name: 'Phone', made } }, { token })
    expect(added).toMatchObject({ recoveryCodes: expect.any(Array) })
    expect(await alone(device)).toEqual(signedIn)
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  },
)

test.each([
  ['nothing', Buffer.of(0xf6)],
  ['a map of nothing', Buffer.of(0xa0)],
  ['half of a map', Buffer.of(0xa3)],
  ['no CBOR', Buffer.of(0xff, 0xff)],
])('%s instead of a new passkey is refused', async (_, junk) => {
  const token = await tokenOf(services, 'root')
  const whole = virtualAuthenticator({ origin }).create(await call(beginPasskey, {}, { token }))
  const made = { ...whole, attestationObject: junk.toString('base64url') }
  const refused = await call(addPasskey, { body: { name: 'Phone', made } }, { token })
  expect(refused).toMatchObject({ data: { _form: [expect.stringContaining('not accepted')] } })
})

test('alone, it needs its owner’s PIN, finger or face, and says whose it is', async () => {
  const { device } = await withPasskey()
  expect(await alone(device, { verified: false })).toMatchObject(wrongAlone)
  expect(await alone(device, { userHandle: undefined })).toMatchObject(wrongAlone)
})

test('an altered signature opens nothing', async () => {
  const { device } = await withPasskey()
  const { challenge, cookie } = await asking()
  const passkey = device.get(challenge)
  const { signature } = virtualAuthenticator({ origin }).get(challenge)
  const body = { passkey: { ...passkey, signature } }
  expect(await call(signInByPasskey, { body }, { cookie })).toMatchObject(wrongAlone)
})

test('an answer is good once, also for two at a time', async () => {
  const { device } = await withPasskey('root', virtualAuthenticator({ origin, counts: false }))
  const { challenge, cookie } = await asking()
  const body = { passkey: device.get(challenge) }
  const both = await Promise.all([1, 2].map(() => call(signInByPasskey, { body }, { cookie })))
  expect(both.filter((one) => 'token' in one)).toHaveLength(1)
  // Nor is the challenge good for another answer to it.
  const again = { passkey: device.get(challenge) }
  expect(await call(signInByPasskey, { body: again }, { cookie })).toMatchObject(wrongAlone)
  const step = await stepOf()
  const passkey = device.get(await call(challengeStep, { body: { step } }))
  expect(await call(enterFactor, { body: { step, passkey } })).toEqual(signedIn)
  const other = await stepOf()
  expect(await call(enterFactor, { body: { step: other, passkey } })).toMatchObject(wrong)
})

test('a challenge is good for five minutes, and what was used is deleted after it', async () => {
  const { device } = await withPasskey()
  const early = await asking()
  clock.advance(5 * 60_000 - 1000)
  const inTime = { body: { passkey: device.get(early.challenge) } }
  expect(await call(signInByPasskey, inTime, { cookie: early.cookie })).toEqual(signedIn)
  const late = await asking()
  clock.advance(5 * 60_000)
  const tooLate = { body: { passkey: device.get(late.challenge) } }
  expect(await call(signInByPasskey, tooLate, { cookie: late.cookie })).toMatchObject(wrongAlone)
  // The clock of another process may be behind by five minutes.
  await purgeSignIn(services)
  expect(await db.selectFrom('used_challenges').selectAll().execute()).toHaveLength(2)
  clock.advance(5 * 60_000)
  await purgeSignIn(services)
  expect(await db.selectFrom('used_challenges').selectAll().execute()).toEqual([])
})

test('a challenge counts in the browser that asked, and nowhere else', async () => {
  const { device } = await withPasskey()
  const { challenge } = await asking()
  const { cookie: another } = await asking()
  const body = { passkey: device.get(challenge) }
  expect(await call(signInByPasskey, { body }, { cookie: another })).toMatchObject(wrongAlone)
  expect(await call(signInByPasskey, { body })).toMatchObject(wrongAlone)
})

test('a challenge is good for what it was asked for', async () => {
  const { device, token } = await withPasskey()
  const step = await stepOf()
  const { challenge, cookie } = await asking()
  const forStep = await call(challengeStep, { body: { step } })
  const forProof = await call(challengeProof, {}, { token })
  const toAdd = await call(beginPasskey, {}, { token })
  for (const other of [challenge, forProof, toAdd])
    expect(await call(enterFactor, { body: { step, passkey: device.get(other) } })).toMatchObject(
      wrong,
    )
  for (const other of [forStep, forProof, toAdd])
    expect(
      await call(signInByPasskey, { body: { passkey: device.get(other) } }, { cookie }),
    ).toMatchObject(wrongAlone)
})

test('another account’s passkey ends no step', async () => {
  await withPasskey('root')
  const maria = await withPasskey('maria')
  const step = await stepOf('root')
  const asked = await call(challengeStep, { body: { step } })
  for (const userHandle of [undefined, Buffer.from('1').toString('base64url')]) {
    const passkey = maria.device.get(asked, { userHandle })
    expect(await call(enterFactor, { body: { step, passkey } })).toMatchObject(wrong)
  }
  const mine = await call(challengeStep, { body: { step: await stepOf('maria') } })
  const foreign = { step, passkey: maria.device.get(mine) }
  expect(await call(enterFactor, { body: foreign })).toMatchObject(wrong)
})

test('a counter that goes back is refused, and its holder is told', async () => {
  const { device } = await withPasskey()
  expect(await beside(device, { counter: 7 })).toEqual(signedIn)
  for (const counter of [7, 3, 0]) {
    expect(await alone(device, { counter })).toMatchObject(copied)
    expect(await beside(device, { counter })).toMatchObject(copied)
  }
  const facts = { 'passkey added': 1, 'new place': 1, 'passkey refused': 6 }
  expect(await told()).toEqual(facts)
  // Without the key, nobody makes anybody worry.
  const { challenge, cookie } = await asking()
  const { signature } = virtualAuthenticator({ origin }).get(challenge)
  const body = { passkey: { ...device.get(challenge, { counter: 1 }), signature } }
  expect(await call(signInByPasskey, { body }, { cookie })).toMatchObject({
    code: expect.stringMatching(/VALIDATION_ERROR|TOO_MANY_REQUESTS/),
  })
  expect(await told()).toEqual(facts)
})

test('a device that counts nothing is fine', async () => {
  const { device } = await withPasskey('root', virtualAuthenticator({ origin, counts: false }))
  expect(await alone(device)).toEqual(signedIn)
  expect(await beside(device)).toEqual(signedIn)
})

test.each([
  ['suspended', { suspended: true }, 'This account is suspended.'],
  ['blocked', { login_blocked: true }, 'Signing in is blocked for this account.'],
])('of an account that is %s, it opens nothing', async (_, state, message) => {
  const { device } = await withPasskey('maria')
  await db.updateTable('accounts').set(state).where('username', '=', 'maria').execute()
  expect(await alone(device)).toMatchObject({ data: { _form: [message] } })
  await db.updateTable('accounts').set({ suspended: false, login_blocked: false }).execute()
  expect(await alone(device)).toEqual(signedIn)
})

test('from a black-listed address, it opens nothing', async () => {
  const { device } = await withPasskey('maria')
  await db
    .insertInto('ip_blacklist')
    .values({ ip: '198.51.100.7', created_at: clock.now() })
    .execute()
  expect(await alone(device, {}, { ip: '198.51.100.7' })).toMatchObject({
    data: { _form: ['You can’t sign in from this address.'] },
  })
})

test('wrong answers make the account wait, as wrong passwords do, and no known device', async () => {
  const { device } = await withPasskey()
  const { challenge, cookie } = await asking()
  const first = { body: { passkey: device.get(challenge) } }
  const known = await answer(signInByPasskey, first, { cookie })
  const [mark = ''] = [known.headers['set-cookie']].flat().map((one) => String(one).split(';')[0])
  expect(mark).toMatch(/^device=/)
  for (let n = 0; n < 5; n++)
    expect(await alone(device, { verified: false })).toMatchObject(wrongAlone)
  expect(await alone(device)).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const there = await asking()
  const body = { passkey: device.get(there.challenge) }
  expect(await call(signInByPasskey, { body }, { cookie: `${there.cookie}; ${mark}` })).toEqual(
    signedIn,
  )
})

test('wrong ones beside the password count as wrong codes do', async () => {
  const { device, recoveryCodes } = await withPasskey()
  for (let n = 0; n < 5; n++) expect(await beside(device, { touched: false })).toMatchObject(wrong)
  const step = await stepOf()
  const body = { step, code: recoveryCodes[0] }
  expect(await call(enterFactor, { body })).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('a recovery code stands in for a passkey that was lost', async () => {
  const { recoveryCodes } = await withPasskey()
  const [code] = recoveryCodes
  expect(await call(enterFactor, { body: { step: await stepOf(), code } })).toEqual(signedIn)
  expect(await call(enterFactor, { body: { step: await stepOf() } })).toMatchObject({
    data: { code: ['Enter the code'] },
  })
})

test('after a new password, it opens nothing alone until it was used with that', async () => {
  const { device } = await withPasskey()
  clock.advance(60_000)
  await db.updateTable('accounts').set({ password_set_at: clock.now() }).execute()
  expect(await alone(device)).toMatchObject({
    data: { _form: [expect.stringContaining('Sign in with the password once')] },
  })
  expect(await beside(device)).toEqual(signedIn)
  expect(await alone(device)).toEqual(signedIn)
})

test('to prove oneself takes a passkey as well, once there is one', async () => {
  const { device } = await withPasskey()
  const token = await tokenOf(services, 'root', { provedBy: undefined })
  expect(await call(prove, { body: { password } }, { token })).toMatchObject({
    data: { code: ['Enter the code'] },
  })
  const signed = async (twist: Twist = {}) =>
    device.get(await call(challengeProof, {}, { token }), twist)
  const guess = { password: 'a guess', passkey: await signed() }
  expect(await call(prove, { body: guess }, { token })).toMatchObject({
    data: { password: ['is not your password'] },
  })
  const elsewhere = { password, passkey: await signed({ origin: 'https://evil.example' }) }
  expect(await call(prove, { body: elsewhere }, { token })).toMatchObject(wrong)
  const back = { password, passkey: await signed({ counter: 0 }) }
  await db.updateTable('passkeys').set({ counter: 1 }).execute()
  expect(await call(prove, { body: back }, { token })).toMatchObject(copied)
  expect(await call(profileEndpoints.endOtherSessions, {}, { token })).toMatchObject({
    code: 'PROOF_NEEDED',
  })
  const right = { password, passkey: await signed() }
  expect(await call(prove, { body: right }, { token })).toEqual({ ok: true })
  expect(await call(profileEndpoints.endOtherSessions, {}, { token })).toEqual({ ok: true })
})

test('one is removed by password and any factor; recovery codes go with the last', async () => {
  const { device, token } = await withPasskey()
  const { code } = await addAuthenticator(app, clock, token, signedBy(device))
  const { passkeys } = await call(ownFactors, {}, { token })
  const params = { id: String(passkeys[0].id) }
  const remove = (body: object) => call(removePasskey, { params, body: { ...body } }, { token })
  expect(await remove({ password })).toMatchObject({ data: { code: ['Enter the code'] } })
  expect(await remove({ password, code: code() })).toEqual({ ok: true })
  expect(await call(ownFactors, {}, { token })).toMatchObject({
    passkeys: [],
    recoveryCodesLeft: 10,
  })
  expect(await alone(device)).toMatchObject(wrongAlone)
  expect(await remove({ password, code: code(1) })).toMatchObject({ code: 'NOT_FOUND' })

  const byCode = ({ challenge }: FactorAsked) => ({ challenge, code: code(1) })
  const second = await withPasskey('root', virtualAuthenticator({ origin }), byCode)
  const asked = await call(challengeProof, {}, { token })
  const body = { password, passkey: second.device.get(asked) }
  expect(await call(removeAuthenticator, { body }, { token })).toEqual({ ok: true })
  const last = (await call(ownFactors, {}, { token })).passkeys[0].id
  const passkey = second.device.get(await call(challengeProof, {}, { token }))
  const gone = { params: { id: String(last) }, body: { password, passkey } }
  expect(await call(removePasskey, gone, { token })).toEqual({ ok: true })
  expect(await call(ownFactors, {}, { token })).toMatchObject({ recoveryCodesLeft: 0 })
  expect(await call(login, { body: { username: 'root', password } })).toEqual(signedIn)
})

test('nobody removes a passkey of somebody else, or by somebody else’s', async () => {
  const { token } = await withPasskey('root')
  const maria = await withPasskey('maria')
  const { passkeys } = await call(ownFactors, {}, { token: maria.token })
  const params = { id: String(passkeys[0].id) }
  const passkey = maria.device.get(await call(challengeProof, {}, { token: maria.token }))
  expect(
    await call(removePasskey, { params, body: { password, passkey } }, { token }),
  ).toMatchObject({ code: 'NOT_FOUND' })
  const own = { id: String((await call(ownFactors, {}, { token })).passkeys[0].id) }
  expect(
    await call(removePasskey, { params: own, body: { password, passkey } }, { token }),
  ).toMatchObject(wrong)
})

test('whoever is signed in as somebody else adds, asks and removes nothing', async () => {
  await withPasskey('maria')
  const { token } = await signInAs(await tokenOf(services, 'root'), { agentId })
  const forbidden = { code: 'FORBIDDEN' }
  expect(await call(beginPasskey, {}, { token })).toMatchObject(forbidden)
  expect(await call(challengeProof, {}, { token })).toMatchObject(forbidden)
  const { id } = await db.selectFrom('passkeys').select('id').executeTakeFirstOrThrow()
  const sent = { params: { id: String(id) }, body: { password, code: '123456' } }
  expect(await call(removePasskey, sent, { token })).toMatchObject(forbidden)
})

test('a device is added once, and an account has ten passkeys at most', async () => {
  const { device, token } = await withPasskey()
  const begun = await call(beginPasskey, {}, { token })
  expect(begun.excludeCredentials).toHaveLength(1)
  const twice = { name: 'Again', made: device.create(begun) }
  const { asks } = await call(addPasskey, { body: twice }, { token })
  const factor = signedBy(device)(asks)
  expect(await call(addPasskey, { body: twice }, { token, factor })).toMatchObject({
    code: 'CONFLICT',
  })
  for (let n = 1; n < MOST_PASSKEYS; n++)
    await withPasskey('root', virtualAuthenticator({ origin }), signedBy(device))
  expect(await call(beginPasskey, {}, { token })).toMatchObject({ code: 'CONFLICT' })
})

test('what was made for another session of another account is not added', async () => {
  const root = await tokenOf(services, 'root')
  const maria = await tokenOf(services, 'maria')
  const made = virtualAuthenticator({ origin }).create(
    await call(beginPasskey, {}, { token: root }),
  )
  expect(await call(addPasskey, { body: { name: 'Phone', made } }, { token: maria })).toMatchObject(
    { code: 'VALIDATION_ERROR' },
  )
})

test('a passkey of another host name is asked for there, and counts as a factor here', async () => {
  const { token } = await withPasskey()
  await db.deleteFrom('passkeys').execute()
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow()
  const at = clock.now()
  await db
    .insertInto('passkeys')
    .values({
      account_id: id,
      credential_id: Buffer.from('elsewhere'),
      public_key: Buffer.from('a key'),
      counter: 0,
      transports: [],
      rp_id: 'staff.example.com',
      name: 'Office key',
      added_at: at,
      with_password_at: at,
    })
    .execute()
  const { step, ways } = await call(login, { body: { username: 'root', password } })
  expect(ways).toEqual(['passkey elsewhere'])
  expect(await call(challengeStep, { body: { step } })).toMatchObject({ code: 'CONFLICT' })
  expect(await call(challengeProof, {}, { token })).toMatchObject({ code: 'CONFLICT' })
})

test('the operator removes passkeys with the second factor', async () => {
  const { device } = await withPasskey('maria')
  await resetFactor(services, 'maria')
  expect(await alone(device)).toMatchObject(wrongAlone)
  expect(await call(login, { body: { username: 'maria', password } })).toEqual(signedIn)
})

test('the common logs have who did what, and nothing that was signed', async () => {
  const { device } = await withPasskey()
  const { challenge, cookie } = await asking()
  const passkey = device.get(challenge)
  expect(await call(signInByPasskey, { body: { passkey } }, { cookie })).toEqual(signedIn)
  const logged = JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())
  expect(logged).toContain('/api/auth/passkey')
  expect(logged).toContain('Phone')
  expect(logged).not.toContain(passkey.signature)
  expect(logged).not.toContain(passkey.id)
})

const office = 'https://office.example.com:8443'
test.each([
  ['office.example.com:8443', 'office.example.com', office],
  ['OFFICE.example.com', 'office.example.com', office],
  ['staff.example.com', 'staff.example.com', 'https://staff.example.com'],
  ['staff.example.com.:444', 'staff.example.com', 'https://staff.example.com.:444'],
  ['localhost:3000', 'localhost', 'http://localhost:3000'],
  ['127.0.0.1:3000', '', ''],
  ['[::1]:3000', '', ''],
  ['no host at all', '', ''],
])('asked as %s, passkeys are of %j', (host, rpId, where) => {
  expect(placeOf({ publicUrl: office }, host)).toEqual({ rpId, origin: where })
})
