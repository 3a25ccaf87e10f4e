import { statementContentSchema } from '@tallyroom/contract/pay/statement'
import { rateBackdatingEndpoints as endpoints } from '@tallyroom/contract/pay/backdating'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { getStatement } from '../periods/statements.ts'
import { verifyWorld } from '../../../test/verify-world.ts'
import { rateBackdatingRoutes } from './rate-backdating.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(rateBackdatingRoutes(services))
const superadmin = viewer()

beforeEach(() => emptyTables(database.connection, PAY_TABLES))

test('differences of a closed period are late lines of the next closing, and undone by the one after', async () => {
  const { sell, close, types } = await buildPayWorld(services, { avp: 'instead' })
  await sell('plain', 'maria', '2026-02-05', { plain: true }) // at ₱300.00, although the rate has been ₱500.00 since
  await sell('avp', 'maria', '2026-02-04')
  await close('2026-02-A', '2026-02-16')
  const rate = { companyId: null, from: '2026-02-01', payout: 350 }
  const { preview, done } = await backdate({ ...rate, typeId: types.plainType })
  expect(preview).toMatchObject({
    sales: 1,
    payout: 50,
    periods: [{ name: '2026-02-A', start: '2026-02-01', end: '2026-02-15', sales: 1, payout: 50 }],
  })
  const tiered = await backdate({ ...rate, typeId: types.avpType, payout: 520 })
  expect(tiered.preview).toMatchObject({ sales: 1, avpSales: 1, payout: 20 })
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    lines: [],
    late: [
      {
        name: '2026-02-A',
        lines: [
          { differences: 1, sales: 0, tierWeek: '2026-02-02', rateCentavos: 20_00, centavos: 0 },
          { differences: 1, sales: 0, tierWeek: null, rateCentavos: 50_00, centavos: 50_00 },
        ],
      },
    ],
    tiers: [],
    amount: 50_00,
  })
  await undo(done.id)
  await close('2026-03-A', '2026-03-16')
  expect(await contentOf('2026-03-A-0001')).toMatchObject({
    late: [
      { name: '2026-02-A', lines: [{ differences: 1, rateCentavos: -50_00, centavos: -50_00 }] },
    ],
    amount: -50_00,
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('the difference of an AVP sale from before pay was switched on is paid by rate, and so is its reversal', async () => {
  const { sell, close, types } = await buildPayWorld(services, { avp: 'instead' })
  await sell('old', 'maria', '2026-01-30') // on the AVP site, at ₱500.00
  clock.set('2026-02-05T17:00:00Z')
  const rate = { typeId: types.avpType, companyId: null, from: '2026-01-29', payout: 520 }
  const { preview } = await backdate(rate)
  expect(preview).toMatchObject({ sales: 1, avpSales: 1, payout: 20 })
  await close('2026-02-A', '2026-02-16')
  const { late, amount } = await contentOf('2026-02-A-0001')
  expect(late.flatMap(({ lines }) => lines)).toMatchObject([
    { differences: 1, tierWeek: null, settledOutside: true, rateCentavos: 20_00, centavos: 20_00 },
  ])
  expect(amount).toBe(20_00)
})

test('differences in earnings alone are no lines for viewers who may not see earnings', async () => {
  const { sell, close, types } = await buildPayWorld(services, { avp: 'instead' })
  await sell('plain', 'maria', '2026-02-05', { plain: true })
  await close('2026-02-A', '2026-02-16')
  const rate = { typeId: types.plainType, companyId: null, from: '2026-02-01', payout: 300 }
  const { preview } = await backdate({ ...rate, earning: 7 })
  expect(preview).toMatchObject({ sales: 1, payout: 0 })
  await sell('later', 'maria', '2026-02-20', { plain: true })
  await close('2026-02-B', '2026-03-02')
  const { id, amount, late } = await contentOf('2026-02-B-0001')
  expect(late).toMatchObject([{ lines: [{ differences: 1, rateCentavos: 0 }] }])
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  const seenBy = async (who = superadmin) => (await getStatement(db, who, id)).content
  expect((await seenBy()).late).toEqual(late)
  expect(await seenBy(admin)).toMatchObject({ late: [], lines: [{ sales: 1 }], amount })
  expect((await verifyWorld(db)).findings).toEqual([])
})

async function contentOf(number: string) {
  const { id, content } = await db
    .selectFrom('statements')
    .select(['id', 'content'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return { id, ...statementContentSchema.parse(JSON.parse(content.toString())) }
}

/** The request to backdate a rate, confirming what its preview says. */
async function backdate(rate: object) {
  const preview = await call(superadmin, endpoints.previewBackdating, { body: rate })
  const body = { ...rate, reason: 'Agreed', version: preview.body.version, requestId: randomUUID() }
  const done = await call(superadmin, endpoints.backdateRate, { body })
  expect(done.status).toBe(200)
  return { preview: preview.body, done: done.body }
}
const undo = (id: number) =>
  call(superadmin, endpoints.undoBackdating, { params: { id }, body: { reason: 'By mistake' } })
