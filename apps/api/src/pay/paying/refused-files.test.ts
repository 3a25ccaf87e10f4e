import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { booksEndpoints, type JournalLine } from '@tallyroom/contract/pay/books/books'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints, type RunLine } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { randomInt } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildPerson, genericLayout, resultFileOf, seenOf } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { twoPayees } from '../../../test/two-payees.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { booksRoutes } from '../books/books.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
  ...booksRoutes(services),
])
const runs = paymentRunsEndpoints
const results = paymentResultsEndpoints
const proposals = payProposalsEndpoints

let world: Awaited<ReturnType<typeof twoPayees>>['world']
let ann: Viewer
let bob: Viewer

beforeEach(async () => {
  ;({ world, ann, bob } = await twoPayees(services, database))
})

const at = (day: string) => services.clock.set(`${day}T18:00:00Z`)

async function templateOf(mostLines: number): Promise<number> {
  const layout: PayFileLayout = {
    ...genericLayout,
    mostLines,
    columns: [...genericLayout.columns, { header: 'Date', field: 'date', dateStyle: 'MM/DD/YYYY' }],
  }
  const body = { name: `Dated ${randomInt(2 ** 40)}`, layout }
  return (await call(ann, payFilesEndpoints.createPayFileTemplate, { body })).body.id
}

const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body
const prepare = async (templateId: number, more: object = {}): Promise<number> =>
  (
    await call(ann, runs.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId, ...more },
    })
  ).body.id
const approve = async (id: number) =>
  call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
const take = (id: number, name: string, again = false) =>
  call(bob, runs.takePaymentFile, { params: { id }, body: { name, again } })

/** A run of 17 February that bob approved, of one file or of one for each payee, and its lines. */
async function approved({ mostLines = 2 }: { mostLines?: number } = {}) {
  at('2026-02-17')
  const templateId = await templateOf(mostLines)
  const id = await prepare(templateId)
  expect((await approve(id)).body).toEqual({ approved: 2, refused: [] })
  const { files, lines } = await get(id)
  return {
    id,
    templateId,
    files: files.map(({ name }: { name: string }) => name) as string[],
    lines: lines as RunLine[],
  }
}

/** The same, with all of its files downloaded. */
async function sent(of: { mostLines?: number } = {}) {
  const run = await approved(of)
  for (const name of run.files) expect((await take(run.id, name)).status).toBe(200)
  return run
}

const refuse = (id: number, name: string, refusedOn = '2026-02-17') =>
  call(ann, results.enterRefusedFile, {
    params: { id },
    body: { name, refusedOn, reason: 'The date is no banking day' },
  })
const waiting = async () => (await call(bob, proposals.payProposals)).body
const decide = async () => {
  const [{ id }] = await waiting()
  return call(bob, proposals.approvePayProposal, { params: { id } })
}
const owed = async (id: number): Promise<number> =>
  (await call(bob, balancesEndpoints.balance, { params: { kind: 'office', id } })).body.balances[0]
    .balance
const states = async () =>
  Object.fromEntries(
    (
      await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })
    ).body.items.map(({ payee, state }: { payee: { name: string }; state: string }) => [
      payee.name,
      state,
    ]),
  )
const failedFacts = async () =>
  (await db.selectFrom('facts').select('kind').where('kind', '=', 'payment.failed').execute())
    .length
const findings = async () => (await verifyPay(db)).findings
/** The lines of February from the 16th on: day, account, and the debit less the credit. */
async function booked(): Promise<(string | number)[][]> {
  const { body } = await call(ann, booksEndpoints.journal, { query: { month: '2026-02' } })
  return body.lines
    .filter(({ day }: JournalLine) => day > '2026-02-15')
    .map(({ day, account, debit, credit }: JournalLine) => [day, account, debit - credit])
}

