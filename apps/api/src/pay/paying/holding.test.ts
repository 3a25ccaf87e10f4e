import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import type { StatementItem } from '@tallyroom/contract/pay/statements/statements'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildPerson,
  genericLayout,
  resultFileOf,
} from '../../../test/payment-world.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { undone } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findOwnPay } from '../balances/own-pay.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyFigures } from '../verify/verify-figures.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'
import { seenNow } from './review.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...paymentRunsRoutes(services),
  ...payRoutes(services),
  ...payProposalsRoutes(services),
])
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

let world: Awaited<ReturnType<typeof buildPayWorld>>
let bob: Viewer
let templateId = 0

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  bob = await buildPerson(db, `bob-${crypto.randomUUID()}`)
})

/** Manila and Cebu, with accounts. A sale pays ₱300.00. */
async function start(holdingDays: number, minimumCentavos = 0) {
  world = await buildPayWorld(services, { avp: 'information', holdingDays, minimumCentavos })
  await buildAccountInForce(db, world.offices.manila)
  await buildAccountInForce(db, world.offices.cebu, { number: '5550001111' })
  const body = { name: crypto.randomUUID(), layout: genericLayout }
  templateId = (await call(world.who, payFilesEndpoints.createPayFileTemplate, { body })).body.id
}

let sold = 0
const sell = async (day: string, sales = 1) => {
  for (let at = 0; at < sales; at++) await world.sell(`s${++sold}`, 'maria', day, { plain: true })
  return `s${sold}`
}
const at = (day: string, time = '15:00') => services.clock.set(`${day}T${time}:00Z`)
const all = () => ({ period: null, currency: 'PHP', templateId })
const candidates = async (more: object = {}) =>
  (
    await call(world.who, paymentRunsEndpoints.paymentRunCandidates, {
      body: { ...all(), ...more },
    })
  ).body
const paid = async () =>
  (await candidates()).paid.map(({ amount, later }: { amount: number; later: unknown }) => [
    amount,
    later,
  ])
const manilaBalance = async () => {
  const params = { kind: 'office', id: world.offices.manila } as const
  return (await call(world.who, balancesEndpoints.balance, { params })).body.balances[0]
}
const statements = async (): Promise<StatementItem[]> =>
  (await call(world.who, statementsEndpoints.statements)).body.items
const states = async () =>
  Object.fromEntries((await statements()).map(({ period, state }) => [period.name, state]))

