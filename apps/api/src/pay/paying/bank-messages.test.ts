import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { booksEndpoints, type JournalLine } from '@tallyroom/contract/pay/books/books'
import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints, type RunLine } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { genericLayout, seenOf } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { twoPayees } from '../../../test/two-payees.ts'
import type { Viewer } from '../../access/viewer.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { booksRoutes } from '../books/books.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
  ...booksRoutes(services),
  ...dashboardRoutes(services),
])
const runs = paymentRunsEndpoints
const results = paymentResultsEndpoints

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
    format: 'pain.001',
    payer: { name: 'Tally Ltd', account: '000815004711', bic: 'BOPIPHMM' },
  }
  const body = { name: `Message ${randomInt(2 ** 40)}`, layout }
  return (await call(ann, payFilesEndpoints.createPayFileTemplate, { body })).body.id
}

const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body

type Run = {
  id: number
  number: string
  files: string[]
  manila: RunLine
  cebu: RunLine
}

/** A run of 17 February whose files are downloaded, but for those that stay: of one file, or of one for each payee. */
async function sent({ mostLines = 2, stay = 0 } = {}): Promise<Run> {
  at('2026-02-17')
  const templateId = await templateOf(mostLines)
  const body = { period: null, currency: 'PHP', templateId }
  const { id } = (await call(ann, runs.preparePaymentRun, { body })).body
  const params = { id }
  await call(bob, runs.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files, lines, number } = await get(id)
  const names: string[] = files.map(({ name }: { name: string }) => name)
  for (const name of names.slice(0, names.length - stay))
    expect((await call(bob, runs.takePaymentFile, { params, body: { name } })).status).toBe(200)
  const of = (payee: string): RunLine =>
    lines.find((line: RunLine) => line.payee.name === payee) ?? lines[0]
  at('2026-02-19')
  return { id, number, files: names, manila: of('Manila'), cebu: of('Cebu') }
}