test('a file that the bank refused fails as a whole once a second person agrees, and never was at the bank', async () => {
  const { id, files, lines } = await sent()
  const [file] = files
  at('2026-02-19')
  expect((await refuse(id, file!, '2026-02-18')).status).toBe(200)
  expect(await owed(world.offices.cebu)).toBe(0)
  expect(await waiting()).toMatchObject([
    {
      does: {
        kind: 'refused file',
        currency: 'PHP',
        amount: 900_00,
        run: { id },
        file,
        refusedOn: '2026-02-18',
      },
      reason: 'The date is no banking day',
      outdated: null,
    },
  ])
  const refused = { on: '2026-02-18', by: 'ann', reason: 'The date is no banking day' }
  expect(await get(id)).toMatchObject({
    state: 'sent',
    files: [{ refused: { ...refused, waits: true }, stopped: expect.stringContaining('waits') }],
    lines: [{ failureWaits: { by: 'ann' } }, { failureWaits: { by: 'ann' } }],
  })
  expect((await decide()).status).toBe(200)
  expect(await get(id)).toMatchObject({
    state: 'finished',
    failed: 2,
    files: [{ refused: { ...refused, waits: false } }],
    lines: lines.map(({ reference }) => ({
      reference,
      file,
      state: 'failed',
      by: 'ann',
      reason: 'The date is no banking day',
      failureWaits: null,
    })),
  })
  expect(await owed(world.offices.manila)).toBe(300_00)
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await states()).toEqual({ Manila: 'failed', Cebu: 'failed' })
  expect(await failedFacts()).toBe(2)
  expect(await booked()).toEqual([
    ['2026-02-17', 'payable', 300_00],
    ['2026-02-17', 'transit', -300_00],
    ['2026-02-17', 'payable', 600_00],
    ['2026-02-17', 'transit', -600_00],
    ['2026-02-18', 'transit', 300_00],
    ['2026-02-18', 'payable', -300_00],
    ['2026-02-18', 'transit', 600_00],
    ['2026-02-18', 'payable', -600_00],
  ])
  expect(await findings()).toEqual([])
  // The bank does not get it a second time.
  const again = await take(id, file!, true)
  expect(again.status).toBe(409)
  expect(again.body.message).toMatch(/refused this file on 2026-02-18/)
})

test('it bars neither of the two who decided it from the next run', async () => {
  const { id, templateId, files } = await sent({ mostLines: 1 })
  const cat = await buildPerson(db, 'cat')
  // Of another file of the run, somebody else has entered it.
  const [other, file] = files
  await refuse(id, file!)
  await decide()
  at('2026-02-18')
  const body = { name: other!, refusedOn: '2026-02-18', reason: 'Sent twice' }
  await call(cat, results.enterRefusedFile, { params: { id }, body })
  await decide()
  at('2026-02-19')
  const params = { id: await prepare(templateId) }
  const { approvers } = await get(params.id)
  const whyNot = Object.fromEntries(
    approvers.map((one: { name: string; whyNot: string | null }) => [one.name, one.whyNot]),
  )
  expect(whyNot).toMatchObject({ bob: null, cat: null })
  const seen = { params, body: await seenOf(db, params.id) }
  expect((await call(cat, runs.approvePaymentRun, seen)).body).toEqual({ approved: 2, refused: [] })
  expect(await findings()).toEqual([])
})

test('its payees are paid again by the same two people, under new references and with another date', async () => {
  const { id, templateId, files, lines } = await sent({ mostLines: 1 })
  await refuse(id, files[1]!)
  await decide()
  at('2026-02-19')
  const cebu = { kind: 'office', id: world.offices.cebu }
  const next = await prepare(templateId, { only: [cebu], executionDay: '2026-02-23' })
  expect((await approve(next)).body).toEqual({ approved: 1, refused: [] })
  const run = await get(next)
  expect(run).toMatchObject({ executionDay: '2026-02-23', amount: 600_00 })
  expect(lines.map(({ reference }) => reference)).not.toContain(run.lines[0].reference)
  await take(next, run.files[0].name)
  await call(ann, results.enterPaymentResults, { params: { id: next }, body: { allPaid: true } })
  expect(await states()).toEqual({ Manila: 'running', Cebu: 'paid' })
  expect(await findings()).toEqual([])
  // What was paid so can come back.
  at('2026-02-25')
  await call(ann, results.returnPayment, {
    params: { id: next },
    body: { lineId: run.lines[0].id, returnedOn: '2026-02-24', reason: 'Account closed' },
  })
  expect((await decide()).status).toBe(200)
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await findings()).toEqual([])
})

