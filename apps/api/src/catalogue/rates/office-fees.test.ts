import { officeFeesEndpoints as endpoints } from '@tallyroom/contract/catalogue/office-fees'
import { expect, test } from 'vitest'
import { buildLinkType, buildOffice, buildRate, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { officeFeesRoutes } from './office-fees.routes.ts'

const world = await postbackWorld()
const { db, services, officeId } = world
await db.updateTable('offices').set({ name: 'Manila' }).where('id', '=', officeId).execute()
const cebu = await buildOffice(db, { name: 'cebu', active: false, hidden: true })
const call = await callRoutes(officeFeesRoutes(services))
const superadmin = viewer()

const defaults = { earning: 25, payout: 500, lpp: 1, bonusEarning: 0, bonusPayout: 0, bonusLpp: 0 }

async function newType() {
  const siteId = await buildSite(db)
  return { siteId, typeId: await buildLinkType(db, { site_id: siteId }) }
}

test('one row per office, by name; the defaults apply until own rates are enabled', async () => {
  const { siteId, typeId } = await newType()
  const row = { typeId, enable: false, ...defaults, own: null, defaults, version: 0 }
  const present = { active: true, hidden: false }
  expect((await list(siteId, typeId)).body).toEqual([
    { ...row, companyId: cebu, officeName: 'cebu', active: false, hidden: true },
    { ...row, ...present, companyId: officeId, officeName: 'Manila' },
  ])

  const saved = await save({ typeId, enable: true, earning: 30.07, lpp: 3 })
  const own = { ...defaults, earning: 30.07, lpp: 3 }
  const enabled = { ...row, ...present, companyId: officeId, officeName: 'Manila' }
  expect([saved.status, saved.body]).toEqual([
    200,
    { ...enabled, ...own, enable: true, own, version: 1 },
  ])
  expect((await list(siteId, typeId)).body[1]).toEqual(saved.body)
})

test('own rates that are switched off are kept for later', async () => {
  const { typeId } = await newType()
  await save({ typeId, enable: true, payout: 999.99 })
  const off = await save({ typeId, enable: false, payout: 1, earning: 1 })
  expect(off.body).toMatchObject({ enable: false, payout: 500, own: { payout: 999.99 } })
  await buildRate(db, { type_id: typeId, payout_centavos: 600_00 })
  const on = await save({ typeId, enable: true })
  expect(on.body).toMatchObject({ enable: true, payout: 999.99, earning: 25, version: 3 })
})

test('switching off rates that were never on has no effect', async () => {
  const { typeId } = await newType()
  expect((await save({ typeId, enable: false, payout: 9 })).body).toMatchObject({
    enable: false,
    own: null,
    version: 0,
  })
  expect(await kept(typeId)).toEqual([])
})

test('of two people who change the same row, the second one is told', async () => {
  const { typeId } = await newType()
  expect((await save({ typeId, enable: true, payout: 1, version: 0 })).status).toBe(200)
  const second = await save({ typeId, enable: true, payout: 2, version: 0 })
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  expect((await save({ typeId, enable: false, version: 0 })).status).toBe(409)
  expect((await kept(typeId))[0]).toMatchObject({ payout_centavos: 1_00, enabled: true })

  const answers = await Promise.all(
    [10, 20, 30].map((payout) => save({ typeId, enable: true, payout, version: 1 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const fresh = await newType()
  const firsts = await Promise.all(
    [10, 20].map((payout) => save({ typeId: fresh.typeId, enable: true, payout, version: 0 })),
  )
  expect(firsts.filter(({ status }) => status === 200)).toHaveLength(1)
})

test.each([
  [{ earning: -0.01 }],
  [{ payout: 1.005 }],
  [{ payout: 1_000_000.01 }],
  [{ payout: '5' }],
  [{ payout: null }],
  [{ lpp: 1.5 }],
  [{ lpp: -1 }],
  [{ bonusEarning: 1e-7 }],
  [{ bonusPayout: -1 }],
  [{ bonusLpp: 2_000_000_000 }],
])('%o is refused, and nothing is saved', async (values) => {
  const { typeId } = await newType()
  const { status, body } = await save({ typeId, enable: true, ...values })
  expect([status, Object.keys(body.data)]).toEqual([422, Object.keys(values)])
  expect(await kept(typeId)).toEqual([])
})

test('another site’s link type, a deleted link type and a missing office have no rates', async () => {
  const { siteId, typeId } = await newType()
  const other = await newType()
  expect((await list(other.siteId, typeId)).status).toBe(404)
  expect((await save({ typeId, enable: true, companyId: 2_000_000_000 })).status).toBe(404)
  await db
    .updateTable('link_types')
    .set({ deleted_at: new Date() })
    .where('id', '=', typeId)
    .execute()
  expect((await list(siteId, typeId)).status).toBe(404)
  expect((await save({ typeId, enable: true })).status).toBe(404)
  await db
    .updateTable('sites')
    .set({ deleted_at: new Date() })
    .where('id', '=', other.siteId)
    .execute()
  expect((await list(other.siteId, other.typeId)).status).toBe(404)
})

test('nobody below a superadmin sees or changes rates', async () => {
  const { siteId, typeId } = await newType()
  for (const who of [
    viewer({ role: 'admin', officeId: undefined, agentId: undefined }, ['EARNING_VISIBLE']),
    viewer({ role: 'company', officeId, agentId: undefined }),
    viewer({ role: 'agent', officeId, agentId: world.agentId }),
  ]) {
    const query = { siteId: String(siteId), typeId: String(typeId) }
    expect((await call(who, endpoints.officeFees, { query })).status).toBe(403)
    const body = { typeId, companyId: officeId, enable: true }
    expect((await call(who, endpoints.saveOfficeFee, { body })).status).toBe(403)
  }
  expect(await kept(typeId)).toEqual([])
})

test('a change applies to the next postback, and to no recorded sale', async () => {
  const merchant = await world.merchant()
  const { siteId, typeId } = merchant
  const sell = async () =>
    (await merchant.get({ click_id: await merchant.click(), event: 'sale' })).statusCode
  expect(await sell()).toBe(201)
  await save({ typeId, enable: true, earning: 40, payout: 800.5, lpp: 4 })
  expect(await sell()).toBe(201)
  await save({ typeId, enable: true, payout: 900 })
  expect(await sell()).toBe(201)
  await save({ typeId, enable: false })
  expect(await sell()).toBe(201)

  const events = await world.eventsOf(siteId)
  expect(
    events.map((event) => [
      event.earning_cents,
      event.payout_centavos,
      event.lpp,
      event.rate_source,
    ]),
  ).toEqual([
    [25_00, 500_00, 1, 'default'],
    [40_00, 800_50, 4, 'office'],
    [40_00, 900_00, 4, 'office'],
    [25_00, 500_00, 1, 'default'],
  ])
})

const list = (siteId: number, typeId: number) =>
  call(superadmin, endpoints.officeFees, {
    query: { siteId: String(siteId), typeId: String(typeId) },
  })

const save = (values: { typeId: number } & Record<string, unknown>) =>
  call(superadmin, endpoints.saveOfficeFee, { body: { companyId: officeId, ...values } })

const kept = (typeId: number) =>
  db
    .selectFrom('rates')
    .selectAll()
    .where('type_id', '=', typeId)
    .where('office_id', 'is not', null)
    .orderBy('id')
    .execute()
