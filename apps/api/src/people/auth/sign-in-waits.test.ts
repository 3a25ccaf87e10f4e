import { beforeEach, expect, test } from 'vitest'
import { buildAgent } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, password, wrongPassword } from '../../../test/sign-in.ts'
import { hashPassword } from '../../lib/password.ts'
import { purgeSignIn } from './purge-sign-in.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const { office, attempt, fail } = await attempts(services)

const signedIn = { token: expect.any(String) }

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
})

test.each(['maria', 'nobody'])(
  'from the fifth failure of %s on, the wait doubles',
  async (username) => {
    const waits = []
    for (let failure = 1; failure <= 12; failure++) {
      const guess = { username, password: wrongPassword, ip: addressNumber(failure) }
      expect(await attempt(guess)).toMatchObject({ code: 'VALIDATION_ERROR' })
      if (failure < 5) continue
      const outcome = await attempt(guess)
      expect(outcome).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      const { retryAfter = 0 } = outcome
      waits.push(retryAfter)
      clock.advance(retryAfter * 1000)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
  },
)

test('a correct password has to wait, too, and resets the account once accepted', async () => {
  await fail(5)
  expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 })
  clock.advance(30_000)
  expect(await attempt()).toEqual(signedIn)
  await fail(4)
  expect(await attempt()).toEqual(signedIn)
})

test('after a correct password, nobody behind the address waits for a clock that was set back', async () => {
  expect(await attempt()).toEqual(signedIn)
  clock.set('2026-03-01T14:59:00Z')
  expect(await attempt()).toEqual(signedIn)
})

test('refusals because of the account’s state do not count as failures', async () => {
  await buildAgent(db, { office_id: office, username: 'new', approved_at: null })
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password) })
    .execute()
  const refused = { data: { _form: [expect.stringContaining('waiting for approval')] } }
  for (let n = 0; n < 8; n++) expect(await attempt({ username: 'new' })).toMatchObject(refused)
})

test.each(['maria', 'nobody'])(
  'writing %s in other letters does not reset the count',
  async (name) => {
    const capital = name.slice(0, 1).toUpperCase() + name.slice(1)
    const spellings = [name, capital, name.toUpperCase(), capital, name.toUpperCase()]
    for (const username of spellings) await attempt({ username, password: wrongPassword })
    expect(await attempt({ username: name })).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  },
)

test('of fifty concurrent wrong guesses, five are checked', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => attempt({ password: `guess ${n}`, ip: addressNumber(n) })),
  )
  const codes = outcomes.map(({ code }) => code ?? 'none')
  expect(Object.groupBy(codes, (code) => code)).toEqual({
    VALIDATION_ERROR: Array(5).fill('VALIDATION_ERROR'),
    TOO_MANY_REQUESTS: Array(45).fill('TOO_MANY_REQUESTS'),
  })
  clock.advance(30_000)
  expect(await attempt({ password: wrongPassword })).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 })
})

test('an address waits after twenty failures with any names; other addresses do not', async () => {
  for (let n = 0; n < 20; n++) await attempt({ username: `name${n}` })
  expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 })
  expect(await attempt({ ip: '203.0.113.8' })).toEqual(signedIn)
})

test('signing in neither clears nor adds failures of the address', async () => {
  for (let n = 0; n < 19; n++) await attempt({ username: `name${n}` })
  for (let n = 0; n < 3; n++) expect(await attempt()).toEqual(signedIn)
  await attempt({ username: 'name19' })
  expect(await attempt()).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 })
})

test('addresses of one IPv6 subscriber wait together', async () => {
  for (let n = 0; n < 20; n++) {
    await attempt({ username: `name${n}`, ip: `2001:db8:1:1::${n}` })
  }
  expect(await attempt({ ip: '2001:db8:1:1:ffff::' })).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  expect(await attempt({ ip: '2001:db8:1:2::1' })).toEqual(signedIn)
})

test('failures are forgotten a day after the last one', async () => {
  await fail(4)
  clock.advance(24 * 60 * 60 * 1000 - 1000)
  await purgeSignIn(services)
  expect(await waits()).toHaveLength(2)
  clock.advance(1001)
  await purgeSignIn(services)
  expect(await waits()).toEqual([])
})

const addressNumber = (n: number) => `192.0.2.${n}`

const waits = () => db.selectFrom('sign_in_waits').selectAll().execute()
