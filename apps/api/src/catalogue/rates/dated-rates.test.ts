import { ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildFee, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../db/transaction.ts'
import { linkTypesRoutes } from '../link-types/link-types.routes.ts'
import { linksRoutes } from '../links/links.routes.ts'
import { lockRates } from './office-fees.queries.ts'
import { officeFeesRoutes } from './office-fees.routes.ts'

const world = await postbackWorld()
const { db, clock, services, officeId, agentId } = world
await db.updateTable('offices').set({ name: 'Manila' }).where('id', '=', officeId).execute()
const call = await callRoutes([
  ...officeFeesRoutes(services),
  ...linkTypesRoutes(services),
  ...linksRoutes(services),
])
const superadmin = viewer()
const { rates, prepareRate, withdrawRate } = ratesEndpoints

/** Tuesday, noon in New York. */
const TUESDAY = '2026-03-10T16:00:00Z'

test('a postback for last Tuesday gets last Tuesday’s rate', async () => {
  const shop = await openShop()
  clock.set('2026-03-13T16:00:00Z')
  await change(shop, { payout: 450 })
  expect(await shop.sell('2026-03-10T20:00:00Z')).toEqual([500_00, 'default'])
  expect(await shop.sell('2026-03-13T15:59:59Z')).toEqual([500_00, 'default'])
  expect(await shop.sell('2026-03-13T16:00:00Z')).toEqual([450_00, 'default'])
})

test('an office with own rates since Wednesday gets the default rate for Tuesday’s sale', async () => {
  const shop = await openShop()
  clock.set('2026-03-11T16:00:00Z')
  await change(shop, { companyId: officeId, enable: true, payout: 700 })
  clock.set('2026-03-12T16:00:00Z')
  await change(shop, { companyId: officeId, enable: false })
  expect(await shop.sell('2026-03-10T20:00:00Z')).toEqual([500_00, 'default'])
  expect(await shop.sell('2026-03-11T20:00:00Z')).toEqual([700_00, 'office'])
  expect(await shop.sell('2026-03-12T16:00:00Z')).toEqual([500_00, 'default'])
  const another = await buildOffice(db)
  expect(await shop.sell('2026-03-11T20:00:00Z', another)).toEqual([500_00, 'default'])
})

test('prepared rates begin at midnight in New York, also when the clocks change', async () => {
  for (const [day, midnight] of [
    ['2026-03-08', '2026-03-08T05:00:00Z'], // the clocks go forward the following night, so midnight is still EST
    ['2026-03-09', '2026-03-09T04:00:00Z'],
    ['2026-11-01', '2026-11-01T04:00:00Z'],
    ['2026-11-02', '2026-11-02T05:00:00Z'],
  ] as const) {
    clock.set('2026-03-01T16:00:00Z')
    const shop = await openShop()
    const { body } = await prepare(shop, { validFrom: day, payout: 480 })
    expect(body).toMatchObject({ validFrom: new Date(midnight).toISOString(), state: 'prepared' })
    clock.set(`${day}T18:00:00Z`)
    const before = new Date(Date.parse(midnight) - 1).toISOString()
    expect(await shop.sell(before)).toEqual([500_00, 'default'])
    expect(await shop.sell(midnight)).toEqual([480_00, 'default'])
  }
})

test('an event keeps the row of rates that priced it, and so does its reversal', async () => {
  const shop = await openShop()
  const own = await buildFee(db, { type_id: shop.typeId, office_id: officeId })
  const click = await shop.click()
  await shop.get({ click_id: click, tid: '1' })
  await shop.get({ click_id: click, tid: '1', event: 'void' })
  const events = await world.eventsOf(shop.siteId)
  expect(events.map(({ rate_id }) => rate_id)).toEqual([own, own])
})

test('a change from now on does not affect prepared ones', async () => {
  const shop = await openShop()
  await prepare(shop, { validFrom: '2026-03-20', payout: 480, note: 'Spring' })
  await change(shop, { payout: 450 })
  expect(await shop.list()).toMatchObject([
    { payout: 480, state: 'prepared', note: 'Spring', addedBy: superadmin.username },
    { payout: 450, state: 'in force', note: '', validFrom: about(TUESDAY) },
    { payout: 500, state: 'over', validFrom: null, addedBy: null },
  ])
  clock.set('2026-03-20T04:00:00Z')
  expect(await shop.list()).toMatchObject([
    { payout: 480, state: 'in force' },
    { payout: 450, state: 'over' },
    { payout: 500, state: 'over' },
  ])
})

test('omitted amounts are those in force on the day from which the rates apply', async () => {
  const shop = await openShop()
  await prepare(shop, { validFrom: '2026-03-20', payout: 480, earning: 31.5 })
  const own = await prepare(shop, { companyId: officeId, validFrom: '2026-03-21', lpp: 4 })
  expect(own.body).toMatchObject({
    companyId: officeId,
    officeName: 'Manila',
    enable: true,
    payout: 480,
    earning: 31.5,
    lpp: 4,
  })
  const back = await prepare(shop, { companyId: officeId, validFrom: '2026-03-25', enable: false })
  expect(back.body).toMatchObject({ enable: false, payout: 480 })
  clock.set('2026-03-26T16:00:00Z')
  expect(await shop.sell('2026-03-24T16:00:00Z')).toEqual([480_00, 'office'])
  expect(await shop.sell('2026-03-25T16:00:00Z')).toEqual([480_00, 'default'])
})

test('withdrawn rates never take effect and stay in the history', async () => {
  const shop = await openShop()
  const { body } = await prepare(shop, { validFrom: '2026-03-20', payout: 480 })
  const withdraw = () => call(superadmin, withdrawRate, { params: { id: body.id } })
  const answers = await Promise.all([withdraw(), withdraw()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.body).toMatchObject({
    state: 'withdrawn',
    withdrawnAt: about(TUESDAY),
    withdrawnBy: superadmin.username,
  })
  // The day is free again.
  expect((await prepare(shop, { validFrom: '2026-03-20', payout: 490 })).status).toBe(200)
  clock.set('2026-03-20T16:00:00Z')
  expect(await shop.sell('2026-03-20T15:00:00Z')).toEqual([490_00, 'default'])
  expect((await shop.list()).map(({ state }: { state: string }) => state)).toEqual([
    'in force',
    'withdrawn',
    'over',
  ])
  const [present] = await shop.list()
  const late = await call(superadmin, withdrawRate, { params: { id: present.id } })
  expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
})

test('rates that come into force while their withdrawal waits are not withdrawn', async () => {
  const shop = await openShop()
  const { body } = await prepare(shop, { validFrom: '2026-03-20', payout: 480 })
  clock.set('2026-03-20T03:59:59Z')
  const beginTheDay = () => clock.set('2026-03-20T04:00:00Z')
  const [withdrawn] = await inTransaction(db, async (tx) => {
    await lockRates(tx, shop.typeId)
    const waiting = call(superadmin, withdrawRate, { params: { id: body.id } })
    await until(async () => {
      const { rows } = await sql`
        select pid from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()
      `.execute(db)
      return rows.length > 0
    })
    beginTheDay()
    return [waiting]
  })
  expect((await withdrawn).status).toBe(409)
  expect(await shop.sell('2026-03-20T04:00:00Z')).toEqual([480_00, 'default'])
})

test('one change a day: of two people who prepare one at once, the second is told', async () => {
  const shop = await openShop()
  const both = await Promise.all(
    [480, 490].map((payout) => prepare(shop, { validFrom: '2026-03-20', payout })),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]))
})

