import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { DAY_MS } from '@tallyroom/domain/acts'
import { randomUUID } from 'node:crypto'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { seenOf } from '../../../test/payment-world.ts'
import { buildSealedRows } from '../../../test/sealed-rows.ts'
import { buildPayWorld } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import {
  type Sealed,
  sealedColumnsOf,
  type SealedTable,
  sealedTableNames,
  sealedTables,
} from '../../seals/sealed-tables.ts'
import { payeeAccountsRoutes } from '../acts/payee-accounts.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { findContents } from '../seconds/contents.queries.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
const told: string[][] = []
const call = await callRoutes(
  [
    ...payRoutes(services),
    ...payProposalsRoutes(services),
    ...paymentRunsRoutes(services),
    ...payeeAccountsRoutes(services),
  ],
  { tellOfForgery: async (findings) => void told.push([...findings]) },
)
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

const { preparePaymentRun, paymentRun, approvePaymentRun, takePaymentFile, cancelPaymentRun } =
  paymentRunsEndpoints
const everybody = { period: null, currency: 'PHP', templateId: 1 }
const staff = new Map<string, Viewer>()
const as = (name: string): Viewer => staff.get(name) ?? expect.unreachable(`nobody is ${name}`)

/** A run that is sent, and one that is prepared: which one an act is about. */
const runs = { sent: 0, prepared: 0, file: '' }
let world: Awaited<ReturnType<typeof buildPayWorld>>
let cebu: Viewer
/** An account in Cebu that awaits its confirmation. */
let waiting = 0

const enter = async (office: Viewer, number: string): Promise<number> => {
  const body = { institution: 'BOPIPHMM', number, accountName: 'Maria', currency: 'PHP' }
  const answer = await call(office, payeeAccountsEndpoints.enterPayeeAccount, {
    body: { ...body, channel: 'bank' },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.id
}
const confirm = (id: number, who = 'bob') =>
  call(as(who), payeeAccountsEndpoints.decideAccount, {
    params: { id },
    body: { confirm: true, reason: '' },
  })
const prepare = () => call(as('pia'), preparePaymentRun, { body: everybody })
const approve = async (id: number, body?: object) =>
  call(as('zoe'), approvePaymentRun, { params: { id }, body: body ?? (await seenOf(db, id)) })
const takeAgain = () =>
  call(as('zoe'), takePaymentFile, {
    params: { id: runs.sent },
    body: { name: runs.file, again: true },
  })

/** Manila was paid once and is about to be paid again. Every table on which that rests has a row. */
beforeAll(async () => {
  world = await buildPayWorld(services, { avp: 'instead' })
  await sealWorld(db)
  for (const username of ['pia', 'bob', 'cara', 'zoe', 'ann'])
    staff.set(username, { ...viewer(), username, accountId: await buildAccount(db, { username }) })
  const [manila, other] = await Promise.all(
    [world.offices.manila, world.offices.cebu].map(officeViewer),
  )
  cebu = other!
  const first = await enter(manila!, '1234567890')
  expect(await confirm(first)).toMatchObject({ status: 200 })
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.sell('b', 'noel', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  runs.sent = (await prepare()).body.id
  expect(await approve(runs.sent)).toMatchObject({ status: 200 })
  runs.file = (await call(as('zoe'), paymentRun, { params: { id: runs.sent } })).body.files[0].name
  expect(
    await call(as('zoe'), takePaymentFile, {
      params: { id: runs.sent },
      body: { name: runs.file },
    }),
  ).toMatchObject({ status: 200 })
  expect(
    await call(as('zoe'), paymentResultsEndpoints.enterPaymentResults, {
      params: { id: runs.sent },
      body: { allPaid: true },
    }),
  ).toMatchObject({ status: 200 })
  await addRows(world.offices.manila)
  await sealWorld(db)
  // Somebody else has the account, too, so it needs two confirmations.
  expect(await confirm(first, 'cara')).toMatchObject({ status: 200 })
  await world.sell('c', 'maria', '2026-02-18', { plain: true })
  await world.close('2026-02-B', '2026-03-02')
  await sealWorld(db)
  const prepared = await prepare()
  expect(prepared).toMatchObject({ status: 200 })
  runs.prepared = prepared.body.id
}, 240_000)

async function officeViewer(officeId: number): Promise<Viewer> {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', officeId)
    .executeTakeFirstOrThrow()
  const sessionId = randomUUID()
  const now = services.clock.now()
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      account_id: id,
      started_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + DAY_MS),
      ip: '203.0.113.50',
    })
    .execute()
  const office = viewer({ role: 'company', officeId, agentId: undefined })
  return { ...office, accountId: id, sessionId }
}

