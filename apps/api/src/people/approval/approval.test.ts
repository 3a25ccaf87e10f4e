import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { beforeEach, expect, test } from 'vitest'
import { countChanges } from '../../../test/count-changes.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { approvalRoutes } from './approval.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(approvalRoutes(services))

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const approver = viewer({ role: 'admin', ...staff }, ['APPROVE_AGENTS', 'SHOW_SUSPEND'])

let manila: number
let cebu: number
let ana: number
let bob: number

beforeEach(async () => {
  for (const table of ['accounts', 'agents', 'offices'] as const) {
    await db.deleteFrom(table).execute()
  }
  manila = await buildOffice(db, { name: 'Manila' })
  cebu = await buildOffice(db, { name: 'cebu' })
  await buildAgent(db, { office_id: manila, username: 'approved' })
  const later = new Date('2026-01-02T03:04:05Z')
  ana = await waiting({ office_id: manila, username: 'ana' })
  bob = await waiting({ office_id: cebu, username: 'Bob', created_at: later })
})

test('agents awaiting approval are listed in the requested order', async () => {
  expect(await list()).toEqual([
    {
      id: ana,
      agentId: expect.any(Number),
      companyId: manila,
      username: 'ana',
      officeName: 'Manila',
      regTime: expect.any(String),
      role: 'agent',
    },
    {
      id: bob,
      agentId: expect.any(Number),
      companyId: cebu,
      username: 'Bob',
      officeName: 'cebu',
      regTime: '2026-01-02T03:04:05.000Z',
      role: 'agent',
    },
  ])
  expect(await usernames({ sortField: 'username', sortAsc: 'false' })).toEqual(['Bob', 'ana'])
  expect(await usernames({ sortField: 'officeName' })).toEqual(['Bob', 'ana'])
  expect(await count(approver)).toBe(2)
})

test('an approved agent leaves the list, and every process learns of their links', async () => {
  const before = await changes()
  const answer = await approve(approver, [ana])
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect(await usernames()).toEqual(['Bob'])
  expect(await count(superadmin)).toBe(1)
  expect(await changes()).toBe(before + 1)
  expect(await approvedAt(ana)).toEqual(about(services.clock.now()))
})

test('an agent whom somebody else has approved meanwhile keeps that time; the others are approved', async () => {
  await approve(approver, [ana])
  const first = await approvedAt(ana)
  services.clock.advance(60_000)
  expect((await approve(superadmin, [ana, bob, bob])).status).toBe(200)
  expect(await approvedAt(ana)).toEqual(first)
  expect(await count(superadmin)).toBe(0)
})

test('all are approved or none, and ids out of sight do not exist', async () => {
  const admin = await buildAccount(db, { role: 5 })
  for (const id of [admin, 2_000_000_000]) {
    const { status, body } = await approve(superadmin, [ana, id])
    expect([status, body.message]).toEqual([
      404,
      'This agent was not found. It may have been deleted, or you may not see it.',
    ])
  }
  expect(await count(superadmin)).toBe(2)
})

test('an office with the flag approves only its own agents', async () => {
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined }, [
    'APPROVE_AGENTS',
  ])
  expect(await count(office)).toBe(1)
  expect((await approve(office, [bob])).status).toBe(404)
  expect((await approve(office, [ana])).status).toBe(200)
})

test('suspended agents are neither counted nor listed without the flag', async () => {
  await waiting({ office_id: manila, username: 'gone', active: false })
  const admin = viewer({ role: 'admin', ...staff }, ['APPROVE_AGENTS'])
  expect([await count(admin), await count(approver)]).toEqual([2, 3])
})

test('nobody approves without the flag', async () => {
  const admin = viewer({ role: 'admin', ...staff })
  expect((await approve(admin, [ana])).status).toBe(403)
  expect((await call(admin, approvalEndpoints.unapproved)).status).toBe(403)
  expect((await call(admin, approvalEndpoints.unapprovedCount)).status).toBe(403)
})

async function waiting(values: Parameters<typeof buildAgent>[1]): Promise<number> {
  const agent = await buildAgent(db, { ...values, approved_at: null })
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', agent)
    .executeTakeFirstOrThrow()
  return id
}

const list = async (query: Record<string, string> = {}) =>
  (await call(superadmin, approvalEndpoints.unapproved, { query })).body

const usernames = async (query: Record<string, string> = {}) =>
  (await list(query)).map(({ username }: { username: string }) => username)

const count = async (who: typeof superadmin) =>
  (await call(who, approvalEndpoints.unapprovedCount)).body.count

const approve = (who: typeof superadmin, ids: number[]) =>
  call(who, approvalEndpoints.approve, { body: { ids } })

const approvedAt = async (accountId: number) =>
  (
    await db
      .selectFrom('agents')
      .innerJoin('accounts', 'accounts.agent_id', 'agents.id')
      .select('approved_at')
      .where('accounts.id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).approved_at

const changes = () => countChanges(db, 'destinations')
