import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { officesRoutes } from './offices.routes.ts'

const database = await testDatabase()
const { db } = database
const call = await callRoutes(officesRoutes(testServices(database)))

const manila = await buildOffice(db, { name: 'Manila' })
const cebu = await buildOffice(db, { name: 'cebu' })
await buildOffice(db, { name: 'Davao', active: false })
const hidden = await buildOffice(db, { name: 'Hidden', hidden: true })

const maria = await buildAgent(db, { office_id: manila, username: 'maria' })
await buildAgent(db, { office_id: manila, username: 'Ana', active: false })
await buildAgent(db, { office_id: manila, username: 'hidden', hidden: true })
await buildAgent(db, { office_id: manila, username: 'new', approved_at: null })
await buildAgent(db, { office_id: cebu, username: 'carlo' })

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const seeing = viewer({ role: 'admin', ...staff }, ['SHOW_SUSPEND'])
const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
const agent = viewer({ role: 'agent', officeId: manila, agentId: maria })

const offices = async (who: typeof agent, query: Record<string, string> = {}) =>
  (await call(who, officesEndpoints.companies, { query })).body.map(
    (row: { officeName: string }) => row.officeName,
  )
const agents = async (who: typeof agent, query: Record<string, string> = {}) =>
  (await call(who, officesEndpoints.companyAgents, { query })).body.map(
    (row: { username: string }) => row.username,
  )

test('offices are offered by name, hidden ones never', async () => {
  expect(await offices(superadmin)).toEqual(['cebu', 'Davao', 'Manila'])
  expect(await offices(superadmin, { onlyAvailable: 'true' })).toEqual(['cebu', 'Manila'])
  expect((await call(office, officesEndpoints.companies)).body).toEqual([
    { id: manila, officeName: 'Manila', active: true },
  ])
})

test('an admin is offered suspended offices and agents only with the flag', async () => {
  expect(await offices(admin)).toEqual(['cebu', 'Manila'])
  expect(await offices(seeing)).toEqual(['cebu', 'Davao', 'Manila'])
  const query = { agentsQuery: 'onlyAvailablePlusSuspended' }
  expect(await agents(admin, query)).toEqual(['carlo', 'maria'])
  expect(await agents(seeing, query)).toEqual(['Ana', 'carlo', 'maria'])
})

test('an office and its agents see only themselves', async () => {
  expect(await offices(agent)).toEqual(['Manila'])
  expect(await agents(office)).toEqual(['maria'])
  expect(await agents(office, { agentsQuery: 'all' })).toEqual(['Ana', 'maria', 'new'])
  expect(await agents(agent, { agentsQuery: 'all' })).toEqual(['maria'])
})

test('agents are offered by office or all together', async () => {
  expect(await agents(superadmin)).toEqual(['carlo', 'maria'])
  expect(await agents(superadmin, { companyId: String(manila), agentsQuery: 'all' })).toEqual([
    'Ana',
    'maria',
    'new',
  ])
  const { body } = await call(superadmin, officesEndpoints.companyAgents, {
    query: { companyId: String(cebu) },
  })
  expect(body).toEqual([
    { id: expect.any(Number), username: 'carlo', companyId: cebu, active: true },
  ])
  expect(await agents(superadmin, { companyId: String(hidden) })).toEqual([])
})

test('foreign and missing offices get the same answer', async () => {
  const ask = (who: typeof agent, companyId: number) =>
    call(who, officesEndpoints.companyAgents, { query: { companyId: String(companyId) } })
  const missing = await ask(superadmin, 999_999)
  expect(missing).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await ask(office, cebu)).toEqual(missing)
  expect(await ask(agent, cebu)).toEqual(missing)
  for (const wrong of ['0', '-1', '1.5', '99999999999', 'x']) {
    const { status } = await call(superadmin, officesEndpoints.companyAgents, {
      query: { companyId: wrong },
    })
    expect(status).toBe(422)
  }
})
