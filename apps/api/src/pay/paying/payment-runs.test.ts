import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type LeftOut, paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { createTestDatabase, emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildBalance,
  buildClosedMonth,
  buildOwed,
  buildPay,
  buildWaitingAccount,
  seenOf,
  genericLayout,
  buildPerson,
} from '../../../test/payment-world.ts'
import { until } from '../../../test/until.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { about } from '../../../test/test-clock.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { inTransaction } from '../../db/transaction.ts'
import { silentLog } from '../../lib/log/log.ts'
import { payRoutes } from '../pay.routes.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'
import { takeFile } from './take-file.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])
const {
  preparePaymentRun,
  paymentRunCandidates,
  paymentRun,
  approvePaymentRun,
  cancelPaymentRun,
  removePaymentRunLine,
  takePaymentFile,
} = paymentRunsEndpoints
const { enterPaymentResults, readResultFile } = paymentResultsEndpoints
const { createPayFileTemplate, deletePayFileTemplate, payFileTemplates } = payFilesEndpoints

const ann = await buildPerson(db, 'ann')
const bob = await buildPerson(db, 'bob')

beforeEach(async () => {
  await emptyTables(database.connection, [
    'pay_proposal_decisions',
    'pay_proposals',
    'settled_refusals',
    'payment_refusals',
    'payment_returns',
    'payment_results',
    'payment_run_steps',
    'payment_file_downloads',
    'payment_run_files',
    'settlements',
    'payment_run_lines',
    'payment_runs',
    'balance_entries',
    'payee_account_shares',
    'payee_account_decisions',
    'payee_accounts',
    'pay_holds',
    'pay_minimums',
    'pay_settings',
    'pay_state',
  ])
  await buildPay(db)
})

const all = { period: null, currency: 'PHP', templateId: 1 } as const
const owed = async (name: string, values: Parameters<typeof buildOwed>[2] = {}) =>
  buildOwed(db, await officeNamed(name), values)
const officeNamed = async (name: string) =>
  (await db.selectFrom('offices').select('id').where('name', '=', name).executeTakeFirst())?.id ??
  buildOffice(db, { name })

const prepare = async (who = ann, asked: object = all): Promise<number> =>
  (await call(who, preparePaymentRun, { body: asked })).body.id
const get = async (id: number, who = bob) => (await call(who, paymentRun, { params: { id } })).body
/** With everything seen, but for the amount. */
const approve = async (id: number, amount: number, who = bob) =>
  call(who, approvePaymentRun, { params: { id }, body: { ...(await seenOf(db, id)), amount } })
const balanceOf = async (officeId: number) =>
  (
    await sql<{ sum: number }>`
      select coalesce(sum(amount), 0)::bigint as sum from balance_entries where payee_id = ${officeId}
    `.execute(db)
  ).rows[0]?.sum
/** A run of these offices whose files were taken. */
async function sent(...names: string[]): Promise<{ id: number; references: string[] }> {
  for (const name of names) await owed(name)
  const id = await prepare()
  await approve(id, names.length * 2_000_00)
  const run = await get(id)
  await call(bob, takePaymentFile, { params: { id }, body: { name: run.files[0].name } })
  return { id, references: run.lines.map(({ reference }: { reference: string }) => reference) }
}
const results = (id: number, lines: object[]) =>
  call(ann, enterPaymentResults, { params: { id }, body: { lines } })

test('a run pays the balances that can be paid, and says why it leaves others out', async () => {
  const paid = await owed('Paid')
  const held = await owed('Held')
  const small = await owed('Small', { amount: 99_99 })
  const negative = await owed('Negative', { amount: -1 })
  const bare = await buildBalance(db, await officeNamed('Bare'))
  const changed = await owed('Changed')
  await buildWaitingAccount(db, changed, { number: '999999' })
  const dollars = await buildBalance(db, await officeNamed('Dollars'))
  await buildAccountInForce(db, dollars, { currency: 'USD' })
  const set = { set_at: services.clock.now(), set_by: 1 }
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'office',
      payee_id: held,
      held: true,
      reason: 'Fraud under review',
      set_by_name: 'ann',
      ...set,
    })
    .execute()
  await db
    .insertInto('pay_settings')
    .values({
      from_day: '2026-01-01',
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'instead',
      minimum_centavos: 100_00,
      minimum_cents: 0,
      ...set,
    })
    .execute()

  const shown = (await call(ann, paymentRunCandidates, { body: all })).body
  expect(shown.paid).toMatchObject([
    { id: paid, name: 'Paid', amount: 2_000_00, lastCharacters: '7890', channel: 'Pesos' },
  ])
  const why = Object.fromEntries(
    shown.leftOut.map((one: { id: number; cause: string; why: string }) => [
      one.id,
      [one.cause, one.why],
    ]),
  )
  expect(why).toEqual({
    [held]: ['on hold', 'Fraud under review'],
    [small]: ['below minimum', 'Less than ₱100.00 is carried to the next period.'],
    [negative]: ['negative', 'It owes the network. The next statement carries the balance.'],
    [bare]: ['no confirmed account', 'It has no confirmed account yet.'],
    [changed]: ['on hold', 'Its new payment account is waiting for confirmation.'],
    [dollars]: ['no confirmed account', 'Its account takes only USD.'],
  })
  const run = await get(await prepare())
  expect(run).toMatchObject({ state: 'prepared', amount: 2_000_00, number: 'R-2026-0001' })
  expect(run.leftOut).toEqual(shown.leftOut)
  expect((await call(ann, paymentRunCandidates, { body: all })).body.leftOut).toContainEqual(
    expect.objectContaining({ id: paid, cause: 'in another run' }),
  )
})

