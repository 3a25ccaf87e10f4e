import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { accountOf } from '../accounts/account.ts'
import { inTransaction } from '../../db/transaction.ts'
import { selectAccounts, updateSealedPassword } from '../accounts/accounts.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { adminsRoutes } from './admins.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(adminsRoutes(services))
const superadmin = viewer()

const flags = {
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
  pay: false,
}
/** Neither suspended nor blocked. */
const inService = { active: true, loginBlocked: false }
/** With a password. */
const uninvited = { invitedAt: null, invitationEndsAt: null }
const form = {
  username: 'anna',
  email: 'anna@example.com',
  password: 'Pa55"word, ₱',
  passwordConfirm: 'Pa55"word, ₱',
}

beforeEach(async () => {
  await db.deleteFrom('accounts').execute()
  await db.deleteFrom('mails').execute()
})

test('both addresses are notified of a new password or email address, and of nothing else', async () => {
  const { id } = (await create({})).body
  await update(id, { earningVisible: true })
  expect(await sentMails(services)).toEqual([])
  const password = 'kumquat-4711-x'
  await update(id, { email: 'new@example.com', password, passwordConfirm: password })
  const mails = await sentMails(services)
  expect(mails.toSorted((a, b) => a.to.localeCompare(b.to))).toMatchObject([
    {
      to: 'anna@example.com',
      subject: 'Tallyroom: your password and email address were changed',
      text: expect.stringContaining('The password and the email address of the account anna were'),
    },
    { to: 'new@example.com', subject: 'Tallyroom: your password and email address were changed' },
  ])
})

test('a new admin holds exactly the flags that were ticked', async () => {
  const { status, body } = await create({ approveAgents: true, showCommonLogs: true })
  expect(status).toBe(200)
  expect(await getForm(body.id)).toEqual({
    id: body.id,
    username: 'anna',
    email: 'anna@example.com',
    ...flags,
    approveAgents: true,
    showCommonLogs: true,
    ...inService,
    version: 1,
  })
  const row = await selectAccounts(db).where('accounts.id', '=', body.id).executeTakeFirstOrThrow()
  expect(accountOf(row)).toMatchObject({
    role: 'admin',
    permissions: ['APPROVE_AGENTS', 'SHOW_COMMON_LOGS'],
  })
  expect(await verifyPassword(form.password, await hashOf(body.id))).toBe(true)
})

test('a form changes email and flags; an empty password changes nothing', async () => {
  const { id } = (await create({ approveAgents: true })).body
  const hash = await hashOf(id)
  const answer = await update(id, { email: 'new@example.com', earningVisible: true })
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect(await getForm(id)).toEqual({
    id,
    username: 'anna',
    email: 'new@example.com',
    ...flags,
    earningVisible: true,
    ...inService,
    version: 3,
  })
  expect(await hashOf(id)).toBe(hash)
  await update(id, { password: 'another pw', passwordConfirm: 'another pw' })
  expect(await verifyPassword('another pw', await hashOf(id))).toBe(true)
})

test('the second person to save is told', async () => {
  const { id } = (await create()).body
  expect((await update(id, { version: 1, showSuspend: true })).status).toBe(200)
  const second = await update(id, { version: 1, approveAgents: true })
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  expect(await getForm(id)).toMatchObject({ showSuspend: true, approveAgents: false })
})

test.each([
  [{ email: 'nobody' }, { email: ['must be an email address'] }],
  [{ username: 'elevenchars' }, { username: ['must have at most 10 characters'] }],
  [{ username: 'SUPERADMIN' }, { username: ['is already taken'] }],
  [{ passwordConfirm: 'else' }, { passwordConfirm: ['does not match the password'] }],
])('an admin is not created with %o', async (values, data) => {
  await buildAccount(db, { username: 'superadmin' })
  const { status, body } = await create(values)
  expect([status, body.data]).toEqual([422, data])
})

test('the list has only admins, with their passwords if the operator shows them', async () => {
  const { id } = (await create()).body
  const zoe = await buildAccount(db, { role: 5, username: 'Zoe' })
  await buildAccount(db, { username: 'superadmin' })
  await buildOffice(db)
  expect((await call(superadmin, adminsEndpoints.admins)).body).toEqual([
    {
      id,
      username: 'anna',
      plainPassword: form.password,
      email: 'anna@example.com',
      ...uninvited,
      ...inService,
    },
    { id: zoe, username: 'Zoe', plainPassword: null, email: null, ...uninvited, ...inService },
  ])
  const descending = await call(superadmin, adminsEndpoints.admins, {
    query: { sortField: 'email', sortAsc: 'false' },
  })
  expect(descending.body.map((admin: { id: number }) => admin.id)).toEqual([id, zoe])

  const off = testServices(database, { environment: { PASSWORD_COLUMN: 'off' } })
  const callOff = await callRoutes(adminsRoutes(off))
  const [first] = (await callOff(superadmin, adminsEndpoints.admins)).body
  expect(first).toEqual({
    id,
    username: 'anna',
    email: 'anna@example.com',
    ...uninvited,
    ...inService,
  })
})

