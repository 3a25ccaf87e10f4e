import {
  type RateLine,
  type StatementContent,
  statementContentSchema,
} from '@tallyroom/contract/pay/statements/statement'
import { statementSections } from '@tallyroom/contract/pay/statements/statement-sections'
import { rateBackdatingEndpoints as endpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { estimatesFor } from '../balances/own-pay.ts'
import { previewOf } from '../closing/periods.ts'
import { getStatementLine } from '../statements/statement-line.ts'
import { getStatement } from '../statements/statements.ts'
import { execute } from '../../../test/test-server.ts'
import type { Viewer } from '../../access/viewer.ts'
import { verifyWorld } from '../../../test/verify-world.ts'
import { rateBackdatingRoutes } from './rate-backdating.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(rateBackdatingRoutes(services))
const superadmin = viewer()

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options']))

test('differences of a closed period are late lines of the next closing, and undone by the one after', async () => {
  const { sell, close, types } = await buildPayWorld(services, { avp: 'instead' })
  await sell('plain', 'maria', '2026-02-05', { plain: true }) // at ₱300.00, although the rate has been ₱500.00 since
  await sell('avp', 'maria', '2026-02-04')
  await close('2026-02-A', '2026-02-16')
  const rate = { companyId: null, from: '2026-02-01', payout: 350 }
  const { preview, done } = await backdate({ ...rate, typeId: types.plainType })
  expect(preview).toMatchObject({
    sales: 1,
    byTier: 0,
    payout: 50,
    paid: 50,
    periods: [{ name: '2026-02-A', start: '2026-02-01', end: '2026-02-15', sales: 1, payout: 50 }],
  })
  const tiered = await backdate({ ...rate, typeId: types.avpType, payout: 520 })
  const byTier = { sales: 1, byTier: 1, payout: 20, paid: 0 }
  expect(tiered.preview).toMatchObject({
    ...byTier,
    avpSales: 1,
    periods: [byTier],
    offices: [byTier],
    agents: [byTier],
  })
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
  expect(preview).toMatchObject({ sales: 1, avpSales: 1, byTier: 0, payout: 20, paid: 20 })
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
  const seenBy = async (who = superadmin) => (await getStatement(services, who, id)).content
  expect((await seenBy()).late).toMatchObject(late)
  expect(await seenBy(admin)).toMatchObject({ late: [], lines: [{ sales: 1 }], amount })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a difference says why and of which day, in preview, estimate, statement and its bookings; what was written for staff stays with them', async () => {
  const { sell, close, types, offices, agents } = await buildPayWorld(services, { avp: 'instead' })
  await db
    .insertInto('options')
    .values(PAYOUTS_SHOWN)
    .onConflict((on) => on.doNothing())
    .execute()
  await sell('a', 'maria', '2026-02-05', { plain: true })
  await sell('b', 'maria', '2026-02-07', { plain: true })
  await close('2026-02-A', '2026-02-16')
  const rate = { companyId: null, typeId: types.plainType }
  // Both add ₱50.00 to one sale, so they are one line.
  await backdate({ ...rate, from: '2026-02-06', payout: 350 }, 'Agreed late')
  await backdate(
    { ...rate, from: '2026-02-01', payout: 350, replaceLater: true },
    'For all of them',
  )
  const office = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const agent = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  const told = [
    { reason: 'Agreed late', differences: 1, start: '2026-02-07', end: '2026-02-07' },
    { reason: 'For all of them', differences: 1, start: '2026-02-05', end: '2026-02-05' },
  ]
  const reasonsIn = ({ late }: StatementContent) =>
    late.flatMap(({ lines }) => lines.flatMap(({ backdatings = [] }) => backdatings))
  const payee = { kind: 'office', id: offices.manila } as const
  clock.set('2026-03-02T12:00:00Z')
  const preview = await previewOf(services, superadmin, '2026-02-B', payee)
  expect(sorted(reasonsIn(preview))).toEqual(told)
  for (const who of [office, agent]) {
    const [estimate] = await estimatesFor(services, who, '2026-02-B')
    expect(sorted(reasonsIn(estimate!.content))).toEqual(told)
  }
  await close('2026-02-B', '2026-03-02')
  const { id } = await contentOf('2026-02-B-0001')
  const seenBy = async (who: Viewer) =>
    sorted(reasonsIn((await getStatement(services, who, id)).content))
  for (const who of [superadmin, office, agent]) expect(await seenBy(who)).toEqual(told)

  // As before statements said it.
  await execute(
    connection,
    `update rate_backdatings set payees_read = false where reason = 'Agreed late'`,
  )
  expect(await seenBy(superadmin)).toEqual(told)
  const hidden = told.map((one) => (one.reason === 'Agreed late' ? { ...one, reason: null } : one))
  for (const who of [office, agent]) expect(await seenBy(who)).toEqual(sorted(hidden))
  const [row] = statementSections((await getStatement(services, office, id)).content)[0]!.rows
  const opened = async (who: Viewer) => {
    const query = { key: row!.key, page: 1, pageSize: 25 }
    const { events } = await getStatementLine(db, who, id, query)
    return events.map(({ day, reason }) => [day, reason])
  }
  expect(await opened(superadmin)).toEqual([
    ['2026-02-07', 'Agreed late'],
    ['2026-02-05', 'For all of them'],
  ])
  expect(await opened(office)).toEqual([
    ['2026-02-07', null],
    ['2026-02-05', 'For all of them'],
  ])
})

const PAYOUTS_SHOWN = { name: 'payout_visible', value: '1', changed_at: new Date(0) }

const sorted = (backdatings: NonNullable<RateLine['backdatings']>) =>
  backdatings.toSorted((one, other) => (one.start < other.start ? 1 : -1))

async function contentOf(number: string) {
  const { id, content } = await db
    .selectFrom('statements')
    .select(['id', 'content'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return { id, ...statementContentSchema.parse(JSON.parse(content.toString())) }
}

/** The request to backdate a rate, confirming what its preview says. */
async function backdate(rate: object, reason = 'Agreed') {
  const preview = await call(superadmin, endpoints.previewBackdating, { body: rate })
  const body = { ...rate, reason, version: preview.body.version, requestId: randomUUID() }
  const done = await call(superadmin, endpoints.backdateRate, { body })
  expect(done.status).toBe(200)
  return { preview: preview.body, done: done.body }
}
const undo = (id: number) =>
  call(superadmin, endpoints.undoBackdating, { params: { id }, body: { reason: 'By mistake' } })