test('a run for a closed period pays everybody who has a statement of it', async () => {
  const manila = await owed('Manila')
  await owed('Cebu')
  const period = await buildClosedMonth(db, manila)
  const run = await get(await prepare(ann, { ...all, period }))
  expect(run).toMatchObject({ period, lines: [{ payee: { name: 'Manila' } }], leftOut: [] })
  expect(await call(ann, preparePaymentRun, { body: { ...all, period: '1999-01' } })).toMatchObject(
    { status: 422, body: { data: { period: ['is not a closed period'] } } },
  )
})

test('a payee’s own minimum counts for runs in its currency only, and what reaches it is paid', async () => {
  const manila = await owed('Manila')
  const own = { payee_kind: 'office', payee_id: manila, set_at: new Date(0), set_by: ann.accountId }
  const setMinimum = (currency: string, amount: number) =>
    db
      .insertInto('pay_minimums')
      .values({ ...own, currency, amount })
      .execute()
  const candidates = async () => (await call(ann, paymentRunCandidates, { body: all })).body
  await setMinimum('USD', 2_000_01)
  await setMinimum('PHP', 2_000_00)
  expect(await candidates()).toMatchObject({ paid: [{ name: 'Manila' }], leftOut: [] })
  await setMinimum('PHP', 2_000_01)
  expect(await candidates()).toMatchObject({ paid: [], leftOut: [{ name: 'Manila' }] })
})

test('of two people who prepare at once, one gets the balance', async () => {
  await owed('Manila')
  const answers = await Promise.all(
    [ann, bob, ann, bob].map((who) => call(who, preparePaymentRun, { body: all })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409,
  ])
  await expect(
    sql`
      insert into payment_run_lines
        (run_id, payee_kind, payee_id, payee_name, currency, amount, account_id, reference)
      select run_id, payee_kind, payee_id, payee_name, currency, amount, account_id, 'another'
      from payment_run_lines
    `.execute(db),
  ).rejects.toThrow('payment_run_lines__open')
})

test('a run that has waited for another act is prepared after it', async () => {
  await owed('Manila')
  const { prepared, at } = await inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const waiting = prepare()
    await until(async () => {
      const { rows } = await sql`
        select from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
      `.execute(tx)
      return rows.length > 0
    })
    // oxlint-disable-next-line tallyroom/one-instant -- that the other's instant is later is the point
    services.clock.advance(60_000)
    return { prepared: waiting, at: tx.now }
  })
  const run = await get(await prepared)
  expect(new Date(run.preparedAt).getTime()).toBeGreaterThan(at.getTime())
})

test('nobody approves a run that they prepared, or for which they confirmed an account', async () => {
  const cat = await buildPerson(db, 'cat')
  await owed('Manila')
  await owed('Cebu', { by: bob.accountId })
  const id = await prepare()
  expect(await approve(id, 4_000_00, ann)).toMatchObject({
    status: 403,
    body: { message: 'You prepared this run. Somebody else must approve it.' },
  })
  expect(await approve(id, 4_000_00, bob)).toMatchObject({
    status: 403,
    body: {
      message:
        'You confirmed the account of Cebu since the last payment to it. Somebody else must approve it.',
    },
  })
  // Neither another name, nor another session, nor an account without the right makes somebody else of them.
  for (const who of [
    { ...ann, username: 'anna', sessionId: 'another' },
    { ...ann, accountId: 9_999_999 },
  ])
    expect((await approve(id, 4_000_00, who)).status).toBe(403)
  const run = await get(id, bob)
  expect(run.approvers).toEqual([
    { name: 'ann', whyNot: 'prepared this run', from: null },
    {
      name: 'bob',
      whyNot: 'confirmed the account of Cebu since the last payment to it',
      from: null,
    },
    { name: 'cat', whyNot: null, from: null },
  ])
  expect(run.whyYouCannotApprove).toContain('confirmed the account of Cebu')
  const dan = await buildPerson(db, 'dan')
  await call(dan, removePaymentRunLine, {
    params: { id },
    body: { lineId: run.lines[0].id, reason: 'not yet' },
  })
  // The amount that was on the screen before the line was taken out.
  expect((await approve(id, 4_000_00, cat)).status).toBe(409)
  expect((await approve(id, 2_000_00, cat)).status).toBe(200)
  expect((await approve(id, 2_000_00, cat)).status).toBe(409)
  await db
    .updateTable('accounts')
    .set({ suspended: true })
    .where('username', 'in', ['cat', 'dan'])
    .execute()
})

test('whoever confirmed an account may approve again once it was paid', async () => {
  const manila = await owed('Manila', { by: bob.accountId })
  const first = await prepare()
  const cat = await buildPerson(db, 'cara')
  await approve(first, 2_000_00, cat)
  const { files } = await get(first)
  await call(ann, takePaymentFile, { params: { id: first }, body: { name: files[0].name } })
  await call(ann, enterPaymentResults, { params: { id: first }, body: { allPaid: true } })
  await buildBalance(db, manila)
  expect((await approve(await prepare(), 2_000_00, bob)).status).toBe(200)
  await db.updateTable('accounts').set({ suspended: true }).where('username', '=', 'cara').execute()
})

test('approving checks hold, account and balance again, line by line', async () => {
  const [good, held, moved, less] = [
    await owed('Good'),
    await owed('Held'),
    await owed('Moved'),
    await owed('Less'),
  ]
  const id = await prepare()
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'office',
      payee_id: held,
      held: true,
      reason: 'Fraud',
      set_at: services.clock.now(),
      set_by: 1,
      set_by_name: 'ann',
    })
    .execute()
  await buildAccountInForce(db, moved, { number: '777777' })
  await buildBalance(db, less, { amount: -500_00 })
  await buildBalance(db, good, { amount: 700_00 })
  expect(await approve(id, 2_000_00)).toMatchObject({
    status: 200,
    body: {
      approved: 1,
      refused: [
        { name: 'Held', why: 'On hold: Fraud' },
        { name: 'Moved', why: 'Its payment account has changed.' },
        { name: 'Less', why: 'Its balance is only ₱1,500.00 now.' },
      ],
    },
  })
  // What was prepared is paid, and what came later stays.
  expect(await balanceOf(good)).toBe(700_00)
  expect(await balanceOf(held)).toBe(2_000_00)
  expect(await get(id)).toMatchObject({ state: 'approved', amount: 2_000_00 })
})

