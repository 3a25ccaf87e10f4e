import { findEndpoints, type Found } from '@tallyroom/contract/find'
import { beforeAll, expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findRoutes } from './index.ts'

const { db, clock, services, agentId, officeId, merchant } = await postbackWorld()
const call = await callRoutes(findRoutes(services))

const staff = { officeId: undefined, agentId: undefined } as const
const superadmin = viewer()
const admin = viewer({ role: 'admin', ...staff })
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const clicks = { sold: '', unsold: '', carlos: '' }

/** Maria of this office and Carlo of Cebu have each sold an order. */
beforeAll(async () => {
  const lantern = await merchant({ sitename: 'Lantern' })
  const cebu = await buildOffice(db, { name: 'Cebu' })
  const carlo = await buildAgent(db, {
    office_id: cebu,
    username: 'carlo',
    first_name: 'Carlo',
    last_name: 'Reyes',
  })
  await buildAgent(db, { office_id: officeId, username: 'maria' })
  clicks.sold = await lantern.click()
  clicks.unsold = await lantern.click()
  clicks.carlos = await lantern.click({ agent_id: carlo, office_id: cebu })
  await lantern.get({ cid: clicks.sold, tid: 'Cebu' })
  await lantern.get({ cid: clicks.carlos, tid: 'CBU-2' })
  clock.set('2026-03-10T17:00:00Z')
})

test.each<[string, string, string[]]>([
  [
    'an order number, in any case, before names',
    'CEBU',
    ['sale Cebu', 'office Cebu', 'agent carlo'],
  ],
  ['the beginning of an order number', 'cbu', ['sale CBU-2']],
  ['a username', 'maria', ['agent maria']],
  ['a full name', 'carlo reyes', ['agent carlo']],
  ['an agent’s office, after its own name', 'ceb', ['office Cebu', 'agent carlo', 'sale Cebu']],
  ['part of a site', 'tern', ['site Lantern']],
  ['% as it is', '%b', []],
  ['quotes as they are', `'; --`, []],
])('superadmins find by %s', async (_, text, expected) => {
  expect(linesOf(await find(superadmin, text))).toEqual(expected)
})

test('a click id finds its sale; without one, staff find its postbacks', async () => {
  expect(linesOf(await find(superadmin, clicks.sold.toUpperCase()))).toEqual(['sale Cebu'])
  expect(linesOf(await find(admin, clicks.unsold))).toEqual([`click ${clicks.unsold}`])
  for (const who of [office, agent]) expect(await find(who, clicks.unsold)).toEqual([])
})

test('offices and agents find nothing that their lists would not show', async () => {
  for (const text of ['CBU-2', clicks.carlos, 'carlo', 'reyes']) {
    for (const who of [office, agent]) expect([text, await find(who, text)]).toEqual([text, []])
  }
  expect(linesOf(await find(office, 'cebu'))).toEqual(['sale Cebu'])
  expect(linesOf(await find(agent, 'cebu'))).toEqual(['sale Cebu'])
  expect(linesOf(await find(office, 'maria'))).toEqual(['agent maria'])
  expect(await find(agent, 'maria')).toEqual([])
})

test('a whole name is marked as such', async () => {
  const [sale, named] = await find(superadmin, 'cebu')
  expect([sale?.isExact, named?.isExact]).toEqual([true, true])
  const [beginning] = await find(superadmin, 'mari')
  expect(beginning?.isExact).toBe(false)
})

test('a single letter is refused', async () => {
  expect((await call(superadmin, findEndpoints.find, { body: { text: ' a ' } })).status).toBe(422)
})

async function find(who: Viewer, text: string): Promise<Found[]> {
  const answer = await call(who, findEndpoints.find, { body: { text } })
  expect(answer.status).toBe(200)
  return answer.body
}

const linesOf = (found: readonly Found[]) => found.map(({ kind, label }) => `${kind} ${label}`)