/** What people also do in a network's life, as far as it leaves rows on which the payment rests. */
async function addRows(officeId: number): Promise<void> {
  const at = services.clock.now()
  const who = { made_at: at, made_by: as('ann').accountId, made_by_name: 'ann' }
  const set = { set_at: at, set_by: as('ann').accountId }
  const payee = { payee_kind: 'office', payee_id: officeId }
  const balance = { ...payee, currency: 'PHP', amount: 50_00 }
  const { id: account } = await db
    .selectFrom('payee_accounts')
    .select('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('adjustments')
    .values({ ...balance, reason: 'A bonus', ...who })
    .execute()
  await db
    .insertInto('pay_minimums')
    .values({ ...balance, ...set })
    .execute()
  await db
    .insertInto('pay_proposals')
    .values({ kind: 'adjustment', ...balance, reason: 'x', why: 'Above its limit.', ...who })
    .execute()
  await db
    .insertInto('pay_proposal_decisions')
    .values({ proposal_id: 1, decision: 'refused', reason: 'No', ...who })
    .execute()
  for (const held of [true, false])
    await db
      .insertInto('pay_holds')
      .values({ ...payee, held, reason: 'A dispute', ...set, set_by_name: 'ann' })
      .execute()
  await db
    .insertInto('payee_tax_details')
    .values({
      ...payee,
      from_day: '2027-01-01',
      registered_name: 'Manila Leads',
      country: 'PH',
      tax_number: '123-456-789',
      address: 'Makati',
      ...set,
      set_by_name: 'ann',
    })
    .execute()
  await db
    .insertInto('payee_account_shares')
    .values({ account_id: account, payee_kind: 'office', payee_id: 999, noted_at: at })
    .execute()
  const bob = { made_at: at, made_by: as('bob').accountId, made_by_name: 'bob' }
  const content = (await findContents(db, 'account', [account])).get(account)!
  await db
    .insertInto('act_factors')
    .values({ kind: 'account', thing_id: account, ...bob, content })
    .execute()
  const key = { credential_id: Buffer.from('bob'), public_key: Buffer.from('his') }
  await db
    .insertInto('passkey_changes')
    .values({ account_id: bob.made_by, ...key, kind: 'added', made_at: at })
    .execute()
  await db
    .insertInto('pay_exchange_rates')
    .values({ period: '2025-01-A', pesos_e4: 57_0000, source: 'BSP', ...set })
    .execute()
  await db
    .insertInto('pay_file_template_changes')
    .values({ template_id: 1, made_by: 9_000_001, made_at: at })
    .execute()
  await addTerms(who)
  await db
    .insertInto('account_hands')
    .values({ account_id: as('bob').accountId, kind: 'pay', made_by: 9_000_001, made_at: at })
    .execute()
}

/** What decided about pay long before. */
async function addTerms(who: { made_at: Date; made_by: number; made_by_name: string }) {
  const past = new Date('2019-01-01T05:00:00Z')
  const changed = { until: past, changed_by: who.made_by, changed_by_name: 'ann' }
  const { gamma: site_id } = world.sites
  const { plainType: type_id } = world.types
  await db
    .insertInto('former_site_flags')
    .values({ ...changed, site_id, avp: false, use_approve_sale: false })
    .execute()
  await db
    .insertInto('former_link_type_flags')
    .values({ ...changed, type_id, bonus: false })
    .execute()
  const { id: rate_id } = await db
    .insertInto('rates')
    .values({
      type_id,
      valid_from: past,
      payout_centavos: 1,
      earning_cents: 1,
      lpp: 1,
      bonus_payout_centavos: 0,
      bonus_earning_cents: 0,
      bonus_lpp: 0,
      added_at: past,
      added_by: who.made_by,
      added_by_name: 'ann',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('rate_withdrawals')
    .values({ rate_id, withdrawn_at: past, withdrawn_by: who.made_by, withdrawn_by_name: 'ann' })
    .execute()
  await db
    .insertInto('agent_moves')
    .values({
      agent_id: 1,
      agent_name: 'maria',
      from_office_id: 1,
      from_office_name: 'Cebu',
      to_office_id: 2,
      to_office_name: 'Manila',
      moved_at: past,
      moved_by: who.made_by,
      moved_by_name: 'ann',
    })
    .execute()
  const backdating = { type_id, valid_from: past, reason: 'x', request_id: randomUUID(), sales: 0 }
  await db
    .insertInto('rate_backdatings')
    .values({ ...backdating, payout_centavos: 0, earning_cents: 0, ...who })
    .execute()
}

type Saved = { row: string }

/** Runs `work` while a row is changed or removed by SQL, then puts it back. */
async function whileForged<T>(
  table: SealedTable,
  forge: (row: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await owner.pool.query<{ place: string; saved: Saved }>(
    `select ctid::text as place, to_jsonb(one) as saved from ${table} as one
     where ${table === 'pay_file_templates' ? `id = ${everybody.templateId}` : 'true'}
     order by ctid desc limit 1`,
  )
  const [one] = rows
  if (!one) throw new Error(`${table} has no row`)
  await owner.pool.query(forge(`ctid = '${one.place}'`))
  try {
    return await work()
  } finally {
    const { key }: Sealed = sealedTables[table]
    const saved = `jsonb_populate_record(null::${table}, $1::jsonb) as saved`
    const put = (column: string) => `"${column}" = saved."${column}"`
    const { rowCount } = await owner.pool.query(
      `update ${table} as one
       set ${sealedColumnsOf(table)
         .filter((column) => !key.includes(column))
         .map(put)
         .join(', ')}
       from ${saved} where ${key.map((column) => `one.${put(column)}`).join(' and ')}`,
      [JSON.stringify(one.saved)],
    )
    if (rowCount === 0)
      await owner.pool.query(
        `insert into ${table} overriding system value select (saved).* from ${saved}`,
        [JSON.stringify(one.saved)],
      )
  }
}

/** A value that a thief would like to be another one. Of tables that are not here, closing makes statements. */
const changes: Partial<Record<SealedTable, string>> = {
  pay_state: `first_day = first_day - 1`,
  pay_settings: `set_by = set_by + 1`,
  pay_exchange_rates: `source = 'another'`,
  pay_periods: `closed_by_name = 'nobody'`,
  statements: `payee_name = 'another'`,
  adjustments: `reason = 'another'`,
  pay_proposals: `reason = 'another'`,
  pay_proposal_decisions: `made_by_name = 'nobody'`,
  pay_holds: `reason = 'another'`,
  pay_minimums: `amount = amount - 1`,
  payee_tax_details: `address = 'elsewhere'`,
  payee_accounts: `entered_by_name = 'nobody'`,
  payee_account_decisions: `decided_by_name = 'nobody'`,
  act_factors: `made_by_name = 'nobody'`,
  passkey_changes: `public_key = '\\x00'`,
  payee_account_shares: `noted_at = noted_at - interval '1 day'`,
  payment_runs: `prepared_by_name = 'nobody'`,
  payment_run_steps: `made_by_name = 'nobody'`,
  payment_run_lines: `reference = 'another'`,
  payment_results: `made_by_name = 'nobody'`,
  settlements: `made_at = made_at + interval '1 second'`,
  payment_run_files: `amount = amount + 1`,
  payment_file_lines: `name = 'another'`,
  payment_file_downloads: `made_by_name = 'nobody'`,
  pay_file_template_changes: `made_by = 1`,
  pay_file_templates: `name = 'another'`,
  account_hands: `made_by = made_by + 1`,
  pay_grants: `made_by = 1`,
  agent_moves: `moved_by = 1`,
}

/** The same in what closing makes statements of. */
const changedTerms: Partial<Record<SealedTable, string>> = {
  avp_tiers: `payout_centavos = payout_centavos + 1`,
  sites: `avp = not avp`,
  former_site_flags: `avp = not avp`,
  link_types: `bonus = not bonus`,
  former_link_type_flags: `bonus = not bonus`,
  rates: `payout_centavos = payout_centavos + 1`,
  rate_withdrawals: `withdrawn_at = '2026-01-01T05:00:00Z'`,
  rate_backdatings: `payout_centavos = payout_centavos + 1`,
  adjustments: `amount = amount + 1`,
}

/** Nothing came back in this world, no file was refused after it was paid, and nobody was deleted. */
const notHere = new Set<SealedTable>([
  'payment_returns',
  'payment_refusals',
  'settled_refusals',
  'given_up',
])

test('every sealed table is forged here, or is said not to be', () => {
  const forged = { ...changes, ...changedTerms }
  expect(sealedTableNames.filter((table) => !forged[table] && !notHere.has(table))).toEqual([])
})

const ofFiles = new Set<SealedTable>([
  'payment_run_files',
  'payment_file_lines',
  'payment_file_downloads',
])

test.each(Object.entries(changes) as [SealedTable, string][])(
  'whoever pays is told which row of %s was changed or removed, and nothing is paid',
  async (table, change) => {
    const { says } = sealedTables[table]
    const act = ofFiles.has(table) ? takeAgain : () => approve(runs.prepared, seen)
    const seen = await seenOf(db, runs.prepared)
    for (const [forge, sentence] of [
      [(row: string) => `update ${table} set ${change} where ${row}`, 'differs from its seal'],
      [(row: string) => `delete from ${table} where ${row}`, 'is sealed but missing'],
    ] as const) {
      told.length = 0
      const answer = await whileForged(table, forge, act)
      if (answer.status === 404) continue // the run itself is gone
      expect(answer).toMatchObject({ status: 409 })
      expect(answer.body.message).toContain(says)
      expect(answer.body.message).toContain(sentence)
      expect(told).toHaveLength(1)
    }
    const { rows } = await sql<{ steps: number }>`
      select count(*) as steps from payment_run_steps where run_id = ${runs.prepared}
    `.execute(db)
    expect(rows[0]?.steps).toBe(0)
  },
  120_000,
)

/** Changes entries of balances by SQL while `work` runs. They have no seals, as they follow from rows that have. */
async function whileEntries<T>(forge: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await owner.pool.query<{ kept: unknown }>(
    'select jsonb_agg(entry) as kept from balance_entries as entry',
  )
  await owner.pool.query(forge)
  try {
    return await work()
  } finally {
    await owner.pool.query('delete from balance_entries')
    await owner.pool.query(
      'insert into balance_entries select * from jsonb_populate_recordset(null::balance_entries, $1::jsonb)',
      [JSON.stringify(rows[0]?.kept)],
    )
  }
}

const lineOfEntry = `(select run_line_id from balance_entries where kind = 'payment' limit 1)`
const changedStatement = (which: 'min' | 'max') => `
  update balance_entries set amount = amount + 50000
  where id = (
    select ${which}(id) from balance_entries
    where kind = 'statement'
      and payee_id = (select payee_id from balance_entries where kind = 'payment' limit 1)
  )`
const copied = (kind: string, of: string) => `
  insert into balance_entries
    (payee_kind, payee_id, currency, amount, kind, run_line_id, statement_id, made_at, made_by)
  select payee_kind, payee_id, currency, abs(amount), '${kind}', ${of}, made_at, made_by
  from balance_entries where kind = 'payment' limit 1`

test.each([
  [
    'an older statement added more',
    changedStatement('min'),
    /differs from its balance entry|carried in a different balance/,
  ],
  ['the newest statement added more', changedStatement('max'), /differs from its balance entry/],
  [
    'a statement that nobody made added something',
    copied('statement', 'null, 987654'),
    /is of a statement that does not exist/,
  ],
  [
    'a payment was never made',
    `delete from balance_entries where kind = 'payment'`,
    /The balance lacks the entry “payment” of P1R/,
  ],
  [
    'a payment failed',
    copied('failed', `${lineOfEntry}, null`),
    /has an entry “failed” of P1R\S+, which should not exist/,
  ],
  [
    'a payment came back',
    copied('returned', `${lineOfEntry}, null`),
    /has an entry “returned” of P1R\S+, which should not exist/,
  ],
  [
    'a payment was cancelled',
    copied('cancelled', `${lineOfEntry}, null`),
    /has an entry “cancelled” of P1R\S+, which should not exist/,
  ],
])('nobody is paid a balance to which SQL says that %s', async (_says, forge, finding) => {
  const seen = await seenOf(db, runs.prepared)
  told.length = 0
  const answer = await whileEntries(forge, () => approve(runs.prepared, seen))
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toMatch(finding)
  expect(told).toHaveLength(1)
})

test('what was paid outside is not approved by a balance that SQL changed', async () => {
  const entered = await call(as('ann'), balancesEndpoints.payOutside, {
    body: {
      kind: 'office',
      id: world.offices.cebu,
      currency: 'PHP',
      amount: 100_00,
      way: 'cash',
      paidOn: '2026-03-01',
      voucher: 'OR 1',
      reason: 'An advance in cash',
    },
  })
  expect(entered).toMatchObject({ status: 200 })
  const id: number = entered.body.proposalId
  const approving = () =>
    call(as('zoe'), payProposalsEndpoints.approvePayProposal, { params: { id } })
  const answer = await whileEntries(
    `update balance_entries set amount = amount + 50000 where payee_id = ${world.offices.cebu}`,
    approving,
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain('differs from its balance entry')
  expect(await approving()).toMatchObject({ status: 200 })
})

const adjust = (amount: number) =>
  call(as('ann'), balancesEndpoints.createAdjustment, {
    body: { kind: 'office', id: world.offices.cebu, currency: 'PHP', amount, reason: 'A bonus' },
  })

test('nobody adjusts alone by a limit that SQL has raised', async () => {
  const made = `'x', 'x', now(), ${as('ann').accountId}, 'ann'`
  const { rows } = await owner.pool.query<{ id: number }>(
    `insert into pay_proposals (kind, limit_centavos, limit_cents, reason, why, made_at, made_by, made_by_name)
     values ('limits', 900000000, 900000000, ${made}) returning id`,
  )
  const id = Number(rows[0]?.id)
  await owner.pool.query(
    `insert into pay_proposal_decisions (proposal_id, decision, made_at, made_by, made_by_name)
     values (${id}, 'approved', now(), ${as('zoe').accountId}, 'zoe')`,
  )
  told.length = 0
  const answer = await adjust(1_000_000_00)
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain(`Proposal ${id} has no seal`)
  expect(told).toHaveLength(1)

  await owner.pool.query(`delete from pay_proposal_decisions where proposal_id = ${id}`)
  await owner.pool.query(`delete from pay_proposals where id = ${id}`)
  expect(await adjust(1_00)).toMatchObject({ status: 200, body: { proposalId: null } })
})

test('nobody adjusts alone by earlier adjustments that SQL has made smaller', async () => {
  const answer = await whileForged(
    'adjustments',
    (row) => `update adjustments set amount = 1 where ${row}`,
    () => adjust(1_00),
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain('differs from its seal')
})

test('nobody enters an exchange rate alone beside one that SQL has changed', async () => {
  const save = () =>
    call(as('ann'), payEndpoints.savePayExchangeRate, {
      params: { name: '2026-03-A' },
      body: { pesosE4: 58_0000, source: 'BSP' },
    })
  const answer = await whileForged(
    'pay_exchange_rates',
    (row) => `update pay_exchange_rates set pesos_e4 = pesos_e4 + 1 where ${row}`,
    save,
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain('differs from its seal')
  expect(await save()).toMatchObject({ status: 200, body: { proposalId: null } })
})

test('an account that SQL has confirmed is not paid, and its rows are named', async () => {
  waiting = await enter(cebu, '5550001111')
  const before = await verifyWorld(db)
  expect(before.findings).toEqual([])
  services.clock.set('2026-03-06T15:00:00Z') // it is a new account
  for (const [by, name] of [
    [as('ann').accountId, 'ann'],
    [cebu.accountId, 'cebu'],
  ] as const)
    await db
      .insertInto('payee_account_decisions')
      .values({
        account_id: waiting,
        decided_by: by,
        decided_by_name: name,
        confirmed: true,
        decided_at: services.clock.now(),
      })
      .execute()
  told.length = 0
  const answer = await prepare()
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain(
    `Decision about payee account ${waiting}/${as('ann').accountId} has no seal: it was added outside of Tallyroom.`,
  )
  expect(told).toHaveLength(1)
  expect(await confirm(waiting), 'nor confirmed by others').toMatchObject({ status: 409 })
  await owner.pool.query('delete from payee_account_decisions where account_id = $1', [waiting])
})

test.each([
  ['an account', `update accounts set pay = true where username = 'drew'`],
  ['the role of a superadmin', `update accounts set role = 0 where username = 'drew'`],
])('nobody is paid or confirmed once SQL has let somebody pay by %s', async (_by, forge) => {
  const drew = await buildAccount(db, { username: 'drew', role: roleNumber('admin') })
  await owner.pool.query(forge)
  told.length = 0
  const answer = await approve(runs.prepared)
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain('drew may pay, but was not granted it in Tallyroom.')
  expect(await confirm(waiting)).toMatchObject({ status: 409 })
  await expect(world.close('2026-03-A', '2026-03-16')).rejects.toThrow('drew may pay')
  expect((await verifyWorld(db)).findings).toEqual([
    'drew may pay, but was not granted it in Tallyroom.',
  ])
  expect(told).toHaveLength(2)

  await owner.pool.query(
    'insert into pay_grants (account_id, granted, made_at) values ($1, true, $2)',
    [drew, services.clock.now()],
  )
  expect((await approve(runs.prepared)).body.message).toMatch(
    /Grant of the right to pay \d+ has no seal/,
  )
  await owner.pool.query('delete from pay_grants where account_id = $1', [drew])
  await owner.pool.query('delete from accounts where id = $1', [drew])
})

test('with the forged rows gone, what was prepared is approved', async () => {
  expect(await approve(runs.prepared)).toMatchObject({ status: 200 })
}, 60_000)

test('a confirmation with a seal, by somebody who may not confirm, is not paid either', async () => {
  const decided = { account_id: waiting, confirmed: true, decided_at: services.clock.now() }
  await buildSealedRows(db, 'payee_account_decisions', [
    { ...decided, decided_by: as('ann').accountId, decided_by_name: 'ann' },
    { ...decided, decided_by: cebu.accountId, decided_by_name: 'cebu' },
  ])
  const answer = await prepare()
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain(
    `cebu, who confirmed payee account ${waiting}, entered this account.`,
  )
})

test.each(Object.entries(changedTerms) as [SealedTable, string][])(
  'whoever closes a period is told which row of %s was changed',
  async (table, change) => {
    const closing = await whileForged(
      table,
      (row) => `update ${table} set ${change} where ${row}`,
      () => world.close('2026-03-A', '2026-03-16').then(() => 'closed', String),
    )
    expect(closing).toContain(`${sealedTables[table].says} `)
    expect(closing).toContain('differs from its seal')
  },
)

test('a balance that SQL changed is not carried into the next statement', async () => {
  await world.sell('d', 'maria', '2026-03-03', { plain: true })
  const closing = await whileEntries(copied('failed', `${lineOfEntry}, null`), () =>
    world.close('2026-03-A', '2026-03-16').then(() => 'closed', String),
  )
  expect(closing).toContain('which should not exist')
})

test('an adjustment with a seal that is above its limit is on no statement until two people want it', async () => {
  await buildSealedRows(db, 'adjustments', {
    payee_kind: 'office',
    payee_id: world.offices.cebu,
    currency: 'PHP',
    amount: 9_000_000_00,
    reason: 'A bonus',
    made_at: services.clock.now(),
    made_by: as('ann').accountId,
    made_by_name: 'ann',
  })
  await expect(world.close('2026-03-A', '2026-03-16')).rejects.toThrow(
    /Adjustment \d+ of office \d+ is above its limit\. It needs a second person, and nobody approved it\./,
  )
})

test('cancelling gives no forged payment back, and is what is left to do with a run that moved nothing', async () => {
  const cancel = (id: number) =>
    call(as('zoe'), cancelPaymentRun, { params: { id }, body: { reason: 'A mistake' } })
  const more = (id: number) => (row: string) =>
    `update payment_run_lines set amount = amount + 900000 where run_id = ${id} and ${row}`
  const answer = await whileForged('payment_run_lines', more(runs.prepared), () =>
    cancel(runs.prepared),
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(answer.body.message).toContain('differs from its seal')
  expect(await cancel(runs.prepared)).toMatchObject({ status: 200 })

  const manila = { kind: 'office' as const, id: world.offices.manila }
  const again = await call(as('pia'), preparePaymentRun, { body: { ...everybody, only: [manila] } })
  expect(again).toMatchObject({ status: 200 })
  await owner.pool.query(more(again.body.id)('true'))
  expect(await cancel(again.body.id)).toMatchObject({ status: 200 })
})
