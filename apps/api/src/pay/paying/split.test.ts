import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { DAY_MS } from '@tallyroom/domain/acts'
import { randomInt } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildBalance,
  buildClosedMonth,
  buildOwed,
  buildPay,
  genericLayout,
  resultFileOf,
  seenOf,
  buildPerson,
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

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES])
  await buildPay(db)
  services.clock.set('2026-03-01T15:00:00Z')
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
})

const splitting: PayFileLayout['channels'] = [
  { name: 'Banks', takes: 'bank', currency: 'PHP', over: null, upTo: null },
  { name: 'E-wallets', takes: 'wallet', currency: 'PHP', over: null, upTo: 50_000_00, split: true },
]
const add = (channels: PayFileLayout['channels']) =>
  call(ann, payFilesEndpoints.createPayFileTemplate, {
    body: { name: `Split ${randomInt(2 ** 40)}`, layout: { ...genericLayout, channels } },
  })
const template = async (): Promise<number> => (await add(splitting)).body.id
/** Makati is owed ₱100,806.00 on an e-wallet. */
const makati = async (amount = 100_806_00) =>
  buildOwed(db, await buildOffice(db, { name: 'Makati' }), {
    amount,
    channel: 'wallet',
    number: '09171234567',
  })
const asked = (templateId: number) => ({
  body: { period: null, currency: 'PHP' as const, templateId },
})
const prepare = async (templateId: number): Promise<number> =>
  (await call(ann, runs.preparePaymentRun, asked(templateId))).body.id
const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body
const approve = async (id: number) =>
  call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
const take = (id: number, name: string) =>
  call(bob, runs.takePaymentFile, { params: { id }, body: { name } })
/** The middle one of three transfers fails, by the bank's file. */
const middleFails = (id: number) =>
  call(ann, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body: resultFileOf([`P1R${id}N1,OK,`, `P1R${id}N2,NO,Limit of the day`, `P1R${id}N3,OK,`]),
  })
const balanceOf = async (officeId: number) =>
  (await call(ann, balancesEndpoints.balance, { params: { kind: 'office', id: officeId } })).body
/** What `pay verify` says of runs. */
const differences = async () => [
  ...(await findPaymentDifferences(db, { limit: 10 })),
  ...(await findFileDifferences(db, { after: 0, limit: 10 })),
]

test('what is above a channel’s limit is paid to one payee by several transfers', async () => {
  const officeId = await makati()
  const templateId = await template()
  const candidates = (await call(ann, runs.paymentRunCandidates, asked(templateId))).body
  const parts = [50_000_00, 50_000_00, 806_00]
  expect(candidates).toMatchObject({
    paid: [{ name: 'Makati', amount: 100_806_00, parts, channel: 'E-wallets' }],
    leftOut: [],
  })
  const id = await prepare(templateId)
  const run = await get(id)
  expect(run).toMatchObject({ payees: 1, amount: 100_806_00, files: [{ lines: 3 }] })
  expect(
    run.lines.map(({ amount, part, reference }: (typeof run.lines)[0]) => [
      amount,
      part,
      reference,
    ]),
  ).toEqual(parts.map((amount, index) => [amount, index + 1, `P1R${id}N${index + 1}`]))
  // One payee, so one item of each kind: the sum is not three unusual ones.
  expect(run.toApprove.news.map(({ title }: { title: string }) => title)).toEqual([
    expect.stringContaining('First run with the template'),
    'First payment',
  ])
  await approve(id)
  expect(String((await take(id, run.files[0].name)).body)).toBe(
    'Reference,Amount,Account number,Account name\r\n' +
      `P1R${id}N1,50000.00,09171234567,Maria Santos\r\n` +
      `P1R${id}N2,50000.00,09171234567,Maria Santos\r\n` +
      `P1R${id}N3,806.00,09171234567,Maria Santos\r\n`,
  )
  expect((await balanceOf(officeId)).entries.slice(0, 3)).toMatchObject([
    { kind: 'payment', amount: -806_00, payment: { part: 3, state: 'sent' } },
    { kind: 'payment', amount: -50_000_00, payment: { part: 2 } },
    { kind: 'payment', amount: -50_000_00, balance: 50_806_00, payment: { part: 1 } },
  ])
  expect(await differences()).toEqual([])
})