/** Prepares a run, and approves it as somebody else. */
async function approved(who = bob): Promise<{ id: number; references: string[] }> {
  const { id } = (await call(world.who, paymentRunsEndpoints.preparePaymentRun, { body: all() }))
    .body
  const answer = await call(who, paymentRunsEndpoints.approvePaymentRun, {
    params: { id },
    body: await seenNow(services, id),
  })
  expect(answer).toMatchObject({ status: 200, body: { refused: [] } })
  const run = (await call(who, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  for (const { name } of run.files)
    await call(who, paymentRunsEndpoints.takePaymentFile, { params: { id }, body: { name } })
  return { id, references: run.lines.map((line: { reference: string }) => line.reference) }
}

async function readFile(id: number, lines: readonly string[], returnedOn?: string) {
  const answer = await call(bob, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body: { ...resultFileOf(lines), ...(returnedOn !== undefined && { returnedOn }) },
  })
  expect(answer).toMatchObject({ status: 200 })
}

/** The same, with the money at its payee. */
async function pay() {
  const { id, references } = await approved()
  await readFile(
    id,
    references.map((reference) => `${reference},OK,`),
  )
  return { id, references }
}

test('a period is held until the New York day that many days after its end', async () => {
  await start(15)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  const later = [{ amount: 300_00, from: '2026-03-02' }]
  at('2026-03-02', '04:59')
  expect(await candidates()).toMatchObject({
    paid: [],
    leftOut: [
      { cause: 'not free yet', balance: 300_00, why: 'It is paid later: ₱300.00 from 2 Mar.' },
    ],
  })
  expect(await manilaBalance()).toMatchObject({ state: 'later', left: 0, later })
  expect(
    (await call(world.who, paymentRunsEndpoints.preparePaymentRun, { body: all() })).status,
  ).toBe(409)
  at('2026-03-02', '05:00')
  expect(await paid()).toEqual([[300_00, []]])
  expect(await manilaBalance()).toMatchObject({ state: 'payable', left: 300_00, later: [] })
})

test('a holding time that is longer than a period pays each period on its day', async () => {
  await start(20)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  expect((await manilaBalance()).later).toEqual([
    { amount: 300_00, from: '2026-03-07' },
    { amount: 600_00, from: '2026-03-20' },
  ])
  expect(await states()).toEqual({ '2026-02-A': 'later', '2026-02-B': 'later' })
  at('2026-03-08')
  expect(await paid()).toEqual([[300_00, [{ amount: 600_00, from: '2026-03-20' }]]])
  await pay()
  expect(await states()).toEqual({ '2026-02-A': 'paid', '2026-02-B': 'later' })
  expect(await paid()).toEqual([])
  at('2026-03-20')
  expect(await states()).toEqual({ '2026-02-A': 'paid', '2026-02-B': 'due' })
  await pay()
  expect(await states()).toEqual({ '2026-02-A': 'paid', '2026-02-B': 'paid' })
  expect(await manilaBalance()).toMatchObject({ balance: 0, later: [] })
})

test('what nobody paid on its day is paid with the next period', async () => {
  await start(20)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  at('2026-03-21')
  expect(await states()).toEqual({ '2026-02-A': 'carried', '2026-02-B': 'due' })
  expect((await statements()).map(({ carriedInto }) => carriedInto)).toEqual([null, '2026-02-B'])
  expect(await paid()).toEqual([[900_00, []]])
})

test('another holding time acts from the next period on', async () => {
  await start(0)
  at('2026-02-10')
  const { now } = (await call(world.who, paySettingsEndpoints.paySettings)).body
  const { payees, periodLength, avp, minimumCentavos, minimumCents } = now
  const form = { payees, periodLength, avp, minimumCentavos, minimumCents }
  const save = (body: object) =>
    call(world.who, paySettingsEndpoints.savePaySettings, { body: { ...form, ...body } })
  expect(await save({ holdingDays: 91 })).toMatchObject({ status: 422 })
  expect(await save({ holdingDays: 30 })).toMatchObject({ status: 200 })
  // It stays as it is if nobody says otherwise.
  expect(await save({})).toMatchObject({ status: 200 })
  await sell('2026-02-03')
  await sell('2026-02-20', 2)
  await world.close('2026-02-A', '2026-02-16')
  await world.close('2026-02-B', '2026-03-01')
  expect(await paid()).toEqual([[300_00, [{ amount: 600_00, from: '2026-03-30' }]]])
  at('2026-03-02')
  expect(await save({ holdingDays: 0 })).toMatchObject({ status: 200 })
  at('2026-03-29')
  expect((await manilaBalance()).later).toEqual([{ amount: 600_00, from: '2026-03-30' }])
})

test('a negative statement is never held, and takes from what is free first', async () => {
  await start(20)
  await sell('2026-02-03', 2)
  const taken = await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  await world.reverse(taken, '2026-03-02')
  await world.close('2026-03-A', '2026-03-16')
  // ₱900.00, which is free, and ₱600.00, which is not, less ₱300.00.
  expect(await manilaBalance()).toMatchObject({ balance: 1_200_00, left: 600_00 })
  expect(await paid()).toEqual([[600_00, [{ amount: 600_00, from: '2026-03-20' }]]])
  expect(await states()).toMatchObject({ '2026-02-B': 'later', '2026-03-A': 'due' })
})

test('a negative statement takes from what is held if nothing is free', async () => {
  await start(30)
  await sell('2026-02-03', 2)
  const taken = await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await world.reverse(taken, '2026-02-20')
  await world.close('2026-02-B', '2026-03-01')
  expect(await manilaBalance()).toMatchObject({
    balance: 600_00,
    left: 0,
    later: [{ amount: 600_00, from: '2026-03-17' }],
  })
  expect(await paid()).toEqual([])
})

test('a transfer that comes back is free at once, while the next period is held', async () => {
  await start(20)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  at('2026-03-08')
  const { id, references } = await pay()
  at('2026-03-10')
  await readFile(id, [`${references[0]},NO,Account closed`], '2026-03-10')
  expect(await states()).toEqual({ '2026-02-A': 'returned', '2026-02-B': 'later' })
  expect(await paid()).toEqual([[300_00, [{ amount: 600_00, from: '2026-03-20' }]]])
})

test('less than the minimum is not paid early, and a part is of what is free', async () => {
  await start(20, 500_00)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  at('2026-03-08')
  expect((await candidates()).leftOut).toMatchObject([
    {
      cause: 'not free yet',
      why: 'Only ₱300.00 is free, which is less than the minimum. Later: ₱600.00 from 20 Mar.',
    },
  ])
  const manila = { kind: 'office', id: world.offices.manila }
  await call(world.who, balancesEndpoints.setPayMinimum, {
    params: manila,
    body: { currency: 'PHP', amount: 0 },
  })
  const part = (amount: number) => ({ parts: [{ ...manila, amount, reason: 'A part' }] })
  expect((await candidates(part(299_99))).paid).toMatchObject([{ amount: 299_99 }])
  expect((await candidates(part(300_00))).data).toEqual({
    parts: ['The part of Manila must be less than what is free of its balance, ₱300.00'],
  })
})

test('a payment outside payment runs takes only what is free; more is an advance', async () => {
  await start(20)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  at('2026-03-08')
  const cash = (amount: number, instalments?: number) =>
    call(world.who, balancesEndpoints.payOutside, {
      body: {
        kind: 'office',
        id: world.offices.manila,
        currency: 'PHP',
        amount,
        way: 'cash',
        paidOn: '2026-03-08',
        voucher: crypto.randomUUID(),
        reason: 'x',
        ...(instalments !== undefined && { instalments }),
      },
    })
  expect(await cash(300_01)).toMatchObject({
    status: 422,
    body: {
      data: {
        amount: [
          'is more than the ₱300.00 of the balance that no payment run pays. Later: ₱600.00 from 20 Mar',
        ],
      },
    },
  })
  expect((await cash(400_00, 2)).status).toBe(200)
  expect((await call(world.who, payProposalsEndpoints.payProposals)).body).toMatchObject([
    { outdated: null },
  ])
  await approveWaiting(services)
  expect(await manilaBalance()).toMatchObject({
    balance: 600_00,
    left: 0,
    later: [{ amount: 600_00, from: '2026-03-20' }],
  })
  expect(await findings()).toEqual([])
})

test('checks before closing say what will be held, as preparing does', async () => {
  await start(15)
  await sell('2026-02-03')
  at('2026-02-16')
  const { notPaid } = (
    await call(world.who, payEndpoints.payChecks, { params: { name: '2026-02-A' } })
  ).body
  await world.close('2026-02-A', '2026-02-16')
  const { leftOut } = await candidates()
  expect(notPaid).toEqual(leftOut.map((one: object) => ({ ...one, currency: 'PHP' })))
  expect(leftOut).toMatchObject([{ cause: 'not free yet' }])
})

test('a balance that shrinks between preparing and approval is not filled up with what is held', async () => {
  await start(20)
  await sell('2026-02-03', 2)
  const taken = await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-20', 2)
  await world.close('2026-02-B', '2026-03-01')
  await world.reverse(taken, '2026-03-02')
  at('2026-03-10')
  const { id } = (await call(world.who, paymentRunsEndpoints.preparePaymentRun, { body: all() }))
    .body
  await world.close('2026-03-A', '2026-03-16')
  const { toApprove } = (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  expect(toApprove.refused).toMatchObject([
    {
      why: 'Only ₱600.00 of its balance is free now. Later: ₱600.00 from 20 Mar.',
    },
  ])
})

test('an adjustment on a held statement is new to whoever approves its payment, and bars its author', async () => {
  await start(20)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  const ann = await buildPerson(db, `ann-${crypto.randomUUID()}`)
  await call(ann, balancesEndpoints.createAdjustment, {
    body: {
      kind: 'office',
      id: world.offices.manila,
      currency: 'PHP',
      amount: 50_00,
      reason: 'A bonus',
    },
  })
  await world.close('2026-02-B', '2026-03-01')
  const prepare = async () =>
    (await call(world.who, paymentRunsEndpoints.preparePaymentRun, { body: all() })).body.id
  const run = async (id: number) =>
    (await call(ann, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  const newsOf = (kind: string, { toApprove }: { toApprove: { news: { kind: string }[] } }) =>
    toApprove.news.filter((one) => one.kind === kind)
  at('2026-03-08')
  const first = await run(await prepare())
  expect(newsOf('adjustment', first)).toEqual([])
  expect(first.whyYouCannotApprove).toBeNull()
  await call(bob, paymentRunsEndpoints.cancelPaymentRun, {
    params: { id: first.id },
    body: { reason: 'x' },
  })
  await pay()
  at('2026-03-20')
  const second = await run(await prepare())
  expect(newsOf('adjustment', second)).toMatchObject([{ title: 'Adjustment: ₱50.00' }])
  expect(second.whyYouCannotApprove).toMatch('adjust')
})

const showPayouts = () =>
  db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()

test('the payee reads when money comes', async () => {
  await start(15)
  await sell('2026-02-03')
  const scope = { sees: 'office', officeId: world.offices.manila } as Parameters<
    typeof findOwnPay
  >[1]['scope']
  const next = async (today: string) =>
    (await findOwnPay(db, { scope, today, now: services.clock.now() }))?.next
  at('2026-02-10')
  const later = [{ amount: 300_00, from: '2026-03-02' }]
  expect(await next('2026-02-10')).toMatchObject({ step: 'earning', amount: 300_00, later })
  await world.close('2026-02-A', '2026-02-16')
  expect(await next('2026-02-16')).toMatchObject({
    step: 'closed',
    amount: 300_00,
    later,
    blocked: 'later',
  })
  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  await showPayouts()
  const [item] = (await call(office, statementsEndpoints.statements)).body.items
  expect(item).toMatchObject({ state: 'later', paidFrom: '2026-03-02' })
  const { content } = (
    await call(office, statementsEndpoints.statement, { params: { id: item.id } })
  ).body
  expect(content).toMatchObject({ due: 300_00, paidFrom: '2026-03-02' })
})

const findings = () => inTransaction(db, async (tx) => (await verifyFigures(tx, 10)).findings)

test('a run that paid what was held, and a statement with another day, are named', async () => {
  await start(15)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  at('2026-03-02')
  await approved()
  expect(await findings()).toEqual([])
  const found = await undone(owner, async (tx) => {
    await sql`update statements set paid_from = '2026-03-03'`.execute(tx)
    return (await verifyFigures(tx, 10)).findings
  })
  expect(found).toEqual([
    'Statement 2026-02-A-0001 is paid from another day than it says.',
    `R-2026-0001 paid office ${world.offices.manila} what was still held.`,
    'The settlements of statement 2026-02-A-0001 say something else than its payments.',
  ])
})