test('a new account is paid from its day on, when a run is prepared and when it is approved', async () => {
  const fresh = await owed('Fresh', { paidFrom: '2026-03-04' })
  const good = await owed('Good')
  const candidates = async () => (await call(ann, paymentRunCandidates, { body: all })).body
  onTestFinished(() => services.clock.set('2026-03-01T15:00:00Z'))
  services.clock.set('2026-03-04T04:59:59Z')
  expect(await candidates()).toMatchObject({
    paid: [{ id: good }],
    leftOut: [
      {
        id: fresh,
        cause: 'new account',
        why: 'Its payment account is new and is paid from 4 Mar.',
      },
    ],
  })
  services.clock.set('2026-03-04T05:00:00Z')
  expect((await candidates()).paid).toHaveLength(2)
  const id = await prepare()
  // Another clock, or one that was put back, moves nothing forward.
  services.clock.set('2026-03-01T15:00:00Z')
  expect((await approve(id, 2_000_00)).body).toEqual({
    approved: 1,
    refused: [{ name: 'Fresh', why: 'Its payment account is new and is paid from 4 Mar.' }],
  })
})

test('a changed account keeps the payee from being paid to the old one meanwhile', async () => {
  const office = await owed('Changed')
  await buildAccountInForce(db, office, { number: '777777', paidFrom: '2026-03-04' })
  expect((await call(ann, paymentRunCandidates, { body: all })).body).toMatchObject({
    paid: [],
    leftOut: [{ id: office, cause: 'new account' }],
  })
})

test('a cancelled run releases its balances, until its files were downloaded', async () => {
  const manila = await owed('Manila')
  const id = await prepare()
  await approve(id, 2_000_00)
  expect(await balanceOf(manila)).toBe(0)
  const cancel = (which: number) =>
    call(ann, cancelPaymentRun, { params: { id: which }, body: { reason: 'Wrong bank' } })
  expect((await cancel(id)).status).toBe(200)
  expect(await balanceOf(manila)).toBe(2_000_00)
  expect((await cancel(id)).status).toBe(409)
  expect(await balanceOf(manila)).toBe(2_000_00)

  const again = await prepare()
  await approve(again, 2_000_00)
  const run = await get(again)
  expect(run.lines[0].reference).not.toBe((await get(id)).lines[0].reference)
  await call(ann, takePaymentFile, { params: { id: again }, body: { name: run.files[0].name } })
  expect(await cancel(again)).toMatchObject({ status: 409 })
  expect(await balanceOf(manila)).toBe(0)
})

test('steps at the same moment come one after the other: no money leaves twice, or is owed twice', async () => {
  const [manila, cebu] = [await owed('Manila'), await owed('Cebu')]
  const cancel = (id: number) =>
    call(ann, cancelPaymentRun, { params: { id }, body: { reason: 'Wrong bank' } })
  const take = (id: number, name: string) =>
    call(bob, takePaymentFile, { params: { id }, body: { name } })
  const statuses = (answers: { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((x, y) => x - y)
  const balances = async () => [await balanceOf(manila), await balanceOf(cebu)]

  const first = await prepare()
  const approvals = await Promise.all([1, 2, 3].map(() => approve(first, 4_000_00)))
  expect(statuses(approvals)).toEqual([200, 409, 409])
  expect(await balances()).toEqual([0, 0])
  expect(statuses(await Promise.all([1, 2, 3].map(() => cancel(first))))).toEqual([200, 409, 409])
  expect(await balances()).toEqual([2_000_00, 2_000_00])

  const second = await prepare()
  await Promise.all([cancel(second), approve(second, 4_000_00), cancel(second)])
  expect((await get(second)).state).toBe('cancelled')
  expect(await balances()).toEqual([2_000_00, 2_000_00])

  const third = await prepare()
  await approve(third, 4_000_00)
  const { files } = await get(third)
  const [cancelled, taken] = await Promise.all([cancel(third), take(third, files[0].name)])
  expect(statuses([cancelled, taken])).toEqual([200, 409])
})

test('results entered at the same moment count once', async () => {
  const [manila, cebu] = [await owed('Manila'), await owed('Cebu')]
  const balances = async () => [await balanceOf(manila), await balanceOf(cebu)]
  const id = await prepare()
  await approve(id, 4_000_00)
  const { files, lines } = await get(id)
  await call(bob, takePaymentFile, { params: { id }, body: { name: files[0].name } })
  const failed = lines.map(({ reference }: { reference: string }) => ({
    reference,
    paid: false,
    reason: 'Closed',
  }))
  const entered = await Promise.all([1, 2, 3].map(() => results(id, failed)))
  expect(entered.map(({ body }) => body.waiting).toSorted((a, b) => a - b)).toEqual([0, 0, 2])
  expect(await balances()).toEqual([0, 0])
  await approveWaiting(services)
  expect(await balances()).toEqual([2_000_00, 2_000_00])
})

test('a file holds the approved lines, once the run is approved', async () => {
  await owed('Manila', { number: '00123456', accountName: 'Peña, Maria' })
  const id = await prepare()
  const { files } = await get(id)
  const take = () => call(bob, takePaymentFile, { params: { id }, body: { name: files[0].name } })
  expect(await take()).toMatchObject({ status: 409 })
  await approve(id, 2_000_00)
  expect(String((await take()).body)).toBe(
    'Reference,Payee,Amount,Currency,Institution,Account number,Account name,Remarks\r\n' +
      `P1R${id}N1,Manila,2000.00,PHP,Bank of the Philippine Islands (BPI),00123456,"Peña, Maria",Pay R-2026-0001\r\n`,
  )
  expect((await get(id)).steps.map(({ step }: { step: string }) => step)).toEqual([
    'approved',
    'files taken',
  ])
})

test('a file says how its letters are written', async () => {
  await owed('Manila', { accountName: 'Peña Maria' })
  const takeAs = async (name: string, layout: PayFileLayout) => {
    const body = { name, layout }
    const templateId = (await call(ann, createPayFileTemplate, { body })).body.id
    const id = await prepare(ann, { ...all, templateId })
    await approve(id, 2_000_00)
    const { files } = await get(id)
    const { mediaType } = await takeFile(services, bob, id, { name: files[0].name })
    await results(id, [{ reference: `P1R${id}N1`, paid: false, reason: 'Closed' }])
    await approveWaiting(services)
    return mediaType
  }
  expect(await takeAs('Unicode', genericLayout)).toBe('text/csv; charset=utf-8')
  expect(await takeAs('Windows', { ...genericLayout, encoding: 'windows-1252' })).toBe(
    'text/csv; charset=windows-1252',
  )
  expect(await takeAs('Excel', { ...genericLayout, format: 'xlsx' })).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
  expect(
    await takeAs('ISO', {
      ...genericLayout,
      format: 'pain.001',
      payer: { name: 'The Network', account: '00123456', bic: 'BOPIPHMM' },
    }),
  ).toBe('application/xml; charset=utf-8')
})

test('a file that pays to an account which its payee did not enter does not leave, even after the approval', async () => {
  const thief = await owed('Thief')
  await owed('Good')
  const id = await prepare()
  await approve(id, 4_000_00)
  const run = await get(id)
  const { account_id } = await db
    .selectFrom('payment_run_lines')
    .select('account_id')
    .where('payee_id', '=', thief)
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow()
  const take = () =>
    call(bob, takePaymentFile, { params: { id }, body: { name: run.files[0].name } })
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'office',
      payee_id: thief,
      held: true,
      reason: 'The payee says so',
      account_id,
      set_at: services.clock.now(),
      set_by: 1,
      set_by_name: 'the office',
    })
    .execute()
  expect(await take()).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(/^Thief: .*\. Cancel the run, and prepare it again\.$/),
    },
  })
  const cancelled = await call(ann, cancelPaymentRun, {
    params: { id },
    body: { reason: 'Not theirs' },
  })
  expect(cancelled.status).toBe(200)
  expect(await balanceOf(thief)).toBe(2_000_00)
})

