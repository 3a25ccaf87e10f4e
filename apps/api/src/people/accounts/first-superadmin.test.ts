import { expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { createFirstSuperadmin } from './first-superadmin.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)

test('of several concurrent first starts, one creates the superadmin; later starts create none', async () => {
  const starts = await Promise.all(Array.from({ length: 5 }, () => createFirstSuperadmin(services)))
  const made = starts.filter((start) => start !== undefined)
  expect(made).toEqual([
    {
      username: 'superadmin',
      password: expect.stringMatching(/^[A-Z\d]{5}(-[A-Z\d]{5}){3}$/),
    },
  ])

  const accounts = await db.selectFrom('accounts').selectAll().execute()
  expect(accounts).toMatchObject([
    { username: 'superadmin', role: 0, must_change_password: true, password_sealed: null },
  ])
  expect(await verifyPassword(made[0]?.password ?? '', accounts[0]?.password_hash)).toBe(true)
  expect(await createFirstSuperadmin(services)).toBeUndefined()
})

test('if any account exists, no superadmin is created', async () => {
  await db.deleteFrom('accounts').execute()
  await buildAccount(db, { role: 5 })
  expect(await createFirstSuperadmin(services)).toBeUndefined()
})
