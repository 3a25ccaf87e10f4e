import { roleNumber } from '@tallyroom/domain/roles'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { verifyPassword } from '../../lib/password.ts'
import { accountOf } from '../accounts/account.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { openSession } from '../sessions/open-session.ts'
import { setPay } from './grant-pay.ts'
import { resetFactor, resetPassword, setSpecialPermission } from './operator.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)

beforeEach(async () => {
  for (const table of ['sessions', 'accounts', 'agents', 'offices'] as const) {
    await db.deleteFrom(table).execute()
  }
})

test('a superadmin can be granted a special permission and lose it again', async () => {
  const id = await buildAccount(db, { username: 'Boss' })
  const permission = 'DELETE_AGENTS'
  expect(await setSpecialPermission(db, { username: 'BOSS', permission }, true)).toBe('Boss')
  expect(await permissionsOf(id)).toContain(permission)
  expect(await permissionsOf(id)).not.toContain('DELETE_SITES')
  await setSpecialPermission(db, { username: 'boss', permission }, false)
  expect(await permissionsOf(id)).not.toContain(permission)
})

test('nobody else can be granted one, but whoever holds one can lose it', async () => {
  const id = await buildAccount(db, { role: 5, username: 'anna', delete_sites: true })
  const which = { username: 'anna', permission: 'DELETE_SITES' } as const
  await expect(setSpecialPermission(db, which, true)).rejects.toThrow('anna is not a superadmin')
  await setSpecialPermission(db, which, false)
  expect(await permissionsOf(id)).toEqual([])
  const nobody = { ...which, username: 'nobody' }
  await expect(setSpecialPermission(db, nobody, true)).rejects.toThrow(
    'There is no account with the username nobody. Check its spelling.',
  )
})

test('everybody who may pay gets a mail that a second factor was removed, whatever they chose', async () => {
  const admin = { role: roleNumber('admin') }
  await buildAccount(db, { username: 'boss', email: 'boss@example.com' })
  await buildAccount(db, { username: 'bea', email: 'bea@example.com', pay: true, ...admin })
  await buildAccount(db, { username: 'cem', email: 'cem@example.com', ...admin })
  const id = await buildAccount(db, { username: 'dan', email: 'dan@example.com', ...admin })
  const topic = { topic: 'alarms', choice: 'off' }
  const off = await db.selectFrom('accounts').select('id as account_id').execute()
  await db
    .insertInto('notification_choices')
    .values(off.map((one) => ({ ...one, ...topic, chosen_at: services.clock.now() })))
    .execute()
  const at = services.clock.now()
  await db
    .insertInto('authenticators')
    .values({
      account_id: id,
      secret_sealed: Buffer.of(1),
      begun_at: at,
      added_at: at,
      last_step: 0,
    })
    .execute()
  await sentMails(services)
  await resetFactor(services, 'dan')
  const mails = await sentMails(services)
  const told = mails.filter(({ subject }) => subject.includes('second factor of dan was removed'))
  expect(told.map(({ to }) => to).toSorted()).toEqual(['bea@example.com', 'boss@example.com'])
  expect(mails).toHaveLength(3)
  const deeds = db.selectFrom('account_hands').select('kind').where('account_id', '=', id)
  expect(await deeds.execute()).toContainEqual({ kind: 'operator factor' })
})

