import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { purgeSignIn } from '../auth/purge-sign-in.ts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { type Changed, tellOfChange } from './tell-of-change.ts'

const services = testServices(await testDatabase())
const { db, clock } = services
const username = 'cebu'
const accountId = await buildAccount(db, { username })

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('former_addresses').execute()
  await db.updateTable('accounts').set({ email: 'cebu@example.com' }).execute()
})

const days = (count: number) => count * 86_400_000

const moveTo = (email: string | null) =>
  inTransaction(db, async (tx) => {
    const { email: emailBefore } = await getHolder(tx, accountId)
    await updateEmail(tx, accountId, email, { by: 'operator', now: tx.now })
    await tellOfChange(tx, services, {
      accountId,
      username,
      changed: ['email address'],
      emailBefore,
    })
  })

const change = (what: Changed) =>
  inTransaction(db, (tx) => tellOfChange(tx, services, { accountId, username, changed: [what] }))

const told = async () => (await sentMails(services)).map(({ to, text }) => ({ to, text }))
const addresses = async () => (await told()).map(({ to }) => to).toSorted()

test('a changed address is told at both addresses', async () => {
  await moveTo('thief@example.com')
  const mails = await told()
  expect(mails.map(({ to }) => to)).toEqual(['thief@example.com', 'cebu@example.com'])
  const [current, former] = mails
  expect(current?.text).toContain('now go to this address')
  expect(former?.text).toContain('now go to another address')
})

test.each(['password', 'payment account', 'email address'] as const)(
  'for 30 days after its address, a changed %s is told at both, later at the new one',
  async (what) => {
    await moveTo('thief@example.com')
    await told()
    clock.advance(days(30) - 1000)
    await change(what)
    expect(await addresses()).toEqual(['cebu@example.com', 'thief@example.com'])
    clock.advance(1000)
    await change(what)
    expect(await addresses()).toEqual(['thief@example.com'])
  },
)

test('several changes of the address, or none left, shake nobody off', async () => {
  await moveTo('first@example.com')
  await moveTo('second@example.com')
  await moveTo(null)
  await told()
  await change('payment account')
  expect(await addresses()).toEqual(['cebu@example.com', 'first@example.com', 'second@example.com'])
})

test('an address that comes back is told once', async () => {
  await moveTo('elsewhere@example.com')
  await moveTo('cebu@example.com')
  await told()
  await change('password')
  expect(await addresses()).toEqual(['cebu@example.com', 'elsewhere@example.com'])
})

test('an office is told where its manager was, too', async () => {
  const office = await buildOffice(db, { man_email: 'manager@example.com' })
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', office)
    .executeTakeFirstOrThrow()
  const as = { accountId: id, username: 'manila', emailBefore: 'manager@example.com' }
  await db.updateTable('offices').set({ man_email: 'new@example.com' }).execute()
  await inTransaction(db, (tx) => tellOfChange(tx, services, { ...as, changed: ['email address'] }))
  expect(await addresses()).toEqual(['manager@example.com', 'new@example.com'])
})

test('an address that was left 30 days ago is forgotten', async () => {
  await moveTo('new@example.com')
  const kept = () => db.selectFrom('former_addresses').select('email').execute()
  clock.advance(days(30) - 1000)
  await purgeSignIn(services)
  expect(await kept()).toHaveLength(1)
  clock.advance(1000)
  await purgeSignIn(services)
  expect(await kept()).toEqual([])
})
