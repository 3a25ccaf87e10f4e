import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { roleNumber } from '@tallyroom/domain/roles'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findPayFacts } from '../../desk/home/setup.queries.ts'
import { findPayerAddresses } from '../../people/addresses/mail-address.queries.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const settingsWith = async (of = services) => {
  const call = await callRoutes(payRoutes(of))
  const { payers, onePerson, passwordsShown } = (
    await call(viewer(), paySettingsEndpoints.paySettings)
  ).body
  return { payers, onePerson, passwordsShown }
}

let ann = 0
let bob = 0
beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  ann = await buildAccount(db, { username: 'ann' })
  bob = await buildAccount(db, { username: 'bob' })
  await buildAccount(db, { username: 'cat' })
})

test('before anything is paid, the settings say who counts as one person, why, and until when', async () => {
  const payers = ['ann', 'bob', 'cat']
  expect(await settingsWith()).toEqual({ payers, onePerson: [], passwordsShown: true })
  const at = services.clock.now()
  const by = { accountId: ann, signedInBy: undefined }
  await recordHand(db, { accountId: bob, kinds: ['made'], by, at })
  const pair = { name: 'ann', other: 'bob', why: 'made the account bob on 1 Mar 2026' }
  // Until bob sets a password of their own, and seven days more.
  expect((await settingsWith()).onePerson).toEqual([{ ...pair, until: null }])
  await db
    .insertInto('account_hands')
    .values({ account_id: bob, kind: 'own password', made_by: bob, made_at: new Date(+at + 1) })
    .execute()
  const until = new Date(at.getTime() + 1 + 7 * 86_400_000).toISOString()
  expect((await settingsWith()).onePerson).toEqual([{ ...pair, until }])
})

test('an invited admin with PAY is no second person until they open the invitation', async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  await buildAccount(db, { username: 'ann', email: 'ann@example.com' })
  const may = { role: roleNumber('admin'), pay: true, invited_at: services.clock.now() }
  const dee = await buildAccount(db, { username: 'dee', email: 'dee@example.com', ...may })
  const told = async () =>
    (await inTransaction(db, findPayerAddresses)).map(({ username }) => username)
  expect((await settingsWith()).payers).toEqual(['ann'])
  expect(await findPayFacts(db)).toMatchObject({ second: false })
  expect(await told()).toEqual(['ann'])
  await db.updateTable('accounts').set({ invited_at: null }).where('id', '=', dee).execute()
  expect((await settingsWith()).payers).toEqual(['ann', 'dee'])
  expect(await findPayFacts(db)).toMatchObject({ second: true })
  expect(await told()).toEqual(['ann', 'dee'])
})

test('the settings say whether lists show passwords', async () => {
  const hidden = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
  expect((await settingsWith(hidden)).passwordsShown).toBe(false)
})