test.each([
  [{ validFrom: '2026-03-10' }, 'validFrom'],
  [{ validFrom: '2026-03-09' }, 'validFrom'],
  [{ validFrom: '2026-02-30' }, 'validFrom'],
  [{ validFrom: '2026-03-20', payout: 1.005 }, 'payout'],
  [{ validFrom: '2026-03-20', earning: -1 }, 'earning'],
  [{ validFrom: '2026-03-20', note: 'x'.repeat(201) }, 'note'],
  [{ validFrom: '2026-03-20', enable: false }, 'enable'],
])('%o is refused', async (values, field) => {
  const shop = await openShop()
  const { status, body } = await prepare(shop, values)
  expect([status, Object.keys(body.data)]).toEqual([422, [field]])
  expect(await shop.list()).toHaveLength(1)
})

test('offices see a rate in Links from its first day on', async () => {
  const shop = await openShop()
  await prepare(shop, { companyId: officeId, validFrom: '2026-03-20', payout: 480 })
  const payout = async () => {
    const { body } = await call(superadmin, linksEndpoints.links, {
      body: { siteId: shop.siteId, agentId },
    })
    return body.items[0].payout
  }
  clock.set('2026-03-20T03:59:59Z')
  expect(await payout()).toBe(500)
  clock.set('2026-03-20T04:00:00Z')
  expect(await payout()).toBe(480)
})