const document = (kind: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${kind}">${content}</Document>`
const answer = ({ number }: Run, content: string, group = '') =>
  document(
    'pain.002.001.03',
    `<CstmrPmtStsRpt><GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-02-18T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${number}-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>${content}</CstmrPmtStsRpt>`,
  )
const state = ({ reference }: RunLine, status: string, code = '') =>
  `<OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${code && `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`}</TxInfAndSts></OrgnlPmtInfAndSts>`
const statement = (...entries: string[]) =>
  document(
    'camt.053.001.08',
    `<BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>000815004711</Id></Othr></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt>`,
  )
const entry = (amount: string, day: string, details: string, side = 'DBIT') =>
  `<Ntry><Amt Ccy="PHP">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><ValDt><Dt>${day}</Dt></ValDt><NtryDtls>${details}</NtryDtls></Ntry>`
const named = ({ reference }: RunLine, more = '') =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${more}</TxDtls>`
const back = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'

const read = (id: number, text: string, more: object = {}) =>
  call(ann, results.readResultFile, {
    params: { id },
    body: { file: Buffer.from(text).toString('base64'), columns: null, take: true, ...more },
  })

const owed = async (id: number): Promise<number> =>
  (await call(bob, balancesEndpoints.balance, { params: { kind: 'office', id } })).body.balances[0]
    .balance
const statements = async () =>
  (await call(bob, statementsEndpoints.statements, { query: { page: '1', pageSize: '50' } })).body
    .items as { payee: { name: string }; state: string; paidOn: string | null }[]
const stateOf = async (payee: string) => {
  const one = (await statements()).find((item) => item.payee.name === payee)
  return [one?.state, one?.paidOn]
}
const linesOf = async (id: number) =>
  Object.fromEntries(
    (await get(id)).lines.map(({ payee, ...line }: RunLine) => [payee.name, line]),
  ) as Record<string, RunLine>
const findings = async () => (await verifyPay(db)).findings
/** What moved on the account of the bank in a month, by day: paid out is negative. */
async function atBank(month = '2026-02'): Promise<(string | number)[][]> {
  const { body } = await call(ann, booksEndpoints.journal, { query: { month } })
  return body.lines
    .filter(({ account }: JournalLine) => account === 'bank')
    .map(({ day, debit, credit }: JournalLine): [string, number] => [day, debit - credit])
    .toSorted(
      ([day, amount]: [string, number], [other, less]: [string, number]) =>
        day.localeCompare(other) || amount - less,
    )
}

test('an answer to the file pays, fails, or leaves open, and reading it again changes nothing', async () => {
  const run = await sent()
  const message = answer(run, state(run.manila, 'RJCT', 'AC04') + state(run.cebu, 'ACSP'))
  const checked = await read(run.id, message, { take: false })
  expect(checked.body).toMatchObject({
    refused: null,
    format: { kind: 'message', name: 'pain.002.001.03', account: null },
    failed: 1,
    paid: 0,
    pending: [{ payee: 'Cebu', status: 'ACSP: accepted, being settled' }],
    others: { lines: 0 },
  })
  expect(await owed(world.offices.manila)).toBe(0)
  expect((await read(run.id, message)).status).toBe(200)
  expect(await owed(world.offices.manila)).toBe(300_00)
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'failed', by: 'ann', reason: 'AC04: the account is closed' },
    Cebu: { state: 'sent' },
  })
  const later = answer(run, state(run.manila, 'RJCT', 'AC04') + state(run.cebu, 'ACSC'))
  expect((await read(run.id, later)).body).toMatchObject({ known: 1, paid: 1, failed: 0 })
  expect((await get(run.id)).state).toBe('finished')
  expect((await read(run.id, later)).body).toMatchObject({ known: 2, paid: 0, failed: 0 })
  expect(await findings()).toEqual([])
})

test('a file that the bank’s message refuses fails as a whole, and does not leave a second time', async () => {
  const run = await sent()
  const group = '<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>'
  expect((await read(run.id, answer(run, '', group))).body).toMatchObject({ failed: 2 })
  expect(await owed(world.offices.cebu)).toBe(600_00)
  const { files } = await get(run.id)
  expect(files).toMatchObject([
    {
      refused: {
        on: '2026-02-18',
        by: 'ann',
        reason: 'DU01: the message is a duplicate',
        waits: false,
        byMessage: true,
      },
    },
  ])
  const body = { name: run.files[0]!, again: true }
  const again = await call(bob, runs.takePaymentFile, { params: { id: run.id }, body })
  expect(again.body.message).toContain('The bank refused this file on 2026-02-18')
  const byHand = { name: run.files[0]!, refusedOn: '2026-02-18', reason: 'x' }
  expect(
    (await call(bob, results.enterRefusedFile, { params: { id: run.id }, body: byHand })).body
      .message,
  ).toBe('The bank’s message that ann read has already refused this file on 2026-02-18.')
  // It never was at the bank.
  expect(await atBank()).toEqual([])
  expect(await findings()).toEqual([])
})

test('a message that refuses a file and pays of it takes nothing', async () => {
  const run = await sent()
  const message = answer(run, state(run.cebu, 'ACSC'), '<GrpSts>RJCT</GrpSts>')
  const problem = `entry 1 refuses ${run.files[0]} as a whole, and entry 2 does not`
  expect((await read(run.id, message)).body).toMatchObject({
    paid: 0,
    failed: 0,
    problems: [
      { line: 1, problem },
      { line: 2, problem },
    ],
  })
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'sent' },
    Cebu: { state: 'sent' },
  })
  expect(await findings()).toEqual([])
})

test('a transfer that was reported paid stays paid if its file is refused later, and the rest fails', async () => {
  const run = await sent()
  expect((await read(run.id, answer(run, state(run.cebu, 'ACSC')))).body).toMatchObject({ paid: 1 })
  const refusal = answer(run, state(run.cebu, 'RJCT', 'DU01'), '<GrpSts>RJCT</GrpSts>')
  expect((await read(run.id, refusal)).body).toMatchObject({
    paid: 0,
    failed: 1,
    contradicted: 1,
    returned: [],
    problems: [
      { line: 2, problem: expect.stringContaining(`${run.cebu.reference} was reported paid, and`) },
    ],
  })
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'failed' },
    Cebu: { state: 'paid' },
  })
  expect(await owed(world.offices.cebu)).toBe(0)
  // It does not leave again, as the bank says that it did not take it.
  const body = { name: run.files[0]!, again: true }
  const again = await call(bob, runs.takePaymentFile, { params: { id: run.id }, body })
  expect(again.body.message).toContain('The bank refused this file on 2026-02-18')
  expect(again.body.message).toContain('What failed of it is owed again')
  expect(await findings()).toEqual([])
})

/** Reads a refusal of a run’s file, on the 20th where the bank is. */
async function refuse(run: Run, more: object = {}, messageId = 'B1') {
  at('2026-02-20')
  const group = '<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>'
  const message = answer(run, '', group)
    .replaceAll('2026-02-18T', '2026-02-20T')
    .replace('<MsgId>B1<', `<MsgId>${messageId}<`)
  return { message, body: (await read(run.id, message, more)).body }
}

test('a file that was reported paid in full and is refused later is kept as both', async () => {
  const run = await sent()
  await read(run.id, answer(run, '', '<GrpSts>ACSC</GrpSts>'))
  expect((await refuse(run, { take: false })).body).toMatchObject({ contradicted: 2, known: 0 })
  expect((await get(run.id)).files).toMatchObject([{ refused: null }])

  const { message, body } = await refuse(run)
  expect(body).toMatchObject({ paid: 0, failed: 0, returned: [], contradicted: 2, known: 0 })
  expect(body.problems).toHaveLength(2)
  const { state: became, files, lines } = await get(run.id)
  const both = {
    state: 'paid',
    refused: {
      on: '2026-02-20',
      paidOn: '2026-02-17', // as in the journal; reported on the 19th
      by: 'ann',
      at: expect.stringMatching(/^2026-02-20T/),
      reason: 'DU01: the message is a duplicate',
      message: {
        name: 'pain.002.001.03',
        id: 'B1',
        sha256: createHash('sha256').update(message).digest('hex'),
      },
      isOpen: true,
      settled: null,
    },
  }
  expect(lines).toMatchObject([both, both])
  expect(became).toBe('finished')
  expect(files).toMatchObject([
    {
      refused: {
        on: '2026-02-20',
        by: 'ann',
        reason: both.refused.reason,
        waits: false,
        byMessage: true,
      },
    },
  ])
  // Nothing is owed again, and the file does not leave again.
  expect(await owed(world.offices.cebu)).toBe(0)
  const again = { name: run.files[0]!, again: true }
  expect(
    (await call(bob, runs.takePaymentFile, { params: { id: run.id }, body: again })).body.message,
  ).toBe(
    'The bank refused this file on 2026-02-20: “DU01: the message is a duplicate”. So it does not leave a second time. What was reported paid stays paid: ask your bank which is true.',
  )
  expect((await refuse(run)).body).toMatchObject({ contradicted: 0, known: 2 })
  expect(await findings()).toEqual([])
})

test('what was paid and refused is owed again once two people enter that it came back', async () => {
  const run = await sent()
  await read(run.id, answer(run, '', '<GrpSts>ACSC</GrpSts>'))
  await refuse(run)
  const body = { lineId: run.cebu.id, returnedOn: '2026-02-20', reason: 'Never left' }
  const params = { id: run.id }
  const { proposalId } = (await call(ann, results.returnPayment, { params, body })).body
  expect(await owed(world.offices.cebu)).toBe(0)
  const approve = { params: { id: proposalId } }
  expect((await call(bob, payProposalsEndpoints.approvePayProposal, approve)).status).toBe(200)
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'paid', refused: { on: '2026-02-20', isOpen: true } },
    Cebu: { state: 'returned', refused: { on: '2026-02-20', isOpen: false, settled: null } },
  })
  expect(await findings()).toEqual([])
})

/** Enters that transfers were paid after all. */
const settleAs = (
  who: Viewer,
  { id }: Run,
  lines: readonly RunLine[],
  note = 'Mail of Ms Reyes of 20 February',
) =>
  call(who, results.settleRefusals, {
    params: { id },
    body: { lineIds: lines.map((line) => line.id), note },
  })

/** A run that was reported paid in full, and whose file was refused on the 20th. */
async function contradicted(): Promise<Run> {
  const run = await sent()
  await read(run.id, answer(run, '', '<GrpSts>ACSC</GrpSts>'))
  await refuse(run)
  return run
}

test('that a refused transfer was paid after all is kept, and settles it once', async () => {
  const run = await contradicted()
  const before = await atBank()
  const pressed = await Promise.all([1, 2].map(() => settleAs(bob, run, [run.manila])))
  expect(pressed.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409,
  ])
  expect(pressed.find(({ status }) => status === 200)?.body).toEqual({ settled: 1 })
  const manila = {
    state: 'paid',
    refused: {
      on: '2026-02-20',
      isOpen: false,
      settled: {
        at: expect.stringMatching(/^2026-02-20T/),
        by: 'bob',
        note: 'Mail of Ms Reyes of 20 February',
      },
    },
  }
  expect(await linesOf(run.id)).toMatchObject({
    Manila: manila,
    Cebu: { refused: { isOpen: true, settled: null } },
  })
  // All of them or none.
  const again = await settleAs(ann, run, [run.cebu, run.manila])
  expect([again.status, again.body.message]).toEqual([
    409,
    expect.stringMatching(
      new RegExp(`^bob has already entered on .+ that ${run.manila.reference} was paid after all`),
    ),
  ])
  expect((await linesOf(run.id))['Cebu']).toMatchObject({ refused: { isOpen: true } })

  // The file still does not leave again, but nobody has to ask any more.
  expect((await settleAs(ann, run, [run.cebu])).status).toBe(200)
  const body = { name: run.files[0]!, again: true }
  const taken = await call(bob, runs.takePaymentFile, { params: { id: run.id }, body })
  expect(taken.body.message).toBe(
    'The bank refused this file on 2026-02-20: “DU01: the message is a duplicate”. So it does not leave a second time.',
  )
  // Nor does the same message ask again.
  expect((await refuse(run)).body).toMatchObject({ contradicted: 0, known: 2, problems: [] })
  expect(await linesOf(run.id)).toMatchObject({ Manila: manila })
  expect(await owed(world.offices.manila)).toBe(0)
  expect(await atBank()).toEqual(before)
  expect(await findings()).toEqual([])
})

test('another message that refuses what is settled asks again, and tells of it', async () => {
  const run = await contradicted()
  await settleAs(bob, run, [run.manila, run.cebu])
  const second = await refuse(run, {}, 'B2')
  expect(second.body).toMatchObject({ contradicted: 2, known: 0 })
  expect(second.body.problems[0].problem).toMatch(
    /^\S+ was reported paid, and this refuses .+ as a whole once more\. bob entered on .+ that it was paid after all\. It stays paid: ask your bank again$/,
  )
  const { count } = await db
    .selectFrom('facts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', 'payment.contradicted')
    .where(sql<boolean>`(subject ->> 'runId')::bigint = ${run.id}`)
    .executeTakeFirstOrThrow()
  expect(count).toBe(2)
  expect(await findings()).toEqual([])
})

test('whoever entered by hand that it was paid does not settle what the bank says of it', async () => {
  const run = await sent()
  const paid = { params: { id: run.id }, body: { allPaid: true } }
  expect((await call(bob, results.enterPaymentResults, paid)).status).toBe(200)
  await refuse(run)
  const own = await settleAs(bob, run, [run.cebu])
  expect([own.status, own.body.message]).toEqual([
    409,
    `You entered that ${run.cebu.reference} was paid, so somebody else asks the bank and enters what it says.`,
  ])
  expect((await settleAs(ann, run, [run.cebu])).status).toBe(200)
})

test('whoever approves that it came back reads that somebody entered otherwise', async () => {
  const run = await contradicted()
  await settleAs(bob, run, [run.cebu])
  const body = { lineId: run.cebu.id, returnedOn: '2026-02-20', reason: 'Never left' }
  await call(ann, results.returnPayment, { params: { id: run.id }, body })
  const waiting = (await call(bob, payProposalsEndpoints.payProposals)).body
  expect(waiting.at(-1).why).toMatch(
    /^It puts money back without the bank’s file\. bob entered on .+ that it was paid after all: “Mail of Ms Reyes of 20 February”\.$/,
  )
})

test('only what was reported paid and is refused is settled', async () => {
  const run = await sent()
  await read(run.id, answer(run, state(run.cebu, 'ACSC')))
  await refuse(run)
  const why = async (lines: readonly RunLine[]) => {
    const { status, body } = await settleAs(bob, run, lines)
    return [status, body.message]
  }
  expect(await why([run.manila])).toEqual([
    409,
    `No message of the bank refuses ${run.manila.reference} beside its payment.`,
  ])
  expect((await why([{ ...run.cebu, id: 999_999 }]))[0]).toBe(404)
  const params = { id: run.id }
  const body = { lineId: run.cebu.id, returnedOn: '2026-02-20', reason: 'Never left' }
  const { proposalId } = (await call(ann, results.returnPayment, { params, body })).body
  expect(await why([run.cebu])).toEqual([
    409,
    `ann has entered that ${run.cebu.reference} came back, which waits for a second person. Refuse or withdraw that first.`,
  ])
  await call(bob, payProposalsEndpoints.approvePayProposal, { params: { id: proposalId } })
  expect(await why([run.cebu])).toEqual([
    409,
    `${run.cebu.reference} came back on 2026-02-20, which settles what the bank said.`,
  ])
  expect(await findings()).toEqual([])
})

test('what was paid after all can still come back', async () => {
  const run = await contradicted()
  await settleAs(bob, run, [run.manila, run.cebu])
  at('2026-02-25')
  await read(run.id, statement(entry('600.00', '2026-02-24', named(run.cebu, back), 'CRDT')))
  expect((await linesOf(run.id))['Cebu']).toMatchObject({
    state: 'returned',
    refused: { isOpen: false, settled: { by: 'bob' } },
  })
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await findings()).toEqual([])
})

test('who pays is told once that the bank refused what was reported paid, and Home leads to the run until it is settled', async () => {
  const run = await contradicted()
  await refuse(run)
  const facts = await db
    .selectFrom('facts')
    .select(['by_account_id', 'subject'])
    .where('kind', '=', 'payment.contradicted')
    .where(sql<boolean>`(subject ->> 'runId')::bigint = ${run.id}`)
    .execute()
  expect(facts).toEqual([
    {
      by_account_id: ann.accountId,
      subject: {
        runId: run.id,
        number: run.number,
        transfers: 2,
        amount: 900_00,
        currency: 'PHP',
      },
    },
  ])
  const need = async () => (await call(bob, homeEndpoints.home)).body.network.needs.pay.contradicted
  const since = expect.stringMatching(/^2026-02-20T/)
  expect(await need()).toEqual({ count: 2, since, runId: run.id })
  await settleAs(bob, run, [run.manila])
  expect(await need()).toEqual({ count: 1, since, runId: run.id })
  await settleAs(bob, run, [run.cebu])
  expect(await need()).toBeNull()
})

test('of what came back before its file was refused, nobody has to ask', async () => {
  const run = await sent()
  await read(run.id, answer(run, state(run.cebu, 'ACSC')))
  at('2026-02-21')
  await read(run.id, statement(entry('600.00', '2026-02-20', named(run.cebu, back), 'CRDT')))
  expect((await refuse(run)).body).toMatchObject({ failed: 1, contradicted: 0, known: 1 })
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'failed', refused: null },
    Cebu: { state: 'returned', refused: { on: '2026-02-20' } },
  })
  expect(await owed(world.offices.cebu)).toBe(600_00)
  expect(await findings()).toEqual([])
})

test.each([
  ['update payment_refusals set refused_on = refused_on + 1', /differs from its seal/],
  ['delete from payment_refusals', /is sealed but missing/],
  ["update settled_refusals set note = 'By phone'", /differs from its seal/],
  ['delete from settled_refusals', /is sealed but missing/],
])('the owner’s %s is named, and keeps files from leaving', async (change, finding) => {
  const run = await sent()
  await read(run.id, answer(run, '', '<GrpSts>ACSC</GrpSts>'))
  await refuse(run)
  await settleAs(bob, run, [run.cebu])
  expect(await findings()).toEqual([])
  await execute(database.connection, change)
  expect((await findings()).join()).toMatch(finding)
  const body = { name: run.files[0]!, again: true }
  const taken = await call(bob, runs.takePaymentFile, { params: { id: run.id }, body })
  expect(taken.body.message).toMatch(finding)
})

test('a file that is paid as a whole is paid on the day that it asked for', async () => {
  const run = await sent()
  // The message is of the 18th, the file of the 19th.
  expect((await read(run.id, answer(run, '', '<GrpSts>ACSC</GrpSts>'))).body).toMatchObject({
    paid: 2,
  })
  expect(await stateOf('Manila')).toEqual(['paid', '2026-02-19'])
  expect(await findings()).toEqual([])
})

test('a statement pays on the bank’s value day, in the books and for the payee', async () => {
  const run = await sent()
  const message = statement(
    entry('300.00', '2026-02-18', named(run.manila)),
    entry('12.50', '2026-02-18', '<TxDtls><Refs><EndToEndId>RENT</EndToEndId></Refs></TxDtls>'),
  )
  expect((await read(run.id, message)).body.data).toEqual({
    othersSeen: ['must be seen: the file has lines of others'],
  })
  at('2026-02-24')
  expect((await read(run.id, message, { othersSeen: true })).body).toMatchObject({
    paid: 1,
    others: { lines: 1 },
  })
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'paid', paidOn: '2026-02-18' },
    Cebu: { state: 'sent', paidOn: null },
  })
  expect(await stateOf('Manila')).toEqual(['paid', '2026-02-18'])
  // Of Cebu’s, no statement says another day than that of its file.
  expect(await atBank()).toEqual([
    ['2026-02-17', -600_00],
    ['2026-02-18', -300_00],
  ])
  expect(await findings()).toEqual([])
})

test('what a statement says of a month that is closed moves nothing in it', async () => {
  const run = await sent()
  at('2026-03-02')
  await call(ann, booksEndpoints.closeMonth, { body: { month: '2026-02', evenUnclosed: true } })
  await read(run.id, statement(entry('300.00', '2026-02-18', named(run.manila))))
  expect((await linesOf(run.id))['Manila']).toMatchObject({ paidOn: '2026-02-18' })
  expect(await atBank()).toEqual([
    ['2026-02-17', -600_00],
    ['2026-02-17', -300_00],
  ])
})

test('a failure is of the bank’s day, however late its message is read', async () => {
  const run = await sent()
  at('2026-02-24')
  await read(run.id, answer(run, state(run.manila, 'RJCT', 'AC04')))
  expect(await linesOf(run.id)).toMatchObject({
    Manila: { state: 'failed', failedOn: '2026-02-18' },
    Cebu: { state: 'sent', failedOn: null },
  })
  // Its file asked for the 17th, so it had left by then.
  expect(await atBank()).toEqual([
    ['2026-02-17', -600_00],
    ['2026-02-17', -300_00],
    ['2026-02-18', 300_00],
  ])
  // Nor does a return of what no statement had as paid wait for whoever reads it.
  await read(run.id, statement(entry('600.00', '2026-02-20', named(run.cebu, back), 'CRDT')))
  expect((await linesOf(run.id))['Cebu']).toMatchObject({
    state: 'failed',
    failedOn: '2026-02-20',
  })
  expect((await atBank()).at(-1)).toEqual(['2026-02-20', 600_00])
  expect(await findings()).toEqual([])
})

test('a failure of a month that is closed is booked when its message is read', async () => {
  const run = await sent()
  at('2026-03-02')
  await call(ann, booksEndpoints.closeMonth, { body: { month: '2026-02', evenUnclosed: true } })
  await read(run.id, answer(run, state(run.manila, 'RJCT', 'AC04')))
  expect((await linesOf(run.id))['Manila']).toMatchObject({ failedOn: '2026-02-18' })
  expect(await atBank()).toEqual([
    ['2026-02-17', -600_00],
    ['2026-02-17', -300_00],
  ])
  expect(await atBank('2026-03')).toEqual([['2026-03-02', 300_00]])
  expect(await findings()).toEqual([])
})

test('what one statement has as paid and as returned was paid, and came back on its day', async () => {
  const run = await sent()
  const message = statement(
    entry('300.00', '2026-02-18', named(run.manila)),
    entry('300.00', '2026-02-19', named(run.manila, back), 'CRDT'),
    entry('600.00', '2026-02-18', named(run.cebu)),
  )
  expect((await read(run.id, message)).body).toMatchObject({
    paid: 2,
    failed: 0,
    returned: [{ payee: 'Manila', amount: 300_00, on: '2026-02-19' }],
  })
  expect(await linesOf(run.id)).toMatchObject({
    Manila: {
      state: 'returned',
      paidOn: '2026-02-18',
      returned: { on: '2026-02-19', reason: 'AC04: the account is closed' },
    },
    Cebu: { state: 'paid' },
  })
  expect(await owed(world.offices.manila)).toBe(300_00)
  expect(await stateOf('Manila')).toEqual(['returned', null])
  expect((await read(run.id, message)).body).toMatchObject({ paid: 0, returned: [], known: 2 })
  expect(await findings()).toEqual([])
})

test('a return of a later statement is on the bank’s day, and of another amount it is refused', async () => {
  const run = await sent()
  await read(run.id, statement(entry('300.00', '2026-02-18', named(run.manila))))
  at('2026-02-25')
  const less = statement(entry('275.00', '2026-02-24', named(run.manila, back), 'CRDT'))
  expect((await read(run.id, less)).body).toMatchObject({
    returned: [],
    problems: [{ problem: expect.stringContaining('the amount is ₱275.00') }],
  })
  expect(await owed(world.offices.manila)).toBe(0)
  await read(run.id, statement(entry('300.00', '2026-02-24', named(run.manila, back), 'CRDT')))
  expect((await linesOf(run.id))['Manila']?.returned).toMatchObject({ on: '2026-02-24' })
  expect(await findings()).toEqual([])
})

test('without a reference, amount and account count only once they are ticked', async () => {
  const run = await sent()
  const unnamed =
    '<TxDtls><RltdPties><CdtrAcct><Id><Othr><Id>9876543210</Id></Othr></Id></CdtrAcct></RltdPties></TxDtls>'
  const message = statement(entry('600.00', '2026-02-18', unnamed))
  expect((await read(run.id, message)).body).toMatchObject({
    paid: 0,
    guesses: [
      {
        entry: 1,
        by: 'account',
        amount: 600_00,
        paid: true,
        on: '2026-02-18',
        transfers: [{ reference: run.cebu.reference, payee: 'Cebu' }],
      },
    ],
  })
  expect((await linesOf(run.id))['Cebu']).toMatchObject({ state: 'sent' })
  expect((await read(run.id, message, { guessesSeen: [1] })).body.paid).toBe(1)
  expect((await linesOf(run.id))['Cebu']).toMatchObject({ state: 'paid', paidOn: '2026-02-18' })
  expect(await findings()).toEqual([])
})

test('a sum for the whole file is asked about', async () => {
  const run = await sent()
  const batch = `<Btch><MsgId>${run.number}-1</MsgId><NbOfTxs>2</NbOfTxs></Btch>`
  const message = statement(entry('900.00', '2026-02-18', batch))
  expect((await read(run.id, message, { take: false })).body.guesses).toMatchObject([
    { by: 'sum', amount: 900_00, transfers: [{}, {}] },
  ])
  expect((await read(run.id, message, { guessesSeen: [1] })).body.paid).toBe(2)
  expect((await get(run.id)).state).toBe('finished')
  expect(await findings()).toEqual([])
})

test('what a message says of a file that nobody has downloaded is refused', async () => {
  const run = await sent({ mostLines: 1, stay: 1 })
  const lines = await linesOf(run.id)
  const stays = [run.manila, run.cebu].find(({ file }) => file === run.files[1])!
  const left = [run.manila, run.cebu].find(({ file }) => file === run.files[0])!
  const message = answer(run, state(stays, 'ACSC') + state(left, 'ACSC'))
  expect((await read(run.id, message)).body).toMatchObject({
    paid: 1,
    problems: [
      { problem: `${stays.reference} is in ${run.files[1]}, which nobody has downloaded` },
    ],
  })
  expect(Object.keys(lines)).toHaveLength(2)
  expect((await get(run.id)).state).toBe('sent')
})

test('a failure that waits for a second person is decided by the bank’s message', async () => {
  const run = await sent()
  const body = { lines: [{ reference: run.manila.reference, paid: false, reason: 'Closed' }] }
  await call(ann, results.enterPaymentResults, { params: { id: run.id }, body })
  await read(run.id, answer(run, state(run.manila, 'ACSC')))
  expect((await call(bob, payProposalsEndpoints.payProposals)).body).toMatchObject([
    { outdated: 'ann has entered in the meantime that it was paid.' },
  ])
  expect(await findings()).toEqual([])
})

test('a message that is none, or is about something else, is refused as a file', async () => {
  const run = await sent()
  const other = statement().replace('000815004711', '111111')
  const refused = 'it is a camt.053.001.08 of ••1111, and this run is paid from ••4711'
  expect((await read(run.id, other, { take: false })).body).toMatchObject({ refused, format: null })
  expect((await read(run.id, other)).body.data).toEqual({ file: [refused] })
  expect((await read(run.id, '<?xml version="1.0"?><Workbook/>')).body.data.file).toEqual([
    expect.stringContaining('no bank’s message by ISO 20022'),
  ])
})
