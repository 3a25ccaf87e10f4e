import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { beforeEach, expect, test } from 'vitest'
import {
  buildAgent,
  buildFee,
  buildLinkType,
  buildOffice,
  buildRate,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { linksRoutes } from './links.routes.ts'

const services = testServices(await testDatabase())
const { db, clock } = services
const call = await callRoutes(linksRoutes(services))

const superadmin = viewer()

/** An office that sells one site, with own rates for one of its two link types, and its agent. */
async function newWorld() {
  const siteId = await buildSite(db)
  const officeId = await buildOffice(db)
  await db.deleteFrom('office_sites').where('site_id', '<>', siteId).execute()
  const agentId = await buildAgent(db, { office_id: officeId })
  const bonus = { bonus: true, bonus_payout_centavos: 40_00 }
  const basic = await buildLinkType(db, { site_id: siteId, typename: 'Basic', ...bonus })
  const own = await buildLinkType(db, { site_id: siteId, typename: 'Own' })
  await buildFee(db, { type_id: own, office_id: officeId })
  return {
    siteId,
    officeId,
    agentId,
    basic,
    own,
    office: viewer({ role: 'company', officeId, agentId: undefined }),
    agent: viewer({ role: 'agent', officeId, agentId }),
  }
}

let world: Awaited<ReturnType<typeof newWorld>>
beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  world = await newWorld()
  await showPayouts(true)
})

const showPayouts = (isShown: boolean) =>
  db
    .updateTable('options')
    .set({ value: isShown ? '1' : '0' })
    .where('name', '=', 'payout_visible')
    .execute()

const rates = (who: Viewer, agentId: number | null = world.agentId) =>
  call(who, linksEndpoints.linkRates, { body: { agentId } })

/** `Basic 500 + 40, then 600 + 40 from 2026-03-20T04:00:00.000Z` */
async function lines(who: Viewer): Promise<string[]> {
  const { items } = (await rates(who)).body
  const text = (pays: { payout: number; bonusPayout: number | null }) =>
    [pays.payout, pays.bonusPayout].filter((amount) => amount !== null).join(' + ')
  return items.map(
    ({ typename, now, next }: (typeof items)[number]) =>
      `${typename} ${text(now)}${next ? `, then ${text(next)} from ${next.from}` : ''}`,
  )
}

const MARCH_20 = new Date('2026-03-20T04:00:00Z')
const MARCH_25 = new Date('2026-03-25T04:00:00Z')

test('the office’s own rates or the default ones, and a bonus where one is paid', async () => {
  for (const who of [superadmin, world.office, world.agent])
    expect(await lines(who)).toEqual(['Basic 500 + 40', 'Own 700'])
  await db
    .updateTable('sites')
    .set({ use_approve_sale: true })
    .where('id', '=', world.siteId)
    .execute()
  expect(await lines(world.agent)).toEqual(['Basic 500 + 40', 'Own 700 + 70'])
  expect((await rates(world.agent, null)).body.agentId).toBe(world.agentId)
  const nobody = await rates(superadmin, null)
  expect([nobody.status, nobody.body.data]).toEqual([422, { agentId: ['Choose an agent'] }])
})

test('the next change is the first that changes what this office is paid', async () => {
  const { basic, own, officeId, agent } = world
  const stranger = await buildOffice(db)
  const change = (type_id: number, values: object) =>
    buildRate(db, { type_id, bonus_payout_centavos: 40_00, ...values })
  // Of points alone, of another office, withdrawn, and of a default that the office does not have.
  await change(basic, { valid_from: MARCH_20, lpp: 3 })
  await change(basic, { valid_from: MARCH_20, office_id: stranger, payout_centavos: 1_00 })
  const withdrawn = await change(basic, { valid_from: MARCH_20, payout_centavos: 2_00 })
  await db
    .insertInto('rate_withdrawals')
    .values({
      rate_id: withdrawn,
      withdrawn_at: clock.peek(),
      withdrawn_by: 1,
      withdrawn_by_name: 'root',
    })
    .execute()
  await change(own, { valid_from: MARCH_20, payout_centavos: 3_00 })
  expect(await lines(agent)).toEqual(['Basic 500 + 40', 'Own 700'])

  await change(basic, { valid_from: MARCH_25, payout_centavos: 600_00 })
  await change(own, { valid_from: MARCH_25, office_id: officeId, enabled: false })
  const planned = [
    'Basic 500 + 40, then 600 + 40 from 2026-03-25T04:00:00.000Z',
    'Own 700, then 3 from 2026-03-25T04:00:00.000Z',
  ]
  expect(await lines(agent)).toEqual(planned)
  clock.set(MARCH_25.toISOString())
  expect(await lines(agent)).toEqual(['Basic 600 + 40', 'Own 3'])
})

test('nothing without the right to see payouts', async () => {
  await showPayouts(false)
  for (const who of [world.office, world.agent])
    expect((await rates(who)).body).toEqual({
      agentId: world.agentId,
      payoutVisible: false,
      items: [],
    })
  expect((await rates(superadmin)).body.items).toHaveLength(2)
})

test('another office’s agent and a colleague are not found', async () => {
  const stranger = await buildAgent(db, { office_id: await buildOffice(db) })
  const colleague = await buildAgent(db, { office_id: world.officeId })
  expect((await rates(world.office, stranger)).status).toBe(404)
  expect((await rates(world.office, colleague)).status).toBe(200)
  expect((await rates(world.agent, colleague)).status).toBe(404)
})
