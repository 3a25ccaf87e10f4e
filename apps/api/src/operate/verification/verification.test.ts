import { verificationEndpoints } from '@tallyroom/contract/operate/verification'
import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { elsewhere } from '../../../test/test-clock.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import { openDatabase } from '../../db/database.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { inTransaction } from '../../db/transaction.ts'
import { alarmsRoutes } from '../../desk/alarms/alarms.routes.ts'
import { tellOfForgeryBy } from '../../desk/index.ts'
import { mailFacts } from '../../desk/bell/mail-facts.ts'
import { verificationRoutes } from './verification.routes.ts'
import { verifyWhenDue } from './verify-when-due.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes([...verificationRoutes(services), ...alarmsRoutes(services)])
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

const NIGHT = '2026-02-10T08:10:00Z' // 03:10 in New York

beforeAll(async () => {
  const id = await buildAccount(db, { username: 'boss' })
  await db.updateTable('accounts').set({ email: 'boss@example.com' }).where('id', '=', id).execute()
  await db
    .insertInto('pay_minimums')
    .values({
      payee_kind: 'office',
      payee_id: 1,
      currency: 'PHP',
      amount: 1_00,
      set_at: new Date(0),
      set_by: 1,
    })
    .execute()
  await sealWorld(db)
})

beforeEach(async () => {
  clock.set(NIGHT)
  await emptyTables(connection, ['alarms', 'untold_facts', 'fact_mails', 'facts', 'mails'])
  await owner.pool.query(
    `update verifications set night = '2026-02-09', asked_at = null, started_at = null, ended_at = null,
       findings = '{}', found = 0`,
  )
  await owner.pool.query('update pay_minimums set amount = 100')
})

const list = async () => {
  const { body } = await call(viewer(), verificationEndpoints.verifications)
  return body.items as {
    what: string
    isAsked: boolean
    last: { told: string; found: number; findings: string[]; head: string | null } | null
  }[]
}
const verified = async () => (await list()).filter(({ last }) => last).map(({ what }) => what)
const ask = (what: string) => call(viewer(), verificationEndpoints.verifyNow, { params: { what } })
const openAlarms = async () => {
  const { rows } = await sql<{ kind: string; detail: string }>`
    select kind, detail from alarms where ended_at is null order by id
  `.execute(db)
  return rows
}
const factKinds = async () => {
  const { rows } = await sql<{ kind: string; text: string }>`
    select kind, subject ->> 'text' as text from facts order by happened_at, kind
  `.execute(db)
  return rows
}

test.each([
  ['2026-02-10T07:59:00Z', []],
  ['2026-02-10T08:00:00Z', ['pay', 'logs', 'totals']],
  ['2026-02-10T09:59:00Z', ['pay', 'logs', 'totals']],
  ['2026-02-10T10:00:00Z', []],
  ['2026-02-12T17:00:00Z', ['pay', 'logs', 'totals']], // two nights were missed
])('at %s, %j are verified', async (now, expected) => {
  clock.set(now)
  await verifyWhenDue(services)
  expect(await verified()).toEqual(expected)
})

test('of two processes, one verifies, once a night', async () => {
  await Promise.all([verifyWhenDue(services), verifyWhenDue(services)])
  await verifyWhenDue(services)
  expect((await factKinds()).map(({ kind }) => kind)).toEqual(['proof.verified'])
})

test.each([['restore'], ['closePeriod']] as const)(
  'nothing is verified while somebody holds the lock %s, and all of it afterwards',
  async (lock) => {
    await inTransaction(db, async (tx) => {
      await takeLock(tx, locks[lock])
      await elsewhere(() => verifyWhenDue(services))
    })
    expect(await verified()).toEqual([])
    await verifyWhenDue(services)
    expect(await verified()).toEqual(['pay', 'logs', 'totals'])
  },
)

test('a difference raises an alarm that names the row, and ends once it is gone', async () => {
  await owner.pool.query('update pay_minimums set amount = 1')
  await tellOfForgeryBy(services)(['Minimum 1 differs from its seal.'])
  await verifyWhenDue(services)
  expect(await openAlarms()).toEqual([
    { kind: 'money-refused', detail: 'Minimum 1 differs from its seal.' },
    { kind: 'pay-differs', detail: 'Minimum 1 differs from its seal.' },
  ])
  expect((await list())[0]?.last).toMatchObject({
    found: 1,
    findings: ['Minimum 1 differs from its seal.'],
  })
  await owner.pool.query('update pay_minimums set amount = 100')
  clock.set('2026-02-10T15:00:00Z')
  expect(await ask('pay')).toMatchObject({ status: 200 })
  expect((await list())[0]).toMatchObject({ isAsked: true })
  await verifyWhenDue(services)
  expect(await openAlarms()).toEqual([])
  expect((await list())[0]).toMatchObject({ isAsked: false, last: { found: 0 } })
  expect((await factKinds()).map(({ kind }) => kind)).toEqual([
    'proof.broken',
    'proof.broken',
    'proof.verified',
    'proof.mended',
    'proof.mended',
  ])
})

test('the same difference tells once; another one tells again', async () => {
  const tell = tellOfForgeryBy(services)
  await tell(['Hold 1 differs from its seal.'])
  await tell(['Hold 1 differs from its seal.'])
  await tell(['Hold 2 differs from its seal.'])
  expect(await openAlarms()).toEqual([
    { kind: 'money-refused', detail: 'Hold 2 differs from its seal.' },
  ])
  expect(await factKinds()).toHaveLength(2)
})

test('those who may not pay do not see such alarms', async () => {
  await tellOfForgeryBy(services)(['Hold 1 differs from its seal.'])
  const admin = { role: 'admin', officeId: undefined, agentId: undefined } as const
  const seen = async (who: ReturnType<typeof viewer>) =>
    (await call(who, alarmsEndpoints.alarms)).body.items.length
  expect(await seen(viewer())).toBe(1)
  expect(await seen(viewer(admin, ['PAY']))).toBe(1)
  expect(await seen(viewer(admin))).toBe(0)
  expect(await call(viewer(admin), verificationEndpoints.verifications)).toMatchObject({
    status: 403,
  })
})

test('the ends of the chains are on the page, in the log and in the mail of the night', async () => {
  await verifyWhenDue(services)
  const { rows } = await sql<{ end: string }>`
    select number || ':' || encode(hash, 'hex') as end from pay_seal_head
  `.execute(db)
  const end = rows[0]!.end
  expect((await list())[0]?.last?.head).toBe(end)
  expect((await factKinds())[0]?.text).toContain(`Keep this: ${end}`)
  await mailFacts(services)
  const mails = await sql<{ count: number }>`select count(*) as count from mails`.execute(db)
  expect(mails.rows[0]?.count).toBe(1)
})

test('a chain that was rebuilt since the last night is named', async () => {
  await verifyWhenDue(services)
  await owner.pool.query(
    `update verifications set head_hash = repeat('0', 64), night = '2026-02-09' where what = 'pay'`,
  )
  await verifyWhenDue(services)
  expect((await list())[0]?.last?.findings[0]).toMatch(/^Seal \d+ or an earlier one was rebuilt/)
})