test('an admin can be granted PAY, which deletes the readable password and is sealed, and lose it', async () => {
  const boss = await buildAccount(db, { username: 'boss' })
  const bea = await buildAccount(db, { role: 5, username: 'Bea', password_sealed: Buffer.of(1) })
  const stored = () =>
    db
      .selectFrom('accounts')
      .select(['pay', 'password_sealed'])
      .where('id', '=', bea)
      .executeTakeFirstOrThrow()
  const grants = async () =>
    (
      await db
        .selectFrom('pay_grants')
        .select(['granted', 'made_by'])
        .where('account_id', '=', bea)
        .orderBy('id')
        .execute()
    ).map(({ granted, made_by }) => [granted, made_by])
  const columnOn = { ...services, config: { ...services.config, passwordColumn: 'on' as const } }
  expect(await setPay(columnOn, 'BEA', true)).toBe('Bea')
  expect(await stored()).toEqual({ pay: true, password_sealed: null })
  // Once more changes nothing.
  await setPay(columnOn, 'bea', true)
  expect(await grants()).toEqual([[true, null]])
  const hands = await db
    .selectFrom('account_hands')
    .select(['kind', 'made_by'])
    .where('account_id', '=', bea)
    .execute()
  expect(hands).toContainEqual({ kind: 'readable', made_by: boss })
  await setPay(columnOn, 'bea', false)
  expect((await stored()).pay).toBe(false)
  expect(await grants()).toEqual([
    [true, null],
    [false, null],
  ])
})

test('nobody but an admin can be granted PAY', async () => {
  await buildAccount(db, { username: 'boss' })
  const office = await buildOffice(db)
  await buildAgent(db, { office_id: office, username: 'Maria' })
  await expect(setPay(services, 'boss', true)).rejects.toThrow('may pay by that')
  await expect(setPay(services, 'maria', true)).rejects.toThrow('Maria is not an admin')
  await expect(setPay(services, 'nobody', true)).rejects.toThrow(
    'There is no account with the username nobody. Check its spelling.',
  )
})

test('a reset password works until it is changed, is stored nowhere in plain text, and ends the sessions', async () => {
  const office = await buildOffice(db)
  const agent = await buildAgent(db, { office_id: office, username: 'Maria' })
  await db
    .updateTable('accounts')
    .set({ password_sealed: Buffer.of(1) })
    .where('agent_id', '=', agent)
    .execute()
  const before = await accountOfAgent(agent)
  const account = {
    accountId: before.id,
    username: 'Maria',
    permissions: [],
    role: 'agent' as const,
    officeId: office,
    agentId: agent,
  }
  const visit = { ip: '::1', userAgent: '', now: services.clock.now(), secret: services.secret }
  const token = await inTransaction(db, (tx) => openSession(tx, { account, ...visit }))

  const { username, password, told } = await resetPassword(services, 'maria')
  expect(told).toBeNull()
  expect([username, password]).toEqual(['Maria', expect.stringMatching(/^(\w{5}-){3}\w{5}$/)])
  const after = await accountOfAgent(agent)
  expect(await verifyPassword(password, after.password_hash)).toBe(true)
  expect([after.password_sealed, after.must_change_password]).toEqual([null, true])
  expect(await makeFindViewer(services)(token)).toBeUndefined()
  await expect(resetPassword(services, 'nobody')).rejects.toThrow(
    'There is no account with the username nobody. Check its spelling.',
  )
})

test('the holder is notified of a reset password, without the password', async () => {
  await buildAccount(db, { role: 5, username: 'ann', email: 'ann@example.com' })
  await buildOffice(db, { man_email: 'boss@example.com', username: 'manila' })
  await db.deleteFrom('mails').execute()
  expect(await resetPassword(services, 'ann')).toMatchObject({ told: 'ann@example.com' })
  expect(await resetPassword(services, 'manila')).toMatchObject({ told: 'boss@example.com' })
  await expect(resetPassword(services, 'nobody')).rejects.toThrow(
    'There is no account with the username nobody. Check its spelling.',
  )
  const subject = 'Tallyroom: your password was changed'
  expect(await sentMails(services)).toMatchObject([
    { to: 'ann@example.com', subject, text: expect.stringContaining('the account ann was') },
    { to: 'boss@example.com', subject, text: expect.stringContaining('the account manila was') },
  ])
})

const permissionsOf = async (id: number) =>
  accountOf(await selectAccounts(db).where('accounts.id', '=', id).executeTakeFirstOrThrow())
    .permissions

const accountOfAgent = (id: number) =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('agent_id', '=', id)
    .where('role', '=', roleNumber('agent'))
    .executeTakeFirstOrThrow()
