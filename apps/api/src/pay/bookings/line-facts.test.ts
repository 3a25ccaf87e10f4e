import { statementContentSchema } from '@tallyroom/contract/pay/statements/statement'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { verifyWorld } from '../../../test/verify-world.ts'
import { changeSites } from '../../catalogue/sites/former-flags.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { canonicalBytes } from '../statements/canonical.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { previewOf } from '../closing/periods.ts'
import { getStatement } from '../statements/statements.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(paymentRunsRoutes(services))

beforeEach(() => emptyTables(connection, PAY_TABLES))

type World = Awaited<ReturnType<typeof buildPayWorld>>

/** Switches approve-sale of the site Gamma. */
const switchApproveSale =
  ({ who, sites }: Pick<World, 'who' | 'sites'>) =>
  (value: boolean, at: string) =>
    inTransaction(db, async (tx) => {
      const change = { at: new Date(at), by: who }
      const site = tx.selectFrom('sites').selectAll().where('id', '=', sites.gamma)
      await changeSites(tx, await site.execute(), change, async () => {
        await tx
          .updateTable('sites')
          .set({ use_approve_sale: value })
          .where('id', '=', sites.gamma)
          .execute()
      })
    })

test('a period’s export names events as their site did when the sale was made', async () => {
  const world = await buildPayWorld(services, { avp: 'instead' })
  const { sell, reverse, close } = world
  const useApproveSale = switchApproveSale(world)
  const day2 = { plain: true as const, event_type: 1 }
  await sell('plain', 'maria', '2026-02-03', { plain: true })
  await sell('bonus', 'maria', '2026-02-03', day2)
  await useApproveSale(true, '2026-02-04T12:00:00Z')
  await sell('approval', 'maria', '2026-02-05', { plain: true })
  await sell('sale', 'maria', '2026-02-06', day2)
  await reverse('plain', '2026-02-07')
  await useApproveSale(false, '2026-02-08T12:00:00Z')
  await reverse('approval', '2026-02-09')
  await reverse('sale', '2026-02-09')
  await close('2026-02-A', '2026-02-16')
  const events = (await exportPeriod(db, '2026-02-A')).filter(({ entry }) => entry === 'event')
  expect(events.map((one) => `${one.day} ${one.event_type} ${one.quantity}`).toSorted()).toEqual([
    '2026-02-03 bonus 1',
    '2026-02-03 sale 1',
    '2026-02-05 approval 1',
    '2026-02-06 sale 1',
    '2026-02-07 sale -1',
    '2026-02-09 approval -1',
    '2026-02-09 sale -1',
  ])
})

test('a line says whether its site used approve-sale at the end of its days, before and after closing', async () => {
  const world = await buildPayWorld(services, { avp: 'instead' })
  const { sell, close, who, offices } = world
  const useApproveSale = switchApproveSale(world)
  const storedOf = async (number: string) => {
    const { id, content } = await db
      .selectFrom('statements')
      .select(['id', 'content'])
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    return { id, content }
  }
  const read = async (number: string) =>
    (await getStatement(services, who, (await storedOf(number)).id)).content
  await useApproveSale(true, '2026-02-15T12:00:00Z')
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('b', 'maria', '2026-02-04')
  services.clock.set('2026-02-16T12:00:00Z')
  const preview = await previewOf(services, who, '2026-02-A', {
    kind: 'office',
    id: offices.manila,
  })
  const lines = [{ siteName: 'Alpha' }, { siteName: 'Gamma', useApproveSale: true }]
  expect(preview.lines).toMatchObject(lines)
  expect(preview.lines[0]).not.toHaveProperty('useApproveSale')
  await close('2026-02-A', '2026-02-16')
  await useApproveSale(false, '2026-02-20T12:00:00Z')
  await sell('c', 'maria', '2026-02-18', { plain: true })
  const late = { plain: true as const, recorded_at: new Date('2026-02-18T17:00:00Z') }
  await sell('d', 'maria', '2026-02-05', late)
  await close('2026-02-B', '2026-03-02')

  expect((await read('2026-02-A-0001')).lines).toEqual(preview.lines)
  const second = await read('2026-02-B-0001')
  expect(second.lines[0]).not.toHaveProperty('useApproveSale')
  expect(second.late).toMatchObject([{ lines: [{ siteName: 'Gamma', useApproveSale: true }] }])
  // Nothing of it is stored.
  const { content } = await storedOf('2026-02-A-0001')
  expect(content.toString()).not.toContain('useApproveSale')
  const parsed = statementContentSchema.parse(JSON.parse(content.toString()))
  expect(canonicalBytes(parsed).equals(content)).toBe(true)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a statement names what of its balance before is in a run that waited for approval', async () => {
  const { sell, close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  await buildAccountInForce(db, offices.manila, { currency: 'PHP' })
  const bob = await buildPerson(db, 'bob')
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-20T15:00:00Z')
  const body = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = (await call(bob, paymentRunsEndpoints.preparePaymentRun, { body })).body
  await sell('b', 'maria', '2026-02-21', { plain: true })
  await close('2026-02-B', '2026-03-02')
  const read = async (number: string) => {
    const row = await db
      .selectFrom('statements')
      .select('id')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    return getStatement(services, who, row.id)
  }
  const { number } = (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  expect((await read('2026-02-A-0001')).carriedInRuns).toEqual([])
  expect(await read('2026-02-B-0001')).toMatchObject({
    carried: 300_00,
    due: 600_00,
    carriedInRuns: [{ run: number, amount: 300_00 }],
  })
  const cancelled = { params: { id }, body: { reason: 'Not yet' } }
  expect((await call(bob, paymentRunsEndpoints.cancelPaymentRun, cancelled)).status).toBe(200)
  expect((await read('2026-02-B-0001')).carriedInRuns).toEqual([])
})
