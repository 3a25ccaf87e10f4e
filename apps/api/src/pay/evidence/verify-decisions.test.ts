import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { type AccountHand, DAY_MS } from '@tallyroom/domain/acts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { approveWaiting, genericLayout, seenOf } from '../../../test/payment-world.ts'
import { buildPayWorld } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { remakeSeals, sealWorld, undone } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { changeSealed, sealRows } from '../../seals/seal.ts'
import { payRoutes } from '../pay.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { payeeAccountsRoutes } from '../acts/payee-accounts.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyInside } from '../verify/verify-pay.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
  ...payeeAccountsRoutes(services),
])
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

type World = Awaited<ReturnType<typeof buildPayWorld>>
let world: World
let staff: ReadonlyMap<string, Viewer>

const as = (name: string): Viewer => {
  const who = staff.get(name)
  if (!who) throw new Error(`nobody is called ${name}`)
  return who
}
type Rest<List extends unknown[]> = List extends [unknown, ...infer Others] ? Others : never
const done = async (who: string, ...what: Rest<Parameters<typeof call>>) => {
  const answer = await call(as(who), ...what)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}
const hand = (accountId: number, by: string, kind: AccountHand = 'pay') =>
  recordHand(db, { accountId, kinds: [kind], by: as(by), at: services.clock.now() })

