import { authEndpoints } from '@tallyroom/contract/people/auth'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { prove } = authEndpoints
const password = 'four\0 lines\r\nand \u202e🦀\ud800'
await buildAccount(db, { username: 'root' })
await db
  .updateTable('accounts')
  .set({ password_hash: await hashPassword(password) })
  .execute()

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
})

const minutes = (count: number) => count * 60_000

const call = (endpoint: Parameters<typeof send>[1], token: string, body?: object) =>
  send(app, endpoint, body ? { body: { ...body } } : {}, { token })

/** A call that needs a recent proof, and changes nothing. */
const guarded = async (token: string) => {
  const answer = await call(profileEndpoints.endOtherSessions, token)
  return answer.statusCode === 200 ? 200 : answer.json().code
}

test('the password counts as just entered for ten minutes', async () => {
  const token = await tokenOf(services, 'root')
  clock.advance(minutes(10) - 1000)
  expect(await guarded(token)).toBe(200)
  clock.advance(1000)
  expect(await guarded(token)).toBe('PROOF_NEEDED')
})

test('entering it again counts for ten minutes more, in this session only', async () => {
  const [here, there] = [await tokenOf(services, 'root'), await tokenOf(services, 'root')]
  clock.advance(minutes(10))
  expect((await call(prove, here, { password })).json()).toEqual({ ok: true })
  expect(await guarded(there)).toBe('PROOF_NEEDED')
  clock.advance(minutes(10) - 1000)
  expect(await guarded(here)).toBe(200)
  clock.advance(1000)
  expect(await guarded(here)).toBe('PROOF_NEEDED')
})

test('a session that was opened without the password is proved by it', async () => {
  const token = await tokenOf(services, 'root', { provedBy: undefined })
  expect(await guarded(token)).toBe('PROOF_NEEDED')
  await call(prove, token, { password })
  expect(await guarded(token)).toBe(200)
})

test('the password is compared character by character, whatever they are', async () => {
  const token = await tokenOf(services, 'root', { provedBy: undefined })
  for (const wrong of [
    'four lines\r\nand \u202e🦀\ud800',
    'four\0',
    password.replace('\r', ''),
    password.replace('🦀', '🦞'),
  ]) {
    const refused = await call(prove, token, { password: wrong })
    expect([refused.statusCode, refused.json().data]).toEqual([
      422,
      { password: ['is not your password'] },
    ])
  }
  expect(await guarded(token)).toBe('PROOF_NEEDED')
})

test('after five wrong passwords the next one has to wait, in every session of the account', async () => {
  const [here, there] = [await tokenOf(services, 'root'), await tokenOf(services, 'root')]
  const guess = async (token: string) =>
    (await call(prove, token, { password: 'a guess' })).statusCode
  const tries = []
  for (let n = 0; n < 6; n++) tries.push(await guess(here))
  expect([...tries, await guess(there)]).toEqual([422, 422, 422, 422, 422, 429, 429])
  // Concurrent guesses do not evade the limit.
  await db.deleteFrom('sign_in_waits').execute()
  const atOnce = await Promise.all(Array.from({ length: 12 }, () => guess(here)))
  expect(atOnce.filter((status) => status === 422)).toHaveLength(5)
})

test('a mistake in a form is told before the password is asked for', async () => {
  const token = await tokenOf(services, 'root', { provedBy: undefined })
  const form = { password: 'wooden harbor', passwordConfirm: 'another' }
  const refused = await call(profileEndpoints.changePassword, token, form)
  expect(refused.json().code).toBe('VALIDATION_ERROR')
})