test('of two files, the one that the bank refused fails, and the other one is paid', async () => {
  const { id, files } = await sent({ mostLines: 1 })
  await refuse(id, files[0]!)
  await decide()
  expect(await get(id)).toMatchObject({
    state: 'sent',
    lines: [{ state: 'failed' }, { state: 'sent' }],
    files: [{ refused: { waits: false } }, { refused: null, stopped: null }],
  })
  await call(ann, results.enterPaymentResults, { params: { id }, body: { allPaid: true } })
  expect(await get(id)).toMatchObject({ state: 'finished', paid: 1, failed: 1 })
  expect(await states()).toEqual({ Manila: 'failed', Cebu: 'paid' })
  expect(await booked()).toEqual([
    ['2026-02-17', 'payable', 300_00],
    ['2026-02-17', 'transit', -300_00],
    ['2026-02-17', 'payable', 600_00],
    ['2026-02-17', 'bank', -600_00],
    ['2026-02-17', 'transit', 300_00],
    ['2026-02-17', 'payable', -300_00],
  ])
  expect(await findings()).toEqual([])
})

test('a file of which a transfer was paid can’t have been refused, and the rest is entered by hand', async () => {
  const { id, files, lines } = await sent()
  const [manila, cebu] = lines
  const enter = (line: RunLine, paid: boolean) =>
    call(ann, results.enterPaymentResults, {
      params: { id },
      body: { lines: [{ reference: line.reference, paid, reason: paid ? '' : 'A wrong date' }] },
    })
  await enter(manila!, true)
  const { status, body } = await refuse(id, files[0]!)
  expect(status).toBe(409)
  expect(body.message).toBe(
    `${manila!.reference} to Manila was reported paid, so the bank took this file. Enter the lines that failed by hand.`,
  )
  await enter(cebu!, false)
  expect((await decide()).status).toBe(200)
  expect((await refuse(id, files[0]!)).status).toBe(409)
  expect(await findings()).toEqual([])
})

test('what nobody has downloaded is cancelled or stopped instead', async () => {
  at('2026-02-17')
  const prepared = await prepare(await templateOf(2))
  const { files } = await get(prepared)
  expect((await refuse(prepared, files[0].name)).body.message).toMatch(/Cancel it instead/)
  const cancel = { params: { id: prepared }, body: { reason: 'x' } }
  await call(ann, runs.cancelPaymentRun, cancel)
  expect((await refuse(prepared, files[0].name)).body.message).toMatch(/was cancelled/)
  const run = await approved({ mostLines: 1 })
  const [first, second] = run.files
  expect((await refuse(run.id, second!)).body.message).toMatch(/Cancel the run instead/)
  await take(run.id, first!)
  const { status, body } = await refuse(run.id, second!)
  expect(status).toBe(409)
  expect(body.message).toMatch(/Enter its lines as failed/)
  expect((await refuse(run.id, 'another.csv')).status).toBe(404)
})

test('it is entered once, from two tabs as well, and for a day on which it can have been', async () => {
  const { id, files } = await sent()
  const [file] = files
  expect((await refuse(id, file!, '2026-02-16')).body.data).toEqual({
    refusedOn: [`must not be before 2026-02-17, when ${file} was downloaded`],
  })
  expect((await refuse(id, file!, '2026-02-18')).status).toBe(422)
  const both = await Promise.all([refuse(id, file!), refuse(id, file!)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const [{ id: proposalId }] = await waiting()
  const approval = { params: { id: proposalId } }
  expect((await call(ann, proposals.approvePayProposal, approval)).status).toBe(403)
  const twice = await Promise.all([
    call(bob, proposals.approvePayProposal, approval),
    call(bob, proposals.approvePayProposal, approval),
  ])
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await refuse(id, file!)).body.message).toMatch(/already entered .* on 2026-02-17/)
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await failedFacts()).toBe(2)
  expect(await findings()).toEqual([])
})

