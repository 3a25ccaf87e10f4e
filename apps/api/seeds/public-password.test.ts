import { expect, test } from 'vitest'
import { hashPassword } from '../src/lib/password.ts'
import { buildAccount } from '../test/build-world.ts'
import { testDatabase } from '../test/database.ts'
import { demoPassword } from './demo/people.ts'
import { hasPublicPassword } from './index.ts'

const { db } = await testDatabase()

test('a sample world has a public password for as long as two of its accounts have it', async () => {
  expect(await hasPublicPassword(db)).toBe(false)
  const shared = await hashPassword(demoPassword)
  for (const username of ['superadmin', 'manila', 'maria'])
    await buildAccount(db, { username, password_hash: shared })
  expect(await hasPublicPassword(db)).toBe(true)
  const change = async (username: string) => {
    const own = await hashPassword(`${username} has a password now`)
    await db
      .updateTable('accounts')
      .set({ password_hash: own })
      .where('username', '=', username)
      .execute()
  }
  await change('superadmin')
  expect(await hasPublicPassword(db)).toBe(true)
  await change('manila')
  await change('maria')
  expect(await hasPublicPassword(db)).toBe(false)
})