test('of several transfers, one that fails goes back alone, and the next run pays it under a new reference', async () => {
  const officeId = await makati()
  await buildClosedMonth(db, officeId)
  const { id: statementId } = await db
    .selectFrom('statements')
    .select('id')
    .where('payee_id', '=', officeId)
    .where('number', 'not like', 'T-%')
    .executeTakeFirstOrThrow()
  const state = async () =>
    (await findSettledStates(db, [statementId], services.clock.now())).get(statementId)
  const templateId = await template()
  const id = await prepare(templateId)
  await approve(id)
  await take(id, (await get(id)).files[0].name)
  const by = {
    run: 'R-2026-0001',
    executionDay: '2026-03-01',
    institution: 'GXCHPHM2',
    lastCharacters: '4567',
    bankReferences: [],
  }
  expect(await state()).toMatchObject({ state: 'running', isSent: true, paidInPart: false, by })
  services.clock.advance(60_000)
  expect((await middleFails(id)).status).toBe(200)
  const run = await get(id)
  expect(run).toMatchObject({ state: 'finished', paid: 2, failed: 1 })
  expect(run.lines.map((line: { state: string }) => line.state)).toEqual(['paid', 'failed', 'paid'])
  expect((await balanceOf(officeId)).balances).toMatchObject([{ balance: 50_000_00 }])
  expect(await state()).toMatchObject({ state: 'failed', paidInPart: true, paidOn: null })

  services.clock.advance(60_000)
  const next = await prepare(templateId)
  const again = await get(next)
  expect(again.lines).toMatchObject([
    { amount: 50_000_00, part: null, reference: `P1R${next}N1`, state: 'prepared' },
  ])
  const news = again.toApprove.news.map(({ title, text }: { title: string; text: string }) => [
    title,
    text,
  ])
  expect(news).toContainEqual(['Failed before: ₱50,000.00', expect.stringContaining(`P1R${id}N2`)])
  expect(await state()).toMatchObject({ state: 'running' })
  await approve(next)
  await take(next, again.files[0].name)
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params: { id: next },
    body: { allPaid: true },
  })
  expect(await state()).toMatchObject({ state: 'paid', paidInPart: false })
  expect((await balanceOf(officeId)).balances).toMatchObject([{ balance: 0 }])

  // A week later, another of the three comes back, which the next run did not pay.
  services.clock.advance(7 * DAY_MS)
  await call(ann, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body: resultFileOf([`P1R${id}N1,NO,Account dormant`]),
  })
  expect(await state()).toMatchObject({ state: 'returned', paidInPart: true })
  expect((await balanceOf(officeId)).balances).toMatchObject([{ balance: 50_000_00 }])
  services.clock.advance(60_000)
  const last = await prepare(templateId)
  await approve(last)
  await take(last, (await get(last)).files[0].name)
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params: { id: last },
    body: { allPaid: true },
  })
  expect(await state()).toMatchObject({ state: 'paid', paidInPart: false })
  expect(await differences()).toEqual([])
})

test('the amount of a payment is that of all its transfers', async () => {
  const officeId = await makati()
  const templateId = await template()
  const id = await prepare(templateId)
  await approve(id)
  await take(id, (await get(id)).files[0].name)
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params: { id },
    body: { allPaid: true },
  })
  // As much as last time, which is more than twice any of its transfers. Then more than twice as much.
  for (const [added, titles] of [
    [100_806_00, []],
    [199_194_00, ['₱300,000.00, more than twice the usual']],
  ] as const) {
    services.clock.advance(60_000)
    await buildBalance(db, officeId, { amount: added })
    const next = await prepare(templateId)
    const { toApprove } = await get(next)
    expect(toApprove.news.map(({ title }: { title: string }) => title)).toEqual(titles)
    await call(ann, runs.cancelPaymentRun, { params: { id: next }, body: { reason: 'A test' } })
  }
})

test('taking out one transfer takes out all of its payee', async () => {
  await makati()
  await buildOwed(db, await buildOffice(db, { name: 'Cebu' }))
  const id = await prepare(await template())
  const lineOf = async (name: string) =>
    (await get(id)).lines.find(
      (line: { payee: { name: string }; state: string }) =>
        line.payee.name === name && line.state === 'prepared',
    ).id
  const remove = async (lineId: number) =>
    call(ann, runs.removePaymentRunLine, { params: { id }, body: { lineId, reason: 'Not yet' } })
  const cebu = await lineOf('Cebu')
  expect((await remove(await lineOf('Makati'))).status).toBe(200)
  expect(await get(id)).toMatchObject({ payees: 1, amount: 2_000_00 })
  expect((await remove(cebu)).body.message).toMatch('This run pays nobody else')
})

test('a balance that has shrunk refuses all transfers of its payee, and names it once', async () => {
  const officeId = await makati()
  await buildOwed(db, await buildOffice(db, { name: 'Cebu' }))
  const id = await prepare(await template())
  await buildBalance(db, officeId, { amount: -1 })
  const why = 'Its balance is only ₱100,805.99 now.'
  expect((await get(id)).toApprove.refused).toMatchObject([{ name: 'Makati', why }])
  expect((await approve(id)).body).toEqual({ approved: 1, refused: [{ name: 'Makati', why }] })
  expect(await get(id)).toMatchObject({ payees: 1, amount: 2_000_00 })
})

test('a payee on hold stops the files of all its transfers, and is named once', async () => {
  const officeId = await makati()
  const id = await prepare(await template())
  await approve(id)
  await call(ann, balancesEndpoints.setPayHold, {
    params: { kind: 'office', id: officeId },
    body: { held: true, reason: 'Stolen phone', told: '' },
  })
  const { stopped } = (await get(id)).files[0]
  expect(stopped.match(/Makati/g)).toHaveLength(1)
})

test('a channel that splits needs a limit above its least', async () => {
  for (const [over, upTo] of [
    [null, null],
    [50_000_00, 50_000_00],
    [null, 0],
  ] as const) {
    const refused = await add([{ ...splitting[1]!, over, upTo }])
    expect(refused.body.data).toEqual({
      'layout.channels.0.split': [
        'needs a limit: the most that one transfer may be, above its least',
      ],
    })
  }
})

test('a new installation splits transfers to e-wallets with Batch transfer', async () => {
  await makati()
  const { id } = await db
    .selectFrom('pay_file_templates')
    .select('id')
    .where('name', '=', 'Batch transfer')
    .executeTakeFirstOrThrow()
  const { paid } = (await call(ann, runs.paymentRunCandidates, asked(id))).body
  expect(paid).toMatchObject([{ parts: [50_000_00, 50_000_00, 806_00] }])
})