test('while it waits, nobody says the opposite by hand, and the bank’s file decides', async () => {
  const { id, files, lines } = await sent()
  const [manila, cebu] = lines
  await refuse(id, files[0]!)
  const enter = (body: object) => call(bob, results.enterPaymentResults, { params: { id }, body })
  const { data } = (await enter({ lines: [{ reference: manila!.reference, paid: true }] })).body
  expect(data['lines.0.reference'][0]).toMatch(/ann entered that the bank refused R-/)
  expect((await enter({ allPaid: true })).body).toEqual({ paid: 0, waiting: 0, known: 0 })
  expect((await take(id, files[0]!, true)).status).toBe(409)
  // One of two has failed: what was proposed is not what is left.
  const read = (text: string) =>
    call(bob, results.readResultFile, { params: { id }, body: resultFileOf([text]) })
  expect((await read(`${cebu!.reference},NO,Account closed`)).body.failed).toBe(1)
  const outdated = await decide()
  expect(outdated.status).toBe(409)
  expect(outdated.body.message).toMatch(/₱300.00 of ₱900.00/)
  expect((await read(`${manila!.reference},OK,`)).body.paid).toBe(1)
  expect((await decide()).body.message).toMatch(/was reported paid/)
  const [{ id: proposalId }] = await waiting()
  const withdrawal = { params: { id: proposalId }, body: { reason: 'It was taken' } }
  expect((await call(ann, proposals.withdrawPayProposal, withdrawal)).status).toBe(200)
  expect((await get(id)).files[0].refused).toBe(null)
  expect(await states()).toEqual({ Manila: 'paid', Cebu: 'failed' })
  expect(await findings()).toEqual([])
})

test('a refusal that is entered after its month was closed leaves that month as it was', async () => {
  const { id, files } = await sent()
  at('2026-03-02')
  const before = await booked()
  expect(before.map(([, account]) => account)).toContain('bank')
  await call(ann, booksEndpoints.closeMonth, { body: { month: '2026-02', evenUnclosed: true } })
  await refuse(id, files[0]!, '2026-02-18')
  await decide()
  expect(await booked()).toEqual(before)
  const { body } = await call(ann, booksEndpoints.journal, { query: { month: '2026-03' } })
  expect(
    body.lines.map(({ day, belongs, account, debit, credit }: JournalLine) => [
      day,
      belongs,
      account,
      debit - credit,
    ]),
  ).toEqual([
    ['2026-03-01', '2026-02-18', 'bank', 300_00],
    ['2026-03-01', '2026-02-18', 'payable', -300_00],
    ['2026-03-01', '2026-02-18', 'bank', 600_00],
    ['2026-03-01', '2026-02-18', 'payable', -600_00],
  ])
  expect(await findings()).toEqual([])
})

test('failures that differ from what was approved, and those that nobody approved, are named', async () => {
  const { id, files, lines } = await sent()
  await refuse(id, files[0]!)
  const [{ id: proposalId }] = await waiting()
  await decide()
  await execute(connection, `update pay_proposals set amount = amount - 1 where id = ${proposalId}`)
  expect(await findings()).toContain(
    `Proposal ${proposalId} was approved, but the failures of its file differ from it.`,
  )
  await execute(connection, `update pay_proposals set file_name = 'R-0' where id = ${proposalId}`)
  expect(await findings()).toContain(
    `The failure of ${lines[0]!.reference}, entered by hand, needs a second person, and nobody approved it.`,
  )
})