test('admins read rates, with earnings if they may see them; nobody else does', async () => {
  const shop = await openShop()
  const { body: prepared } = await prepare(shop, { validFrom: '2026-03-20', payout: 480 })
  const staff = { role: 'admin', officeId: undefined, agentId: undefined } as const
  const query = { query: { siteId: String(shop.siteId) } }
  expect((await call(viewer(staff), rates, query)).body[0]).not.toHaveProperty('earning')
  expect((await call(viewer(staff, ['EARNING_VISIBLE']), rates, query)).body[0]).toHaveProperty(
    'earning',
  )
  const body = { typeId: shop.typeId, companyId: null, validFrom: '2026-03-21' }
  for (const who of [
    viewer(staff, ['EARNING_VISIBLE']),
    viewer({ role: 'company', officeId, agentId: undefined }),
    viewer({ role: 'agent', officeId, agentId }),
  ]) {
    expect((await call(who, prepareRate, { body })).status).toBe(403)
    expect((await call(who, withdrawRate, { params: { id: prepared.id } })).status).toBe(403)
    if (who.role !== 'admin') expect((await call(who, rates, query)).status).toBe(403)
  }
})

test('the app can neither change nor delete rates', async () => {
  for (const statement of [
    db.deleteFrom('rates'),
    db.updateTable('rates').set({ lpp: 1 }),
    db.deleteFrom('rate_withdrawals'),
    db.updateTable('rate_withdrawals').set({ withdrawn_by: 1 }),
  ]) {
    await expect(statement.execute()).rejects.toThrow('permission denied')
  }
})

/** A site with a link type at ₱500.00. It is that Tuesday unless the clock was set. */
async function openShop() {
  if (clock.peek().toISOString() > '2026-03-02') clock.set(TUESDAY)
  const shop = await world.merchant()
  const { siteId, typeId } = shop
  return {
    ...shop,
    /** Reports, now, a sale made at that time. Returns its payout and whose rate it got. */
    sell: async (at: string, office = officeId) => {
      const click = await shop.click({ office_id: office, clicked_at: new Date(at) })
      const answer = await shop.get({ click_id: click, time: at })
      const event = await db
        .selectFrom('sale_events')
        .select(['payout_centavos', 'rate_source'])
        .where('id', '=', answer.json().eventId)
        .executeTakeFirstOrThrow()
      return [event.payout_centavos, event.rate_source]
    },
    list: async () =>
      (
        await call(superadmin, rates, {
          query: { siteId: String(siteId), typeId: String(typeId), companyId: 'none' },
        })
      ).body,
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

const prepare = ({ typeId }: Shop, values: object) =>
  call(superadmin, prepareRate, { body: { typeId, companyId: null, ...values } })

/** Changes the default rates, or those of an office, as the pages do. */
async function change({ typeId }: Shop, values: { companyId?: number; [field: string]: unknown }) {
  const { status } = values.companyId
    ? await call(superadmin, officeFeesEndpoints.saveOfficeFee, { body: { typeId, ...values } })
    : await call(superadmin, linkTypesEndpoints.updateLinkType, {
        params: { id: typeId },
        body: values,
      })
  expect(status).toBe(200)
}