test('a file that pays somebody who was put on hold since the approval does not leave until the hold is lifted', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Office ${index + 1}`)
  const offices: number[] = []
  for (const name of names) offices.push(await owed(name))
  const layout = { ...genericLayout, mostLines: 5 }
  const templateId = (await call(ann, createPayFileTemplate, { body: { name: 'Five', layout } }))
    .body.id
  const id = await prepare(ann, { ...all, templateId })
  await approve(id, 20_000_00)
  const [first, second] = (await get(id)).files
  expect([first.stopped, second.stopped]).toEqual([null, null])
  const take = (file: { name: string }, again = false) =>
    call(bob, takePaymentFile, { params: { id }, body: { name: file.name, again } })
  const hold = (officeId: number, held: boolean) =>
    call(ann, balancesEndpoints.setPayHold, {
      params: { kind: 'office', id: officeId },
      body: { held, reason: 'A call from the bank', told: '' },
    })
  // Its reference is the beginning of that of the tenth line, which is in the second file.
  await hold(offices[0]!, true)
  const why = (toDo: string) =>
    `Office 1: put on hold ${formatDateTime(services.clock.now())} by ann: “A call from the bank”. So this file does not leave. Lift the hold, or ${toDo}`
  const cancel = why('cancel the run, and prepare it again.')
  expect(await take(first)).toMatchObject({ status: 409, body: { message: cancel } })
  expect((await get(id)).files).toMatchObject([{ stopped: cancel }, { stopped: null }])
  expect((await take(second)).status).toBe(200)
  const fail = why('enter the lines of this file as failed, and pay them with another run.')
  expect(await take(first)).toMatchObject({ status: 409, body: { message: fail } })
  expect((await get(id)).files).toMatchObject([{ stopped: fail }, { stopped: null }])

  await hold(offices[0]!, false)
  expect((await get(id)).files[0].stopped).toBeNull()
  expect((await take(first)).status).toBe(200)
  // Nobody downloads again what the bank may not have, but what it has paid is over.
  await hold(offices[0]!, true)
  expect((await take(first, true)).status).toBe(409)
  const failed = { reference: `P1R${id}N2`, paid: false, reason: 'Closed' }
  await call(ann, enterPaymentResults, { params: { id }, body: { lines: [failed] } })
  await approveWaiting(services)
  await call(ann, enterPaymentResults, { params: { id }, body: { allPaid: true } })
  expect((await take(first, true)).status).toBe(200)
  // What failed is owed again: nobody pays it by the old file, nor is told so on the page of a finished run.
  await hold(offices[1]!, true)
  const over = await take(first, true)
  expect(over.body.message).toMatch(/^Office 2: .* So this file does not leave\. Lift the hold\.$/)
  expect(await get(id)).toMatchObject({ state: 'finished', files: [{ stopped: null }, {}] })
})

test('a file that nobody has downloaded does not leave once a transfer in it is said to have failed', async () => {
  for (const name of ['Manila', 'Cebu']) await owed(name)
  const layout = { ...genericLayout, mostLines: 1 }
  const templateId = (await call(ann, createPayFileTemplate, { body: { name: 'One', layout } }))
    .body.id
  const id = await prepare(ann, { ...all, templateId })
  await approve(id, 4_000_00)
  const [first, second] = (await get(id)).files
  const take = (file: { name: string }, again = false) =>
    call(bob, takePaymentFile, { params: { id }, body: { name: file.name, again } })
  expect((await take(first)).status).toBe(200)
  const failed = [1, 2].map((place) => ({
    reference: `P1R${id}N${place}`,
    paid: false,
    reason: 'The bank doesn’t have it',
  }))
  await call(ann, enterPaymentResults, { params: { id }, body: { lines: failed } })
  const waits = expect.stringMatching(
    /^Cebu: ann entered that this transfer failed, which waits for a second person\. So this file does not leave\. Refuse or withdraw that, or enter/,
  )
  expect(await take(second)).toMatchObject({ status: 409, body: { message: waits } })
  expect((await get(id)).files).toMatchObject([{ stopped: null }, { stopped: waits }])
  await approveWaiting(services)
  // Its money is owed again, and the next run pays it.
  await prepare()
  expect(await take(second)).toMatchObject({
    status: 409,
    body: {
      message:
        'Cebu: this transfer failed, so its money was put back. So this file does not leave.',
    },
  })
  expect((await take(first, true)).status).toBe(200)
})

test('each file of a run says who downloaded it, and leaves a second time only when asked for again', async () => {
  for (const name of ['Manila', 'Cebu']) await owed(name)
  const layout = { ...genericLayout, mostLines: 1 }
  const templateId = (await call(ann, createPayFileTemplate, { body: { name: 'Single', layout } }))
    .body.id
  const id = await prepare(ann, { ...all, templateId })
  await approve(id, 4_000_00)
  const files = async () => (await get(id)).files
  const [first, second] = await files()
  const take = (who: typeof ann, file: { name: string }, again?: boolean) =>
    call(who, takePaymentFile, { params: { id }, body: { name: file.name, again } })
  expect([first.downloads, second.downloads]).toEqual([[], []])

  const at = about(services.clock.now())
  // Two people at the same moment: the file leaves once.
  const atOnce = await Promise.all([take(bob, first), take(bob, first)])
  expect(atOnce.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await files()).toMatchObject([{ ...first, downloads: [{ at, by: 'bob' }] }, second])
  expect(await take(ann, first)).toMatchObject({
    status: 409,
    body: {
      message: `bob downloaded this file on ${formatDateTime(services.clock.now())}. Download it again only if your bank doesn’t have it.`,
    },
  })
  expect((await take(ann, first, true)).body).toEqual(
    atOnce.find((one) => one.status === 200)?.body,
  )
  expect((await take(ann, second)).status).toBe(200)
  expect(await files()).toMatchObject([
    {
      downloads: [
        { at, by: 'bob' },
        { at, by: 'ann' },
      ],
    },
    { downloads: [{ at, by: 'ann' }] },
  ])
})

test('a transfer is sent with its own file: its payee is told then, and only then it has a result', async () => {
  for (const name of ['Manila', 'Cebu']) await owed(name)
  const layout = { ...genericLayout, mostLines: 1 }
  const templateId = (await call(ann, createPayFileTemplate, { body: { name: 'Each', layout } }))
    .body.id
  const id = await prepare(ann, { ...all, templateId })
  await approve(id, 4_000_00)
  const { files, lines } = await get(id)
  const take = (place: 0 | 1) =>
    call(bob, takePaymentFile, { params: { id }, body: { name: files[place].name } })
  const states = () =>
    Promise.all(
      [0, 1].map(async (place) => {
        const { kind, id: payeeId } = lines[place].payee
        const params = { kind, id: payeeId }
        const { body } = await call(bob, balancesEndpoints.balance, { params })
        return body.entries[0].payment.state
      }),
    )
  const told = async () =>
    (await db.selectFrom('facts').select('subject').where('kind', '=', 'payment.sent').execute())
      .length
  const before = await told()
  expect(await states()).toEqual(['approved', 'approved'])
  await take(0)
  expect(await states()).toEqual(['sent', 'approved'])
  expect(await told()).toBe(before + 1)
  const paid = { reference: lines[1].reference, paid: true, reason: '', bankReference: '' }
  const refusal = await call(ann, enterPaymentResults, { params: { id }, body: { lines: [paid] } })
  expect(refusal.body.data).toEqual({
    'lines.0.reference': [
      `${lines[1].reference} is in ${files[1].name}, which nobody has downloaded`,
    ],
  })
  // All paid: what was sent.
  await call(ann, enterPaymentResults, { params: { id }, body: { allPaid: true } })
  expect(await states()).toEqual(['paid', 'approved'])
  await take(1)
  expect(await states()).toEqual(['paid', 'sent'])
  expect(await told()).toBe(before + 2)
  expect((await get(id)).state).toBe('sent')
  await call(ann, enterPaymentResults, { params: { id }, body: { lines: [paid] } })
  expect((await get(id)).state).toBe('finished')
})

test('the migration takes earlier downloads from the common logs', async () => {
  const { connection: older, close } = await createTestDatabase({ schema: false })
  onTestFinished(close)
  await migrate(older, silentLog, { upTo: '0067_pay_files' })
  const old = openDatabase(older, { max: 1, applicationName: 'test', asOwner: true })
  const made = { account_id: 7, username: 'bob', action_type: 'UPDATE', response_code: 200 }
  const download = {
    ...made,
    action_name: 'POST /api/pay/runs/:id/file',
    objects: ['paymentRun:12'],
    post_params: '{"name":"R-2026-0012_1-Pesos.csv"}',
  }
  const chain = { previous_hash: Buffer.alloc(32), hash: Buffer.alloc(32) }
  await old.db
    .insertInto('audit_log')
    .values(
      [
        download,
        { ...download, response_code: 409 },
        { ...download, action_name: 'POST /api/pay/runs/:id/approve', post_params: '{"amount":1}' },
      ].map((entry, index) => ({
        ...entry,
        ...chain,
        id: index + 1,
        at: `2026-11-0${index + 1}T15:00:00Z`,
      })),
    )
    .execute()
  await old.close()

  await migrate(older, silentLog)
  const newer = openDatabase(older, { max: 1, applicationName: 'test', asOwner: true })
  onTestFinished(newer.close)
  expect(await newer.db.selectFrom('payment_file_downloads').selectAll().execute()).toEqual([
    {
      id: 1,
      run_id: 12,
      name: 'R-2026-0012_1-Pesos.csv',
      made_at: new Date('2026-11-01T15:00:00Z'),
      made_by: 7,
      made_by_name: 'bob',
      sha256: null,
      bank_day: '2026-11-01',
    },
  ])
})

test('a failed transfer is owed again, with its reason, and a result counts once', async () => {
  const { id, references } = await sent('Manila', 'Cebu')
  const [manila, cebu] = [await officeNamed('Manila'), await officeNamed('Cebu')]
  const lines = [
    { reference: references[0], paid: true },
    { reference: references[1], paid: false, reason: 'Account closed' },
  ]
  expect((await results(id, lines)).body).toEqual({ paid: 1, waiting: 1, known: 0 })
  expect((await results(id, lines)).body).toEqual({ paid: 0, waiting: 0, known: 2 })
  expect([await balanceOf(manila), await balanceOf(cebu)]).toEqual([0, 0])
  expect(await get(id)).toMatchObject({
    state: 'sent',
    lines: [
      { state: 'paid', failureWaits: null },
      { state: 'sent', failureWaits: { by: 'ann', reason: 'Account closed' } },
    ],
  })
  await approveWaiting(services)
  expect((await results(id, lines)).body).toEqual({ paid: 0, waiting: 0, known: 2 })
  expect([await balanceOf(manila), await balanceOf(cebu)]).toEqual([0, 2_000_00])
  expect(await get(id)).toMatchObject({
    state: 'finished',
    lines: [
      { state: 'paid' },
      { state: 'failed', reason: 'Account closed', by: 'ann', failureWaits: null },
    ],
  })
  expect((await results(id, [{ reference: references[1], paid: true }])).status).toBe(422)
  // The next run pays it again, under another reference.
  const next = await get(await prepare())
  expect(next.lines).toMatchObject([{ payee: { name: 'Cebu' }, state: 'prepared' }])
  expect(references).not.toContain(next.lines[0].reference)
})

test('all or no results are entered', async () => {
  const { id, references } = await sent('Manila')
  expect(
    await results(id, [
      { reference: references[0], paid: true },
      { reference: 'P1R1N999', paid: true },
      { reference: references[0], paid: true },
    ]),
  ).toMatchObject({
    status: 422,
    body: {
      data: {
        'lines.1.reference': [expect.stringContaining('is not a reference of')],
        'lines.2.reference': [expect.stringContaining('is also on line 1')],
      },
    },
  })
  expect((await get(id)).lines).toMatchObject([{ state: 'sent' }])
})

const columns = {
  reference: 'Ref',
  status: 'Status',
  paid: ['OK'],
  failed: ['Rejected'],
  amount: 'Amount',
  reason: 'Why',
  bankReference: null,
}
const readFile = (id: number, content: string | Buffer, more: object = {}) =>
  call(ann, readResultFile, {
    params: { id },
    body: {
      file: Buffer.from(content).toString('base64'),
      columns,
      take: true,
      ...more,
    },
  })

test('a result file is read, and its columns are remembered', async () => {
  const { id, references } = await sent('Manila', 'Cebu')
  const file = `Ref,Status,Amount,Why\n${references[0]},ok,"2,000.00",\n${references[1]},REJECTED,2000.00,Closed\n`
  expect((await readFile(id, file, { columns: null, take: false })).body).toMatchObject({
    refused: null,
    format: { kind: 'text', encoding: 'UTF-8', separator: 'comma' },
    headings: ['Ref', 'Status', 'Amount', 'Why'],
    headingsLine: 1,
    problems: [],
  })
  expect((await readFile(id, file, { take: false })).body).toMatchObject({ paid: 1, failed: 1 })
  expect((await get(id)).state).toBe('sent')
  expect((await readFile(id, file)).body).toMatchObject({ paid: 1, failed: 1, known: 0 })
  expect((await readFile(id, file)).body).toMatchObject({ paid: 0, failed: 0, known: 2 })
  const remembered = { ...columns, pending: [], beginsWith: false, minorUnits: null }
  expect(await get(id)).toMatchObject({ state: 'finished', results: remembered })
  expect(await balanceOf(await officeNamed('Cebu'))).toBe(2_000_00)
})

test('of a result file, lines of ours that are not understood are refused by number, and the others are entered', async () => {
  const { id, references } = await sent('Manila', 'Cebu', 'Davao', 'Iloilo')
  const [first, second, third, fourth] = references
  const file =
    `Ref,Status,Amount,Why\n${first},OK,2000.00,\n${first},OK,2000.00,\n${second},OK,1999.99,\n` +
    `${third},OK,2000.00,\n${third},Rejected,2000.00,Closed\n${fourth},PENDING,2000.00,\n`
  const pending = { columns: { ...columns, pending: ['pending'] } }
  const read = (await readFile(id, file, pending)).body
  expect(read).toMatchObject({ paid: 1, failed: 0, known: 0 })
  expect(read.problems).toEqual([
    { line: 4, problem: `the amount is ₱1,999.99, but ${second} is ₱2,000.00` },
    { line: 5, problem: `${third} is on the lines 5, 6, which say different things` },
    { line: 6, problem: `${third} is on the lines 5, 6, which say different things` },
  ])
  expect(read.pending).toEqual([{ line: 7, reference: fourth, payee: 'Iloilo', status: 'PENDING' }])
  const states = (await get(id)).lines.map(({ state }: { state: string }) => state)
  expect(states).toEqual(['paid', 'sent', 'sent', 'sent'])
})

test('lines of others are counted, summed and seen once before a file is imported', async () => {
  const other = await sent('Cebu')
  const { id, references } = await sent('Manila')
  const file = `Ref,Status,Amount,Why\n${references[0]},OK,2000.00,\n${other.references[0]?.toLowerCase()},OK,2000.00,\nX1,OK,1.50,\nTOTAL,,4001.50,\n`
  const { number } = await get(other.id)
  const others = { lines: 3, amount: 6_003_00, ofRuns: [{ number, lines: 1 }] }
  expect((await readFile(id, file, { take: false })).body).toMatchObject({ paid: 1, others })
  expect((await readFile(id, file)).body.data).toEqual({
    othersSeen: ['must be seen: the file has lines of others'],
  })
  expect((await get(id)).lines).toMatchObject([{ state: 'sent' }])
  expect((await readFile(id, file, { othersSeen: true })).body).toMatchObject({ paid: 1, others })
  expect((await get(id)).lines).toMatchObject([{ state: 'paid' }])
  expect((await get(other.id)).lines).toMatchObject([{ state: 'sent' }])
})

test('a file that can’t be read says why, and changes nothing', async () => {
  const { id, references } = await sent('Manila')
  const refused = async (content: string | Buffer, more: object = {}) => {
    const checked = (await readFile(id, content, { take: false, ...more })).body.refused
    expect((await readFile(id, content, more)).body.data.file).toEqual([checked])
    return checked
  }
  expect(await refused('Reference\nx')).toContain('there is no line with the heading “Ref”')
  expect(await refused('')).toBe('it is empty')
  expect(await refused(Buffer.from('%PDF-1.4'))).toContain('it is a PDF')
  expect(await refused(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toBe('it is damaged')
  const good = `Ref,Status,Amount,Why\n${references[0]},OK,2000.00,\n`
  expect(await refused(good, { columns: { ...columns, failed: ['Rejected', 'ok'] } })).toBe(
    '“ok” can’t mean two things',
  )
  expect((await get(id)).lines).toMatchObject([{ state: 'sent' }])
  // 100 MB never get as far as this.
  const { status } = await readFile(id, 'x'.repeat(700_000))
  expect(status).toBe(422)
})

test('what a bank wants to know of a payee comes from the account and from the payee’s page; who lacks it is left out', async () => {
  const curious: PayFileLayout['columns'] = [
    ...genericLayout.columns,
    { header: 'Kind', field: 'payeeKind' },
    { header: 'First', field: 'firstName' },
    { header: 'Email', field: 'email' },
    { header: 'City', field: 'city' },
  ]
  const body = { name: 'Curious', layout: { ...genericLayout, columns: curious, headings: false } }
  const asked = { ...all, templateId: (await call(ann, createPayFileTemplate, { body })).body.id }
  const details = { city: 'Cebu City' }
  const full = await owed('Full', { details })
  await owed('No city')
  const nameless = await owed('Nameless', { details })
  const person = { man_first_name: 'Ana', man_email: 'ana@full.example' }
  await db.updateTable('offices').set(person).where('id', '!=', nameless).execute()
  const { leftOut, paid } = (await call(ann, paymentRunCandidates, { body: asked })).body
  expect(paid).toMatchObject([{ name: 'Full' }])
  const why = 'It doesn’t fit into a file of Curious:'
  expect(Object.fromEntries(leftOut.map((one: LeftOut) => [one.name, one.why]))).toEqual({
    'No city': `${why} City is missing: the payee enters it with the payment account, by changing it.`,
    Nameless: `${why} First is missing: add it on the page of the office or agent.`,
  })

  const id = await prepare(ann, asked)
  // What has gone by the time of the approval is named, too.
  const gone = db.updateTable('offices').where('id', '=', full)
  await gone.set({ man_email: null }).execute()
  expect((await get(id)).fileProblems).toEqual([
    'Full: Email is missing: add it on the page of the office or agent',
  ])
  expect((await approve(id, 2_000_00)).status).toBe(422)
  await gone.set({ man_email: 'ana@full.example' }).execute()
  await approve(id, 2_000_00)
  const [file] = (await get(id)).files
  const { body: content } = await call(bob, takePaymentFile, {
    params: { id },
    body: { name: file.name },
  })
  expect(String(content)).toMatch(
    /^P\w+,2000\.00,1234567890,Maria Santos,C,Ana,ana@full\.example,Cebu City\r\n$/,
  )
})

test('payees who do not fit into the file are named before anybody approves', async () => {
  const narrow: PayFileLayout = {
    ...genericLayout,
    columns: [
      { header: 'Reference', field: 'reference' },
      { header: 'Name', field: 'accountName', longest: 12 },
      { header: 'Amount', field: 'amount' },
      { header: 'Number', field: 'accountNumber' },
    ],
    encoding: 'windows-1252',
    quotes: false,
  }
  const templateId = (
    await call(ann, createPayFileTemplate, { body: { name: 'Narrow', layout: narrow } })
  ).body.id
  await owed('Fits', { accountName: 'Peña Maria' })
  await owed('Long', { accountName: 'Maria Santos Reyes' })
  await owed('Comma', { accountName: 'Santos, M' })
  await owed('Greek', { accountName: 'Μαρία' })
  await owed('Hidden', { accountName: 'Maria\u200b' })
  const { leftOut, paid } = (
    await call(ann, paymentRunCandidates, { body: { ...all, templateId } })
  ).body
  expect(paid.map(({ name }: { name: string }) => name)).toEqual(['Fits'])
  expect(
    Object.fromEntries(
      leftOut.map((one: { name: string; cause: string; why: string }) => [
        one.name,
        [one.cause, one.why],
      ]),
    ),
  ).toEqual({
    Long: [
      'not in the file',
      'It doesn’t fit into a file of Narrow: Name “Maria Santos Reyes” has more than 12 characters.',
    ],
    Comma: [
      'not in the file',
      'It doesn’t fit into a file of Narrow: Name “Santos, M” has the separator or a quotation mark in it.',
    ],
    Hidden: [
      'not in the file',
      'It doesn’t fit into a file of Narrow: Name “Maria\u200b” has invisible characters.',
    ],
    Greek: [
      'not in the file',
      'It doesn’t fit into a file of Narrow: Name “Μαρία” has “Μ”, which Windows-1252 does not have.',
    ],
  })
  const heading = { header: 'Ναμε', field: 'payee' as const }
  const bad = { ...narrow, columns: [...narrow.columns, heading] }
  expect(
    (await call(ann, createPayFileTemplate, { body: { name: 'Bad', layout: bad } })).body.data,
  ).toEqual({ layout: [expect.stringContaining('has a column whose “Ναμε”')] })
  expect((await call(ann, deletePayFileTemplate, { params: { id: templateId } })).status).toBe(200)
})

test('a template is deleted if no run has used it and another one remains', async () => {
  await owed('Manila')
  const create = async (name: string) =>
    (await call(ann, createPayFileTemplate, { body: { name, layout: genericLayout } })).body.id
  const remove = (id: number, who = ann) => call(who, deletePayFileTemplate, { params: { id } })
  const id = await create('Unused')
  expect((await remove(id, { ...ann, signedInBy: bob.accountId })).status).toBe(403)
  expect((await remove(id)).status).toBe(200)
  expect((await remove(id)).status).toBe(404)

  const used = await create('Used')
  const run = await get(await prepare(ann, { ...all, templateId: used }))
  expect(await remove(used)).toMatchObject({
    status: 409,
    body: {
      message: `The payment run ${run.number} uses Used. Only templates that no run has used can be deleted.`,
    },
  })
  const templates = (await call(ann, payFileTemplates)).body
  expect(templates.find((one: { id: number }) => one.id === used).usedBy).toBe(run.number)
  // A cancelled run keeps it too: its files are part of its record.
  await call(ann, cancelPaymentRun, { params: { id: run.id }, body: { reason: 'Wrong bank' } })
  expect((await remove(used)).status).toBe(409)
})

test('of two templates deleted at once, one remains, also while pay is off', async () => {
  await emptyTables(database.connection, ['pay_state'])
  const kept = await db.selectFrom('pay_file_templates').selectAll().execute()
  const stored = kept.map((row) => ({ ...row, layout: JSON.stringify(row.layout) }))
  const fill = async (rows: typeof stored) => {
    await db.deleteFrom('pay_file_templates').execute()
    await db.insertInto('pay_file_templates').values(rows).execute()
  }
  const remove = (id: number) => call(ann, deletePayFileTemplate, { params: { id } })
  try {
    const [one] = stored
    await fill([1, 2].map((index) => ({ ...one!, id: 1000 + index, name: `Bank ${index}` })))
    const answers = await Promise.all([remove(1001), remove(1002)])
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409])
    const [last] = (await call(ann, payFileTemplates)).body
    expect(await remove(last.id)).toMatchObject({
      status: 409,
      body: {
        message: 'This is the only template. Add another one first: runs need a template.',
      },
    })
  } finally {
    await fill(stored)
  }
})

test('the app can’t change what was prepared and paid', async () => {
  const { id } = await sent('Manila')
  for (const change of [
    sql`update payment_run_lines set amount = 1`,
    sql`update payment_run_lines set account_id = 1`,
    sql`update payment_run_lines set reference = 'x'`,
    sql`delete from payment_run_lines`,
    sql`update payment_runs set prepared_by = 1`,
    sql`delete from payment_run_steps`,
    sql`update payment_file_downloads set name = 'x'`,
    sql`delete from payment_file_downloads`,
    sql`update payment_runs set layout = '{}'`,
    sql`update payment_run_files set sha256 = sha256`,
    sql`update payment_run_files set name = 'x'`,
    sql`delete from payment_run_files`,
    sql`update balance_entries set amount = 1`,
    sql`delete from balance_entries`,
    sql`update payee_accounts set last_characters = '0000'`,
    sql`delete from payee_account_decisions`,
    sql`delete from payment_results`,
  ])
    await expect(change.execute(db)).rejects.toThrow('permission denied')
  expect((await get(id)).state).toBe('sent')
})

test('nothing here can be done after Sign in as', async () => {
  await owed('Manila')
  const guest = { ...ann, signedInBy: bob.accountId }
  expect((await call(guest, preparePaymentRun, { body: all })).status).toBe(403)
  const id = await prepare(bob)
  expect((await approve(id, 2_000_00, guest)).status).toBe(403)
})

test('after a restore, no number and no reference is issued twice', async () => {
  await owed('Manila')
  const before = await get(await prepare())
  await emptyTables(database.connection, ['payment_run_lines', 'payment_runs'])
  await execute(database.connection, 'update pay_state set epoch = 2')
  const after = await get(await prepare())
  expect([after.number, after.lines[0].reference.slice(0, 3)]).toEqual(['R2-2026-0001', 'P2R'])
  expect([before.number, before.lines[0].reference.slice(0, 3)]).toEqual(['R-2026-0001', 'P1R'])
  await execute(database.connection, 'update pay_state set epoch = 1')
})
