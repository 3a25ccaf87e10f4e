import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { beforeEach, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildClosedMonth,
  buildOwed,
  buildPay,
  buildPerson,
  seenOf,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { payRoutes } from '../pay.routes.ts'
import { findSettledStates } from '../statements/states.ts'
import { findPaymentDifferences } from '../evidence/differences.queries.ts'
import { findFileDifferences } from '../evidence/verify-decisions.queries.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])
const runs = paymentRunsEndpoints

let [ann, bob] = [viewer(), viewer()]
/** Each is owed ₱2,000.00. */
let [manila, cebu, davao] = [0, 0, 0]

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  await buildPay(db)
  services.clock.set('2026-03-01T15:00:00Z')
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  const owed = async (name: string) => buildOwed(db, await buildOffice(db, { name }))
  ;[manila, cebu, davao] = [await owed('Manila'), await owed('Cebu'), await owed('Davao')]
})

const office = (id: number) => ({ kind: 'office' as const, id })
type Chosen = {
  only?: readonly ReturnType<typeof office>[]
  parts?: readonly (ReturnType<typeof office> & { amount: number; reason: string })[]
}
const all = { period: null, currency: 'PHP' as const, templateId: 1 }
const prepare = (chosen: Chosen) =>
  call(ann, runs.preparePaymentRun, { body: { ...all, ...chosen } })