describe('who may pay has no readable password', () => {
  const admins = async () => (await call(superadmin, adminsEndpoints.admins)).body
  const mayPay = { plainPassword: null, passwordHidden: 'may pay' }
  const sealedOf = async (id: number) =>
    (
      await db
        .selectFrom('accounts')
        .select('password_sealed')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).password_sealed
  const secret = { password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }

  test('from the moment they are made', async () => {
    const { id } = (await create({ pay: true })).body
    expect(await admins()).toMatchObject([{ id, ...mayPay }])
    expect(await sealedOf(id)).toBeNull()
  })

  test('from the moment PAY is granted; taking it away brings none back', async () => {
    const { id } = (await create()).body
    expect(await admins()).toMatchObject([{ id, plainPassword: form.password }])
    await update(id, { pay: true })
    expect(await admins()).toMatchObject([{ id, ...mayPay }])
    expect(await sealedOf(id)).toBeNull()
    await update(id, { pay: false })
    expect(await admins()).toEqual([
      { id, username: 'anna', plainPassword: null, email: form.email, ...uninvited, ...inService },
    ])
    await update(id, secret)
    expect(await admins()).toMatchObject([{ id, plainPassword: secret.password }])
  })

  test('whoever sets their password, and in whatever way', async () => {
    const { id } = (await create({ pay: true })).body
    await update(id, { pay: true, ...secret })
    expect(await sealedOf(id)).toBeNull()
    await update(id, { pay: false, ...secret })
    expect(await sealedOf(id)).not.toBeNull()
    await update(id, { pay: true, ...secret })
    expect(await sealedOf(id)).toBeNull()
    const password = await makePassword(services, secret.password)
    await inTransaction(db, (tx) =>
      replacePassword(tx, id, password, { by: 'mailed link', now: tx.now }),
    )
    expect(await sealedOf(id)).toBeNull()
  })

  test('no query can store one', async () => {
    const { id } = (await create({ pay: true })).body
    for (const which of [id, await buildAccount(db, { username: 'boss' })]) {
      const store = updateSealedPassword(db, which, Buffer.of(1))
      await expect(store).rejects.toThrow('accounts__no_readable_copy')
    }
  })
})

test('who was granted PAY, and from whom it was taken, is written down', async () => {
  const grants = async (id: number) =>
    await db
      .selectFrom('pay_grants')
      .select(['granted', 'made_by'])
      .where('account_id', '=', id)
      .orderBy('id')
      .execute()
  const [given, taken] = [true, false].map((granted) => ({
    granted,
    made_by: superadmin.accountId,
  }))
  const { id } = (await create()).body
  await update(id, { earningVisible: true })
  expect(await grants(id)).toEqual([])
  await update(id, { pay: true })
  await update(id, { pay: true, earningVisible: true })
  await update(id, { pay: false })
  expect(await grants(id)).toEqual([given, taken])
  const other = (await create({ username: 'ben', pay: true })).body.id
  const params = { id: other }
  expect(await call(superadmin, adminsEndpoints.deleteAdmin, { params })).toMatchObject({
    status: 200,
  })
  expect(await grants(other)).toEqual([given, taken])
})

test('accounts of other roles are not admins, least of all superadmins', async () => {
  const boss = await buildAccount(db, { username: 'boss' })
  const hash = await hashOf(boss)
  for (const id of [boss, 2_000_000_000]) {
    expect((await call(superadmin, adminsEndpoints.admin, { params: { id } })).status).toBe(404)
    const values = { password: 'another pw', passwordConfirm: 'another pw' }
    expect((await update(id, values)).status).toBe(404)
  }
  expect(await hashOf(boss)).toBe(hash)
})

test('admins have no access to admins', async () => {
  const { id } = (await create()).body
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined }, [
    'APPROVE_AGENTS',
    'SHOW_COMMON_LOGS',
    'EARNING_VISIBLE',
    'SHOW_SUSPEND',
  ])
  const { username: _, ...body } = { ...form, ...flags }
  for (const [endpoint, input] of [
    [adminsEndpoints.admins, {}],
    [adminsEndpoints.admin, { params: { id } }],
    [adminsEndpoints.createAdmin, { body: form }],
    [adminsEndpoints.updateAdmin, { params: { id }, body }],
  ] as const) {
    expect((await call(admin, endpoint, input)).status).toBe(403)
  }
})

const create = (values: object = {}) =>
  call(superadmin, adminsEndpoints.createAdmin, { body: { ...form, ...values } })

const update = (id: number, values: object) =>
  call(superadmin, adminsEndpoints.updateAdmin, {
    params: { id },
    body: { email: form.email, ...flags, ...values },
  })

const getForm = async (id: number) =>
  (await call(superadmin, adminsEndpoints.admin, { params: { id } })).body

const hashOf = async (id: number) =>
  (
    await db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).password_hash
