import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { isSealedWith } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { insertAccount } from './accounts.queries.ts'
import { makePassword } from './new-password.ts'
import { passwordColumn } from './password-column.ts'
import { resealPasswords } from './reseal-passwords.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const rotated = {
  ...services,
  secret: Buffer.alloc(32, 'newest'),
  formerSecrets: [services.secret],
}

let account: number

beforeEach(async () => {
  await db.deleteFrom('accounts').execute()
  account = await insertAccount(db, {
    role: 'admin',
    username: 'anna',
    madeBy: 'operator',
    createdAt: services.clock.now(),
    ...(await makePassword(services, 'a "password" ₱')),
  })
})

test('after a rotation, copies are encrypted with the newest key and still readable', async () => {
  expect(passwordColumn(rotated).reveal(account, await sealed())).toBe('a "password" ₱')
  await resealPasswords(rotated)
  const copy = await sealed()
  const newest = deriveKey(rotated.secret, 'password-column')
  expect(copy && isSealedWith(newest, copy)).toBe(true)
  // The old key is no longer needed.
  expect(passwordColumn({ ...rotated, formerSecrets: [] }).reveal(account, copy)).toBe(
    'a "password" ₱',
  )
  await resealPasswords(rotated)
  expect(await sealed()).toEqual(copy)
})

test('a copy whose key is missing is kept until the key is back', async () => {
  const before = await sealed()
  const lost = { ...rotated, formerSecrets: [] }
  await resealPasswords(lost)
  expect(await sealed()).toEqual(before)
  expect(passwordColumn(lost).reveal(account, before)).toBeNull()
})

test('if switched off, the copies are deleted and no new ones are made', async () => {
  const off = testServices(database, { environment: { PASSWORD_COLUMN: 'off' } })
  expect(passwordColumn(off).reveal(account, await sealed())).toBeUndefined()
  expect((await makePassword(off, 'a password')).sealPassword(account)).toBeNull()
  await resealPasswords(off)
  expect(await sealed()).toBeNull()
})

test('a copy moved to another account cannot be decrypted', async () => {
  expect(passwordColumn(services).reveal(account + 1, await sealed())).toBeNull()
})

const sealed = async () =>
  (
    await db
      .selectFrom('accounts')
      .select('password_sealed')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
  ).password_sealed
