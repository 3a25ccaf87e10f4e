import { type Coupon, couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  buildAgent,
  buildCoupon,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { freeCodes } from './coupons.queries.ts'
import { couponsRoutes } from './coupons.routes.ts'

const services = testServices(await testDatabase())
const { db, clock } = services
const superadmin = viewer()

/** A site with a pattern, an office and its two agents, and another office's agent. */
async function newWorld() {
  const officeId = await buildOffice(db)
  const cebu = await buildOffice(db)
  const siteId = await buildSite(db, { coupon_pattern: '*10' })
  const typeId = await buildLinkType(db, { site_id: siteId })
  const ann = await buildAgent(db, { office_id: officeId })
  const ben = await buildAgent(db, { office_id: officeId })
  const carl = await buildAgent(db, { office_id: cebu })
  const as = async (agentId: number, ofOffice = officeId): Promise<Viewer> => {
    const { id: accountId } = await db
      .selectFrom('accounts')
      .select('id')
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    return { ...viewer({ role: 'agent', officeId: ofOffice, agentId }), accountId }
  }
  return {
    siteId,
    typeId,
    officeId,
    ann: { agentId: ann, viewer: await as(ann) },
    ben: { agentId: ben, viewer: await as(ben) },
    carl: { agentId: carl, viewer: await as(carl, cebu) },
    office: viewer({ role: 'company', officeId, agentId: undefined }),
  }
}

let world: Awaited<ReturnType<typeof newWorld>>
let call: Awaited<ReturnType<typeof callRoutes>>
beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  world = await newWorld()
  call = await callRoutes(couponsRoutes(services))
})

const create = (code: string, agentId: number, more: object = {}) =>
  call(superadmin, couponsEndpoints.createCoupon, {
    body: { code, siteId: world.siteId, agentId, ...more },
  })
const make = (who: Viewer, name: string, more: object = {}) =>
  call(who, couponsEndpoints.makeCoupon, { body: { siteId: world.siteId, name, ...more } })
const end = (id: number) => call(superadmin, couponsEndpoints.endCoupon, { params: { id } })

async function listed(who: Viewer, asked: object = {}): Promise<Coupon[]> {
  const { body } = await call(who, couponsEndpoints.coupons, {
    body: { siteId: world.siteId, ...asked },
  })
  expect(body.total).toBe(body.items.length)
  return body.items
}
const codes = async (who: Viewer, asked: object = {}) =>
  (await listed(who, asked)).map(({ code }) => code)

