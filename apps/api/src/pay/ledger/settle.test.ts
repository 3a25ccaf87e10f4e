import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPerson, seenOf } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { expectFilled, expectSettledStates } from '../../../test/settled-states.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import { beginSeals } from '../../seals/index.ts'
import { payRoutes } from '../pay.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { fillSettlements } from './fill-settlements.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
])
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

/** Manila is owed ₱300.00 for February’s first half. */
beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await buildAccountInForce(db, world.offices.manila)
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
})

const office = () => ({ kind: 'office' as const, id: world.offices.manila })
const prepare = async (more: object = {}) => {
  services.clock.advance(60_000)
  return (
    await call(ann, paymentRunsEndpoints.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1, ...more },
    })
  ).body.id
}
const part = (amount: number) => ({
  only: [office()],
  parts: [{ ...office(), amount, reason: 'Their bank has a limit' }],
})
const get = async (id: number) =>
  (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
const approve = async (id: number) =>
  call(bob, paymentRunsEndpoints.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
/** Approves a run, and takes its files. */
const send = async (id: number) => {
  expect((await approve(id)).body).toEqual({ approved: 1, refused: [] })
  for (const { name } of (await get(id)).files)
    await call(bob, paymentRunsEndpoints.takePaymentFile, { params: { id }, body: { name } })
}
const columns = {
  reference: 'Ref',
  status: 'Status',
  paid: ['Paid'],
  failed: ['Rejected'],
  pending: [],
  amount: null,
  reason: 'Reason',
  bankReference: null,
}
/** What the bank says in a file of its own. */
const bankSays = async (id: number, result: 'Paid' | 'Rejected') => {
  services.clock.advance(60_000)
  const [line] = (await get(id)).lines
  const rows = `Ref,Status,Reason\n${line.reference},${result},Account closed\n`
  const { status } = await call(ann, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body: { file: Buffer.from(rows).toString('base64'), columns, take: true },
  })
  expect(status).toBe(200)
}
const payOutside = async (amount: number) => {
  services.clock.advance(60_000)
  const { proposalId } = (
    await call(ann, balancesEndpoints.payOutside, {
      body: {
        ...office(),
        currency: 'PHP',
        amount,
        way: 'cash',
        paidOn: '2026-02-15',
        voucher: '118',
        reason: 'They came by',
      },
    })
  ).body
  const { status } = await call(bob, payProposalsEndpoints.approvePayProposal, {
    params: { id: proposalId },
  })
  expect(status).toBe(200)
}
const stored = () =>
  db.selectFrom('settlements').select(['kind', 'amount', 'closes']).orderBy('id').execute()
const states = async () =>
  Object.fromEntries(
    (await call(bob, statementsEndpoints.statements)).body.items.map(
      ({ number, state }: { number: string; state: string }) => [number, state],
    ),
  )
const expectSound = async () => {
  await expectSettledStates(db, services.clock.now())
  expect((await verifyPay(db)).findings).toEqual([])
}

test('a part that fails after the rest was paid outside is owed again, and the next statement carries it', async () => {
  const id = await prepare(part(120_00))
  await send(id)
  await payOutside(180_00)
  await bankSays(id, 'Rejected')
  expect(await stored()).toEqual([
    { kind: 'payment', amount: 120_00, closes: false },
    { kind: 'outside', amount: 180_00, closes: true },
    { kind: 'failed', amount: -120_00, closes: false },
  ])
  // A part pays no statement, so what it gives back leaves the statement paid.
  expect(await states()).toEqual({ '2026-02-A-0001': 'paid' })
  await expectSound()
  await world.sell('b', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  expect((await stored()).slice(3)).toEqual([{ kind: 'carried', amount: 120_00, closes: true }])
  expect(await states()).toEqual({ '2026-02-A-0001': 'paid', '2026-02-B-0001': 'due' })
  await expectSound()
  const rest = await prepare()
  expect((await get(rest)).lines).toMatchObject([{ amount: 420_00 }])
  await send(rest)
  await bankSays(rest, 'Paid')
  expect((await stored()).slice(4)).toEqual([{ kind: 'payment', amount: 420_00, closes: true }])
  expect(await states()).toEqual({ '2026-02-A-0001': 'paid', '2026-02-B-0001': 'paid' })
  await expectSound()
  await expectFilled(db, connection, services.clock.now())
})

test('a part at the bank that fails once the next statement was paid outside waits for the one after that', async () => {
  const id = await prepare(part(120_00))
  await send(id)
  await world.sell('b', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  await payOutside(480_00)
  await bankSays(id, 'Rejected')
  expect(await stored()).toEqual([
    { kind: 'payment', amount: 120_00, closes: false },
    { kind: 'carried', amount: 180_00, closes: true },
    { kind: 'outside', amount: 480_00, closes: true },
    { kind: 'failed', amount: -120_00, closes: false },
  ])
  expect(await states()).toEqual({ '2026-02-A-0001': 'carried', '2026-02-B-0001': 'paid' })
  await expectSound()
  await world.sell('c', 'maria', '2026-03-03', { plain: true })
  await world.close('2026-03-A', '2026-03-17')
  expect((await stored()).slice(4)).toEqual([{ kind: 'carried', amount: 120_00, closes: true }])
  await expectSound()
  await expectFilled(db, connection, services.clock.now())
})

describe('while a process of an older version still runs', () => {
  /** Leaves out what was stored since, as a process does that knows no settlements. */
  const asOlder = async (act: () => Promise<unknown>, kept = 0) => {
    await act()
    const rows = await db.selectFrom('settlements').selectAll().orderBy('id').limit(kept).execute()
    await emptyTables(connection, ['settlements', 'pay_seals'])
    if (rows.length > 0) await db.insertInto('settlements').values(rows).execute()
    await beginSeals({ db: owner.db })
  }
  const payment = { kind: 'payment', amount: 300_00, closes: true }

  test('a run that it prepared is shown, verified, approved and paid, and what it pays is stored by then', async () => {
    let id = 0
    await asOlder(async () => {
      id = await prepare()
    })
    expect(await stored()).toEqual([])
    expect(await states()).toEqual({ '2026-02-A-0001': 'running' })
    await expectSound()
    await send(id)
    await bankSays(id, 'Paid')
    expect(await stored()).toEqual([payment])
    expect(await states()).toEqual({ '2026-02-A-0001': 'paid' })
    await expectSound()
  })

  test('what it says that failed is paid by the next run', async () => {
    const id = await prepare()
    await send(id)
    await asOlder(() => bankSays(id, 'Rejected'), 1)
    expect(await states()).toEqual({ '2026-02-A-0001': 'failed' })
    await expectSound()
    await prepare()
    expect(await stored()).toEqual([
      payment,
      { kind: 'failed', amount: -300_00, closes: true },
      payment,
    ])
    await expectSound()
  })

  test('a run that it cancelled pays nothing, and what it paid outside is stored by the next start', async () => {
    const id = await prepare()
    await asOlder(async () => {
      await call(ann, paymentRunsEndpoints.cancelPaymentRun, {
        params: { id },
        body: { reason: 'Too early' },
      })
      await payOutside(300_00)
    }, 1)
    expect(await states()).toEqual({ '2026-02-A-0001': 'paid' })
    await expectSound()
    await fillSettlements({ db: owner.db })
    const all = [
      payment,
      { kind: 'cancelled', amount: -300_00, closes: true },
      { kind: 'outside', amount: 300_00, closes: true },
    ]
    expect(await stored()).toEqual(all)
    await expectSound()
    await fillSettlements({ db: owner.db })
    expect(await stored()).toEqual(all)
  })

  test('a line that it did not write is refused, although its settlement would be stored', async () => {
    let id = 0
    await asOlder(async () => {
      id = await prepare()
    })
    await execute(connection, `update payment_run_lines set amount = 20000 where run_id = ${id}`)
    await fillSettlements({ db: owner.db })
    expect(await stored()).toEqual([{ ...payment, amount: 200_00 }])
    expect((await approve(id)).status).toBe(409)
    expect((await verifyPay(db)).findings.join('\n')).toMatch(/payment run line/i)
  })

  test('a settlement that is gone is not stored again as if nothing had been', async () => {
    const id = await prepare()
    await execute(connection, 'delete from settlements')
    expect((await approve(id)).status).toBe(409)
    await fillSettlements({ db: owner.db })
    expect(await stored()).toEqual([payment])
    expect((await approve(id)).status).toBe(409)
    expect((await verifyPay(db)).findings.join('\n')).toMatch(/settlement/i)
  })
})