/** Enters an account for an office, as its own sign-in. */
async function enter(office: Viewer, number: string): Promise<number> {
  const body = { institution: 'BOPIPHMM', number, accountName: 'Maria', currency: 'PHP' }
  const answer = await call(office, payeeAccountsEndpoints.enterPayeeAccount, {
    body: { ...body, channel: 'bank' },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.id
}
const confirm = (who: string, id: number, confirmed = true) =>
  done(who, payeeAccountsEndpoints.decideAccount, {
    params: { id },
    body: { confirm: confirmed, reason: confirmed ? '' : 'Not yours' },
  })

/** A run that pays everybody, is approved, and whose files are taken. */
async function pay(templateId: number) {
  const { preparePaymentRun, paymentRun, approvePaymentRun, takePaymentFile } = paymentRunsEndpoints
  const body = { period: null, currency: 'PHP', templateId }
  const params = { id: (await done('pia', preparePaymentRun, { body })).id }
  await done('zoe', approvePaymentRun, { params, body: await seenOf(db, params.id) })
  const { files, lines } = await done('zoe', paymentRun, { params })
  expect(lines).toHaveLength(2)
  await done('zoe', takePaymentFile, { params, body: { name: files[0].name } })
  return { params, references: lines.map((line: { reference: string }) => line.reference) }
}

/**
 * Two offices are paid twice. Everybody did one thing that bars from approving the second run, but for `zoe`, who approved
 * both, and for `dan`, `rex` and `fay`, whose things two people decided. `sam` is one person with its preparer since before, and `zoe` since afterwards.
 */
beforeAll(async () => {
  world = await buildPayWorld(services, { avp: 'instead' })
  await sealWorld(db)
  const found: [string, Viewer][] = []
  for (const username of [
    'pia',
    'bob',
    'cem',
    'ada',
    'dan',
    'hal',
    'tim',
    'fay',
    'rex',
    'zoe',
    'sam',
  ])
    found.push([
      username,
      { ...viewer(), username, accountId: await buildAccount(db, { username }) },
    ])
  staff = new Map(found)
  const [manila, cebu] = await Promise.all(
    [world.offices.manila, world.offices.cebu].map(async (officeId): Promise<Viewer> => {
      const { id } = await db
        .selectFrom('accounts')
        .select('id')
        .where('office_id', '=', officeId)
        .executeTakeFirstOrThrow()
      const office = viewer({ role: 'company', officeId, agentId: undefined })
      return { ...office, accountId: id, sessionId: await session(id) }
    }),
  )
  await hand(as('sam').accountId, 'pia', 'signed in as')
  await confirm('bob', await enter(manila!, '1234567890'))
  await hand(cebu!.accountId, 'fay', 'password')
  const doubted = await enter(cebu!, '5550001111')
  await confirm('bob', doubted)
  await confirm('cem', doubted)
  await confirm('bob', await enter(cebu!, '5550002222'), false)

  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.sell('b', 'noel', '2026-02-03', { plain: true })
  const payee = { kind: 'office', id: world.offices.manila }
  const { createAdjustment, setPayHold } = balancesEndpoints
  const adjustment = { ...payee, currency: 'PHP', reason: 'A bonus' }
  await done('ada', createAdjustment, { body: { ...adjustment, amount: 100_00 } })
  await done('dan', createAdjustment, { body: { ...adjustment, amount: 90_000_00 } })
  for (const { id } of await done('fay', payProposalsEndpoints.payProposals))
    await done('fay', payProposalsEndpoints.approvePayProposal, { params: { id } })
  await world.close('2026-02-A', '2026-02-16')
  for (const held of [true, false])
    await done('hal', setPayHold, { params: payee, body: { held, reason: 'A dispute' } })

  const first = await pay(1)
  await done('rex', paymentResultsEndpoints.enterPaymentResults, {
    params: first.params,
    body: {
      lines: first.references.map((reference: string) => ({ reference, paid: false, reason: 'x' })),
    },
  })
  await approveWaiting(services)
  const template = await done('tim', payFilesEndpoints.createPayFileTemplate, {
    body: { name: 'Another', layout: genericLayout },
  })
  await pay(template.id)
  await hand(as('zoe').accountId, 'pia')
  await enter(cebu!, '5550003333')
  await done('zoe', setPayHold, { params: payee, body: { held: true, reason: 'A dispute' } })
})

async function session(accountId: number): Promise<string> {
  const id = randomUUID()
  const now = services.clock.now()
  await db
    .insertInto('sessions')
    .values({
      id,
      account_id: accountId,
      started_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + DAY_MS),
      ip: '203.0.113.50',
    })
    .execute()
  return id
}

/** The findings after a change by somebody who makes the seals anew. */
const findingsAfter = (change: string): Promise<string[]> =>
  undone(owner, async (tx) => {
    await sql.raw(change).execute(tx)
    await remakeSeals(tx)
    return (await verifyInside(tx)).findings
  })
const idOf = (name: string) => `(select id from accounts where username = '${name}')`
const approvedBy = (name: string) => `
  update payment_run_steps set made_by = ${idOf(name)}, made_by_name = '${name}'
  where step = 'approved' and run_id = (select max(id) from payment_runs);
  update balance_entries set made_by = ${idOf(name)}
  where kind = 'payment' and run_line_id in (
    select id from payment_run_lines where run_id = (select max(id) from payment_runs)
  )`
/** The account in Cebu that two people confirmed. */
const doubted = `(select id from payee_accounts where doubts <> '{}' order by id limit 1)`
const confirmedBy = (name: string, account: string) => `
  update pay_seals set row_key = ${account} || '/' || ${idOf(name)}
  where table_name = 'payee_account_decisions' and row_key = ${account} || '/' || ${idOf('bob')};
  update payee_account_decisions set decided_by = ${idOf(name)}, decided_by_name = '${name}'
  where decided_by = ${idOf('bob')} and account_id = ${account}`

test('what was decided by the rules has no findings, nor has what happened afterwards', async () => {
  expect(await findingsAfter('select 1')).toEqual([])
})

test.each([
  ['pia', 'prepared this run'],
  ['hal', 'changed the hold of Manila'],
  ['ada', 'entered or took back an adjustment of Manila'],
  ['bob', 'confirmed the account of Manila and 1 more since the last payment to it'],
  ['cem', 'confirmed the account of Cebu since the last payment to it'],
  ['tim', 'changed the bank template of this run'],
  ['sam', 'had the account used by pia on 1 Feb 2026, and pia prepared this run'],
])('a run that %s approved is named', async (name, why) => {
  const found = (await findingsAfter(approvedBy(name))).map((one) =>
    one.replaceAll(/-\d+(?=[ ,])/g, ''),
  )
  expect(found).toContainEqual(expect.stringContaining(`${name}, who approved R-2026, ${why}`))
})

test.each(['dan', 'rex', 'fay'])(
  'a run that %s approved is right: two people decided what they did',
  async (name) => {
    expect(await findingsAfter(approvedBy(name))).toEqual([])
  },
)

test.each([
  [
    'a confirmation by whoever entered the account',
    confirmedBy('bob', doubted).replaceAll(
      `set decided_by = ${idOf('bob')}`,
      `set decided_by = (select entered_by from payee_accounts where id = ${doubted})`,
    ),
    /who confirmed payee account \d+, /,
  ],
  [
    'a confirmation by whoever had a hand in its payee',
    confirmedBy('fay', doubted),
    /fay, who confirmed payee account \d+, set the password of .*, and .* (is its payee|entered this account)/,
  ],
  [
    'a second confirmation that is missing',
    `delete from payee_account_decisions where decided_by = ${idOf('cem')}`,
    /P1R\d+N2 is paid to an account that 1 of 2 people had confirmed/,
  ],
  [
    'a confirmation that came after the approval',
    `delete from pay_seals where table_name = 'payee_account_decisions' and row_key like '%/' || ${idOf('cem')};
     delete from payee_account_decisions where decided_by = ${idOf('cem')};
     insert into payee_account_decisions (account_id, decided_by, decided_by_name, confirmed, decided_at)
     select ${doubted}, id, 'cem', true, '2026-02-01T15:00:00Z' from accounts where username = 'cem'`,
    /P1R\d+N2 is paid to an account that 1 of 2 people had confirmed/,
  ],
  [
    'a doubted account that needs one confirmation',
    `update payee_accounts set confirmations = 1 where id = ${doubted};
     delete from payee_account_decisions where decided_by = ${idOf('cem')}`,
    /Payee account \d+ counts with one confirmation, but needs two \(password set\)/,
  ],
  [
    'an account whose doubts are gone',
    `update payee_accounts set confirmations = 1, doubts = '{}', doubt_details = null where id = ${doubted}`,
    /Payee account \d+ counts with one confirmation, but needs two \(password set\)/,
  ],
  [
    'an account that was refused',
    `update payee_account_decisions set confirmed = false, reason = 'x' where decided_by = ${idOf('cem')}`,
    /P1R\d+N2 is paid to an account that had been refused/,
  ],
  [
    'an account of another payee',
    'update payment_run_lines set account_id = (select min(id) from payee_accounts)',
    /P1R\d+N2 is paid to an account that is not its payee’s/,
  ],
  [
    'an account that was entered after the approval',
    'update payment_run_lines set account_id = (select max(id) from payee_accounts)',
    /P1R\d+N2 is paid to an account that is not its payee’s/,
  ],
  [
    'an account that had been replaced',
    `delete from payee_account_decisions where not confirmed`,
    /P1R\d+N2 is paid to an account that its payee had replaced/,
  ],
  [
    'an account that was too new',
    `update payee_accounts set paid_from = '2026-02-17'`,
    /P1R\d+N1 was approved before its account could be paid, on 2026-02-17/,
  ],
  [
    'a payee on hold',
    'delete from pay_holds where not held',
    /P1R\d+N1 was approved while its payee was on hold/,
  ],
  [
    'a proposal that its author approved',
    `update pay_proposal_decisions set made_by = ${idOf('dan')}, made_by_name = 'dan'`,
    /dan, who approved proposal \d+, entered it/,
  ],
  [
    'an approval without files',
    'delete from payment_run_files; delete from payment_file_downloads',
    /The files of R-2026-\d+ differ from its lines/,
  ],
  [
    'files of other amounts',
    'update payment_run_files set amount = amount + 1',
    /The files of R-2026-\d+ differ from its lines/,
  ],
  [
    'a download of other bytes',
    'update payment_file_downloads set sha256 = sha256(sha256)',
    /Download \d+ of R-2026-\d+ was not of a file that was approved/,
  ],
])('%s is named', async (_what, change, finding) => {
  expect((await findingsAfter(change)).join('\n')).toMatch(finding)
})

test('a row that was deleted and entered again is named, though both are sealed', async () => {
  const which = { only_row: true }
  const findings = await undone(owner, async (tx) => {
    const state = await tx.selectFrom('pay_state').selectAll().executeTakeFirstOrThrow()
    await changeSealed(tx, 'pay_state', which, () => tx.deleteFrom('pay_state').execute())
    await tx.insertInto('pay_state').values(state).execute()
    await sealRows(tx, 'pay_state', which)
    return (await verifyInside(tx)).findings
  })
  expect(findings).toEqual([
    expect.stringMatching(/The state of pay true was deleted before seal \d+/),
  ])
})

const apart = (ms: number) => `
  update balance_entries set made_at = made_at + interval '${ms} milliseconds' where kind = 'payment'
`
const untilNow = 'update pay_seal_head set last_loose = number'
const LATER_THAN_ITS_STEP = expect.stringMatching(/^The balance entry “payment” of \w+ differs/)

test.each([
  ['a millisecond', apart(1)],
  ['a millisecond before', apart(-1)],
])('rows of one act have one instant: %s is named', async (_, change) => {
  const findings = await findingsAfter(change)
  expect(findings).toHaveLength(4)
  expect(findings).toEqual(findings.map(() => LATER_THAN_ITS_STEP))
})

test.each([
  ['10 milliseconds', 10, 0],
  ['10 milliseconds before', -10, 0],
  ['11 seconds', 11_000, 4],
  ['11 seconds before', -11_000, 4],
])('in a database from before, they may be a little apart: %s', async (_, ms, named) => {
  const findings = await undone(owner, async (tx) => {
    await sql.raw(untilNow).execute(tx)
    await sql.raw(apart(ms)).execute(tx)
    return (await verifyInside(tx)).findings
  })
  expect(findings).toEqual(Array.from({ length: named }, () => LATER_THAN_ITS_STEP))
})

test('the app can’t say up to where rows may be apart', async () => {
  await expect(sql.raw(untilNow).execute(db)).rejects.toThrow('permission denied')
})