const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body
const approve = async (id: number, by = bob) =>
  call(by, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
const pay = async (id: number, approver = bob) => {
  await approve(id, approver)
  for (const { name } of (await get(id)).files)
    await call(bob, runs.takePaymentFile, { params: { id }, body: { name } })
  const body = { allPaid: true as const }
  return call(ann, paymentResultsEndpoints.enterPaymentResults, { params: { id }, body })
}
const balanceOf = async (id: number) =>
  (await call(ann, balancesEndpoints.balance, { params: office(id) })).body
const differences = async () => [
  ...(await findPaymentDifferences(db, { limit: 10 })),
  ...(await findFileDifferences(db, { after: 0, limit: 10 })),
]
const advance = { amount: 500_00, reason: 'Their new bank has a limit' }

test('a run pays only those who were chosen, and says who was not', async () => {
  const { id } = (await prepare({ only: [office(manila), office(cebu)] })).body
  expect(await get(id)).toMatchObject({
    amount: 4_000_00,
    lines: [
      { payee: { name: 'Manila' }, partOf: null },
      { payee: { name: 'Cebu' }, partOf: null },
    ],
    leftOut: [
      {
        name: 'Davao',
        balance: 2_000_00,
        cause: 'not chosen',
        why: 'It can be paid by another run.',
      },
    ],
  })
  await pay(id)
  expect((await prepare({})).status).toBe(200)
  expect(await get(id + 1)).toMatchObject({ lines: [{ payee: { name: 'Davao' } }] })
  expect(await differences()).toEqual([])
})

test('a part is paid, and the next run pays the rest', async () => {
  await buildClosedMonth(db, cebu)
  const { id: statementId } = await db
    .selectFrom('statements')
    .select('id')
    .where('payee_id', '=', cebu)
    .where('number', 'not like', 'T-%')
    .executeTakeFirstOrThrow()
  const state = async () =>
    (await findSettledStates(db, [statementId], services.clock.now())).get(statementId)?.state
  const parts = [{ ...office(cebu), ...advance }]
  const { body: candidates } = await call(ann, runs.paymentRunCandidates, {
    body: { ...all, parts },
  })
  expect(candidates.paid).toMatchObject([
    { name: 'Manila', amount: 2_000_00, balance: 2_000_00 },
    { name: 'Cebu', amount: 500_00, parts: [500_00], balance: 2_000_00 },
    { name: 'Davao' },
  ])
  const { id } = (await prepare({ only: [office(cebu)], parts })).body
  expect((await get(id)).lines).toMatchObject([
    { amount: 500_00, partOf: { balance: 2_000_00, reason: advance.reason } },
  ])
  expect(await state()).toBe('running')
  await pay(id)
  expect(await state()).toBeUndefined()
  const { balances, entries } = await balanceOf(cebu)
  expect(balances).toMatchObject([{ balance: 1_500_00 }])
  expect(entries[0]).toMatchObject({
    kind: 'payment',
    amount: -500_00,
    payment: { state: 'paid', isPart: true },
  })

  services.clock.advance(60_000)
  const next = (await prepare({ only: [office(cebu)] })).body.id
  const rest = await get(next)
  expect(rest.lines).toMatchObject([{ amount: 1_500_00, partOf: null }])
  // It was paid to this account before.
  expect(rest.toApprove.news.map(({ title }: { title: string }) => title)).not.toContain(
    'First payment',
  )
  await pay(next)
  expect(await state()).toBe('paid')
  expect((await balanceOf(cebu)).balances).toMatchObject([{ balance: 0 }])
  expect(await differences()).toEqual([])
})

test('who had a hand in a balance can’t approve the rest of it after a part was paid', async () => {
  const hold = { payee_kind: 'office', payee_id: cebu, reason: 'x' }
  await db
    .insertInto('pay_holds')
    .values(
      [true, false].map((held, hours) => ({
        ...hold,
        held,
        set_at: new Date(Date.UTC(2026, 1, 25, hours)),
        set_by: bob.accountId,
        set_by_name: 'bob',
      })),
    )
    .execute()
  const cem = await buildPerson(db, 'cem')
  const { id } = (await prepare({ only: [office(cebu)], parts: [{ ...office(cebu), ...advance }] }))
    .body
  expect((await approve(id)).status).toBe(403)
  expect((await pay(id, cem)).status).toBe(200)
  services.clock.advance(60_000)
  const next = (await prepare({ only: [office(cebu)] })).body.id
  expect((await get(next)).whyYouCannotApprove).toContain('changed the hold of Cebu')
})

test('taking a payee out is no hand in the others', async () => {
  const { id } = (await prepare({})).body
  const [line] = (await get(id)).lines
  await call(bob, runs.removePaymentRunLine, {
    params: { id },
    body: { lineId: line.id, reason: 'not now' },
  })
  expect((await get(id)).whyYouCannotApprove).toBeNull()
  expect((await approve(id)).body).toMatchObject({ approved: 2 })
})

test.each<[string, () => Chosen, RegExp]>([
  [
    'all of a balance',
    () => ({ parts: [{ ...office(cebu), ...advance, amount: 2_000_00 }] }),
    /of Cebu must be less than its balance, ₱2,000\.00/,
  ],
  ['nothing', () => ({ parts: [{ ...office(cebu), ...advance, amount: 0 }] }), /parts/],
  ['no reason', () => ({ parts: [{ ...office(cebu), amount: 1, reason: ' ' }] }), /reason/],
  [
    'one payee twice',
    () => ({ parts: [advance, advance].map((one) => ({ ...office(cebu), ...one })) }),
    /each payee once/,
  ],
  ['nobody', () => ({ only: [] }), /only/],
  ['a payee who is owed nothing', () => ({ only: [office(999_999)] }), /can’t be paid/],
  [
    'a part for somebody who was not chosen',
    () => ({ only: [office(manila)], parts: [{ ...office(cebu), ...advance }] }),
    /has a part of Cebu, who is not chosen/,
  ],
])('%s is refused, and nothing is prepared', async (_, chosen, said) => {
  const { status, body } = await prepare(chosen())
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toMatch(said)
  expect(await db.selectFrom('payment_runs').selectAll().execute()).toEqual([])
})

test('a payee on hold who was chosen is refused by name, with the reason', async () => {
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'office',
      payee_id: davao,
      held: true,
      reason: 'Fraud under review',
      set_at: new Date('2026-02-25'),
      set_by: ann.accountId,
      set_by_name: 'ann',
    })
    .execute()
  const { body } = await prepare({ only: [office(davao)] })
  expect(JSON.stringify(body)).toContain('names Davao, who can’t be paid: Fraud under review')
})