describe('a code', () => {
  test('is seen by its agent, their office and staff', async () => {
    await create('Anna10', world.ann.agentId, { typeId: world.typeId })
    await create('BEN10', world.ben.agentId)
    await create('CARL10', world.carl.agentId)
    expect(await codes(superadmin)).toEqual(['Anna10', 'BEN10', 'CARL10'])
    expect(await codes(world.office)).toEqual(['Anna10', 'BEN10'])
    expect(await codes(world.ann.viewer)).toEqual(['Anna10'])
    expect(await codes(world.ann.viewer, { agentId: world.ben.agentId })).toEqual([])
    const [first] = await listed(world.ann.viewer)
    expect(first).toMatchObject({
      typeId: world.typeId,
      fromDay: '2026-03-10',
      untilDay: null,
      endedAt: null,
      state: 'active',
      orders: 0,
    })
  })

  test('has one agent at a time on a site, whatever its case or shape', async () => {
    await create('ANNA10', world.ann.agentId)
    const same = await create('anna10', world.ben.agentId)
    expect([same.status, same.body.data]).toEqual([
      422,
      {
        code: ['is a code of this site already. It can pass to another agent once it has ended'],
      },
    ])
    for (const twin of ['ANNA1O', 'ANNA-10', 'ANNAI0'])
      expect((await create(twin, world.ben.agentId)).body.data).toEqual({
        code: ['looks too similar to another code of this site'],
      })
    const other = await newWorld()
    expect(
      (
        await call(superadmin, couponsEndpoints.createCoupon, {
          body: { code: 'ANNA10', siteId: other.siteId, agentId: other.ann.agentId },
        })
      ).status,
    ).toBe(200)
  })

  test('passes to another agent once it has ended, by hand or by its last day', async () => {
    const { id } = (await create('ANNA10', world.ann.agentId)).body
    expect((await end(id)).status).toBe(200)
    expect((await end(id)).status).toBe(409)
    expect((await end(2_000_000_000)).status).toBe(404)
    await create('anna10', world.ben.agentId, { untilDay: '2026-03-12' })
    expect((await create('ANNA10', world.carl.agentId, { fromDay: '2026-03-12' })).status).toBe(422)
    expect((await create('ANNA10', world.carl.agentId, { fromDay: '2026-03-13' })).status).toBe(200)
    const states = async () =>
      (await listed(superadmin, { sortField: 'starts' })).map(
        ({ state, fromDay, untilDay, endedAt }) => [state, fromDay, untilDay, endedAt !== null],
      )
    expect(await states()).toEqual([
      ['ended', '2026-03-10', null, true],
      ['active', '2026-03-10', '2026-03-12', false],
      ['planned', '2026-03-13', null, false],
    ])
    expect(await codes(superadmin, { state: 'planned' })).toEqual(['ANNA10'])
    // Midnight in New York.
    clock.set('2026-03-13T04:00:00Z')
    expect((await states()).map(([state]) => state)).toEqual(['ended', 'ended', 'active'])
  })

  test('is refused with all that is wrong with it', async () => {
    const wrong = await create('АNNA10', world.ann.agentId)
    expect([wrong.status, wrong.body.data.code]).toEqual([
      422,
      [expect.stringMatching(/^must have 3 to 32 letters/)],
    ])
    const past = await create('ANNA10', world.ann.agentId, { fromDay: '2026-03-09' })
    expect(past.body.data).toHaveProperty('fromDay')
    const turned = await create('ANNA10', world.ann.agentId, {
      fromDay: '2026-03-12',
      untilDay: '2026-03-11',
    })
    expect(turned.body.data).toHaveProperty('untilDay')
    const foreign = await buildLinkType(db, { site_id: await buildSite(db) })
    const type = await create('ANNA10', world.ann.agentId, { typeId: foreign })
    expect(type.body.data).toHaveProperty('typeId')
    await db
      .insertInto('agent_sites_off')
      .values({ agent_id: world.ann.agentId, site_id: world.siteId })
      .execute()
    expect((await create('ANNA10', world.ann.agentId)).body.data).toHaveProperty('siteId')
    expect(await codes(superadmin)).toEqual([])
  })

  test('of two that are made at once is made once', async () => {
    const both = await Promise.all([
      create('ANNA10', world.ann.agentId),
      create('anna10', world.ben.agentId),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })
})

describe('an agent’s own code', () => {
  test('is the pattern of the site with their name', async () => {
    expect((await make(world.ann.viewer, 'Anna')).status).toBe(200)
    expect(await codes(world.ann.viewer)).toEqual(['Anna10'])
    const patterns = await call(world.ann.viewer, couponsEndpoints.couponPatterns)
    expect(patterns.body).toContainEqual(
      expect.objectContaining({ siteId: world.siteId, pattern: '*10' }),
    )
    expect((await make(world.ann.viewer, 'AN')).body.data).toHaveProperty('name')
    expect((await make(world.ann.viewer, 'AN-NA')).body.data).toHaveProperty('name')
    await db.updateTable('sites').set({ coupon_pattern: '' }).execute()
    expect((await make(world.ann.viewer, 'Annie')).body.data).toEqual({
      siteId: ['does not let agents make codes'],
    })
  })

  test('is one of five for a site', async () => {
    for (const name of ['Aaa', 'Bbb', 'Ccc', 'Ddd', 'Eee'])
      expect((await make(world.ann.viewer, name)).status).toBe(200)
    expect((await make(world.ann.viewer, 'Fff')).status).toBe(409)
    expect((await make(world.ben.viewer, 'Fff')).status).toBe(200)
  })

  test('which codes others have is told ten times an hour', async () => {
    expect((await create('BEN10', world.ben.agentId)).status).toBe(200)
    const taken = { name: ['makes Ben10, which is taken or looks too similar to another'] }
    for (let tries = 0; tries < 10; tries++) {
      const { status, body } = await make(world.ann.viewer, 'Ben')
      expect([tries, status, body.data ?? body]).toEqual([tries, 422, taken])
    }
    expect((await make(world.ann.viewer, 'Ben')).status).toBe(429)
    expect((await make(world.ann.viewer, 'Annie')).status).toBe(429)
    expect((await make(world.carl.viewer, 'Carl')).status).toBe(200)
    clock.advance(3_600_000)
    expect((await make(world.ann.viewer, 'Annie')).status).toBe(200)
  })

  test('also if they are tried at once, on one site or several', async () => {
    const first = world
    const second = await newWorld()
    for (const { siteId, ben } of [first, second]) await create('BEN10', ben.agentId, { siteId })
    const tries = Array.from({ length: 30 }, (_, index) =>
      make(first.ann.viewer, 'Ben', { siteId: index % 2 ? second.siteId : first.siteId }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('is none that another agent had: staff pass that on', async () => {
    const { id } = (await create('Ben10', world.ben.agentId)).body
    await end(id)
    clock.advance(86_400_000)
    for (const name of ['Ben', 'BEN'])
      expect((await make(world.ann.viewer, name)).body.data).toHaveProperty('name')
    // Whoever had it makes it again.
    expect((await make(world.ben.viewer, 'BEN')).status).toBe(200)
    const [, again] = await listed(world.ben.viewer, { sortField: 'starts' })
    await end(again?.id ?? 0)
    expect((await create('BEN10', world.ann.agentId)).status).toBe(200)
  })

  test('is for a site that they see', async () => {
    const none = { siteId: ['does not let agents make codes'] }
    const foreign = await buildSite(db, { coupon_pattern: '*10', soldBy: [] })
    expect((await make(world.ann.viewer, 'Anna', { siteId: foreign })).body.data).toEqual(none)
    await db.updateTable('sites').set({ hidden: true }).where('id', '=', world.siteId).execute()
    expect((await make(world.ann.viewer, 'Anna')).body.data).toEqual(none)
  })

  test('is ended by them, and by nobody else of their office; they may make it again', async () => {
    const endOwn = (who: Viewer, id: number) =>
      call(who, couponsEndpoints.endOwnCoupon, { params: { id } })
    const { id } = (await make(world.ann.viewer, 'Anna')).body
    expect((await endOwn(world.ben.viewer, id)).status).toBe(404)
    expect((await endOwn(world.office, id)).status).toBe(403)
    expect((await listed(world.ann.viewer))[0]).toMatchObject({ madeByAgent: true, endedAt: null })
    expect((await endOwn(world.ann.viewer, id)).status).toBe(200)
    const again = await endOwn(world.ann.viewer, id)
    expect([again.status, again.body.message]).toEqual([409, 'This code has ended already.'])
    expect((await listed(world.ann.viewer))[0]).toMatchObject({
      state: 'ended',
      endedAt: expect.any(String),
    })
    expect((await make(world.ben.viewer, 'Anna')).status).toBe(422)
    expect((await make(world.ann.viewer, 'Anna')).status).toBe(200)
  })

  test('is not one that the network gave: they can’t end that', async () => {
    const { id } = (await create('ANNA10', world.ann.agentId)).body
    expect((await listed(world.ann.viewer))[0]).toMatchObject({ madeByAgent: false })
    const { status, body } = await call(world.ann.viewer, couponsEndpoints.endOwnCoupon, {
      params: { id },
    })
    expect([status, body.message]).toEqual([
      409,
      'The network gave you this code. Ask it to end the code.',
    ])
  })

  test('is one of 50 for a site, however many of them have ended', async () => {
    for (let number = 0; number < 50; number++)
      await buildCoupon(db, {
        site_id: world.siteId,
        agent_id: world.ann.agentId,
        made_by: world.ann.viewer.accountId,
        code: `OLD-${number}-X`,
        ends_at: clock.peek(),
      })
    clock.advance(1_000)
    const { status, body } = await make(world.ann.viewer, 'Anna')
    expect([status, body.message]).toEqual([
      409,
      'You have made 50 codes for this site, with those that have ended. Ask the network for another.',
    ])
    expect((await make(world.ben.viewer, 'Benny')).status).toBe(200)
  })
})

describe('a code of an agent who was deleted', () => {
  beforeEach(async () => {
    await create('Ann10', world.ann.agentId)
    await inTransaction(db, (tx) => freeCodes(tx, world.ann.agentId))
    expect(await codes(superadmin)).toEqual([])
  })

  test('is given to another by staff who say that they know', async () => {
    for (const code of ['ANN10', 'ann-1o']) {
      const { status, body } = await create(code, world.ben.agentId)
      expect([status, body.message]).toEqual([
        409,
        expect.stringMatching(/was that of an agent who has been deleted/),
      ])
    }
    const { id } = (await create('ANN10', world.ben.agentId, { passOn: true })).body
    await end(id)
    // Whoever had it since has nothing to be told.
    expect((await create('ANN10', world.ben.agentId)).status).toBe(200)
    expect((await create('OTHER10', world.carl.agentId)).status).toBe(200)
  })

  test('is none that another agent can make, and is forgotten with its name', async () => {
    expect((await make(world.ben.viewer, 'Ann')).body.data).toEqual({
      name: ['makes Ann10, which is taken or looks too similar to another'],
    })
    const kept = await db.selectFrom('freed_codes').selectAll().execute()
    expect(JSON.stringify(kept)).not.toMatch(/ann/i)
    const other = await newWorld()
    expect((await make(other.ann.viewer, 'Ann', { siteId: other.siteId })).status).toBe(200)
  })
})
