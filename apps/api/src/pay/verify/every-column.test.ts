import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownLayout, testDatabase } from '../../../test/database.ts'
import { buildPayWorld } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPayment } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { type Column, findTablesOfPay } from '../../../test/tables-of-pay.ts'
import { sealWorld, undone } from '../../../test/verify-world.ts'
import { tablePlaces } from '../../db/citus/table-places.ts'
import { type Db, openDatabase, type Tx } from '../../db/database.ts'
import { errorCode } from '../../db/transaction.ts'
import { createAdjustment, takeBackAdjustment } from '../acts/adjust.ts'
import { setHold, setMinimum } from '../balances/balances.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { findContents } from '../seconds/contents.queries.ts'
import { verifyInside } from './verify-pay.ts'

/**
 * What may be changed in the database without a word from `cli pay verify`, and why that can't matter. The same list is in
 * docs/security.md. A table that is new, or a column, fails this test until it is sealed (`sealedTables`), recomputed
 * (`verify.ts`), excused here, or its table has no part in pay (`tables-of-pay.ts`).
 */
const excused: Record<string, Record<string, string>> = {
  balance_entries: {
    id: 'only orders the entries; an order that changes what was carried into a statement is named',
  },
  pay_seal_head: {
    only_row: 'keeps the table to one row, and is not read',
    last_loose:
      'up to where rows of one act may be ten seconds apart; only a migration can change it',
  },
  sale_events: {
    occurred_at:
      'its day is compared with the booking; the time only chose its rate, which is compared too',
    recorded_at: 'decides into which closing an event falls; once booked, it is not read again',
    rate_id: 'another rate is named; without one, the amounts are still compared with the booking',
    reversal: 'void, chargeback and fraud cost the same',
    reverses: 'chose the payee and the week of the booking, which keeps them',
    adjusts: 'chose the payee and the week of the booking, which keeps them',
    of_sale: 'chose the payee and the week of the booking, which keeps them',
    restores: 'chose the payee and the week of the booking, which keeps them',
    sold_at: 'chose the week of the booking, which keeps it',
    backdating_id: 'names the reason of a difference, not its amount',
    part_ppm: 'explains the amount of a difference, which is compared with the booking',
    agent_suspended: 'is shown, and pays nothing',
    lpp: 'points are not paid',
    amount_e4: 'what the merchant reported, by which nothing is paid',
    currency: 'of what the merchant reported, by which nothing is paid',
    customer_email: 'is shown, and pays nothing',
    referrer_id: 'is shown, and pays nothing',
    click_id: 'is shown, and pays nothing',
    transaction_id: 'is shown, and pays nothing',
    postback_id: 'is shown, and pays nothing',
  },
}

const database = await testDatabase()
const owner = openDatabase(database.connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
const tables = await findTablesOfPay((text) => owner.pool.query(text))

// Only a superuser can switch foreign keys off. Another owner drops them.
const isSuperuser = await owner.pool
  .query<{ is: boolean }>('select rolsuper as is from pg_roles where rolname = current_user')
  .then(({ rows }) => rows[0]?.is === true)
if (!isSuperuser) await dropForeignKeys()

async function dropForeignKeys(): Promise<void> {
  const { rows } = await owner.pool.query<{ statement: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
  `)
  for (const { statement } of rows) await owner.pool.query(statement)
}

/** The findings after `change`, made by the owner without foreign keys, and undone afterwards. */
const findingsAfter = (change: (tx: Tx) => Promise<unknown>): Promise<string> =>
  undone(owner, async (tx) => {
    if (isSuperuser) await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
    await change(tx)
    return (await verifyInside(tx)).findings.join('\n')
  })

/** Other values for a column, as SQL. The first one that its keys allow is tried. */
function othersOf({ name, type, listed }: Column): string[] {
  const column = `"${name}"`
  if (type === 'text' && listed.length > 0)
    return [
      ...listed.map((value) => `case when ${column} = '${value}' then null else '${value}' end`),
      `${column} || 'x'`,
    ]
  switch (type) {
    case 'boolean':
      return [`not ${column}`]
    case 'smallint':
      return [`${column} + 1`, `${column} + 1000`]
    case 'integer':
    case 'bigint':
      return [`${column} + 1`, `${column} + 1000000`]
    case 'text':
      return [`${column} || 'x'`]
    case 'date':
      return [`${column} + 7`, `${column} + 7000`]
    case 'timestamp with time zone':
      return [`${column} + interval '1 second'`]
    case 'bytea':
      return [String.raw`${column} || '\x01'::bytea`]
    case 'jsonb':
      return [`jsonb_build_array(${column})`]
    case 'uuid':
      return [`'00000000-0000-4000-8000-000000000000'::uuid`]
    case 'ARRAY':
      return [`array_append(${column}, null)`]
    default:
      throw new Error(`no other value for ${type}`)
  }
}

/** A value where there was none. */
const valueOf = ({ type }: Column): string =>
  ({
    boolean: 'true',
    text: `'x'`,
    date: `'2026-02-02'`,
    'timestamp with time zone': `'2026-02-02T12:00:00Z'`,
    bytea: String.raw`'\x01'::bytea`,
    jsonb: `'{}'::jsonb`,
    uuid: `'00000000-0000-4000-8000-000000000000'::uuid`,
    ARRAY: `'{}'`,
  })[type] ?? '1'

const keyOf = (columns: readonly Column[]): string[] =>
  columns
    .filter(({ keyPlace }) => keyPlace !== null)
    .toSorted((one, other) => (one.keyPlace ?? 0) - (other.keyPlace ?? 0))
    .map(({ name }) => name)

/** The check that refused a value. The shards of a table have its name with their own number. */
const brokenCheckOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError && error.code === '23514'
    ? error.constraint?.replace(/_\d+$/, '')
    : undefined

/** A condition for one row, by the values of its key. */
const isRow = (row: Readonly<Record<string, string>>) =>
  sql.join(
    Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    sql` and `,
  )

const textOf = (columns: readonly string[]) =>
  sql.join(columns.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`))

/** On a cluster, no row can change its agent. Whoever could would delete it, and insert it for another one. */
const isImmovable = (table: string, column: string): boolean =>
  ownLayout() === 'distributed' && tablePlaces[table as keyof typeof tablePlaces] === `by ${column}`

async function setValue(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, string>>,
  { name, value }: { name: string; value: string | null },
): Promise<void> {
  if (!isImmovable(table, name)) {
    await sql`
      update ${sql.table(table)} set ${sql.ref(name)} = ${value} where ${isRow(row)}
    `.execute(tx)
    return
  }
  const { rows } = await sql<{ row: object }>`
    select to_jsonb(one) as row from ${sql.table(table)} as one where ${isRow(row)}
  `.execute(tx)
  await sql`delete from ${sql.table(table)} where ${isRow(row)}`.execute(tx)
  await sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(
      null::${sql.table(table)}, ${JSON.stringify({ ...rows[0]?.row, [name]: value })}::jsonb
    )).*
  `.execute(tx)
}

/** Changes one value of the first row that matches. False if none does, or none of its other values is allowed. */
async function changeOne(
  tx: Tx,
  table: string,
  columns: readonly Column[],
  { name, to, where }: { name: string; to: string; where: string },
): Promise<boolean> {
  const key = keyOf(columns)
  // In two steps: Citus computes no new values of distributed rows.
  const { rows } = await sql<Record<string, string>>`
    select ${textOf(key)}, (${sql.raw(to)})::text as "new value"
    from ${sql.table(table)}
    where ${sql.raw(where)}
    order by ${sql.join(key.map((column) => sql.ref(column)))}
    limit 1
  `.execute(tx)
  if (!rows[0]) return false
  const { 'new value': value, ...row } = rows[0]
  for (;;) {
    await sql`savepoint before`.execute(tx)
    try {
      await setValue(tx, table, row, { name, value: value ?? null })
      return true
    } catch (error) {
      await sql`rollback to savepoint before`.execute(tx)
      const check = brokenCheckOf(error)
      if (check === undefined) {
        // A unique or not-null constraint: another value may do.
        if (errorCode(error) === '23505' || errorCode(error) === '23502') return false
        throw error
      }
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(check)}`.execute(tx)
    }
  }
}

/** Whether a changed value of a column is named: another one, none where there was one, and one where there was none. */
async function isNamed(
  table: string,
  columns: readonly Column[],
  column: Column,
): Promise<boolean> {
  const { name, isNullable } = column
  const ways = [
    { where: `"${name}" is not null`, to: othersOf(column) },
    ...(isNullable
      ? [
          { where: `"${name}" is not null`, to: ['null'] },
          { where: `"${name}" is null`, to: [valueOf(column)] },
        ]
      : []),
  ]
  let changes = 0
  for (const { where, to } of ways) {
    let changed = false
    const findings = await findingsAfter(async (tx) => {
      for (const one of to) {
        changed = await changeOne(tx, table, columns, { name, to: one, where })
        if (changed) break
      }
    })
    if (changed && findings === '') return false
    if (changed) changes += 1
  }
  if (changes === 0) throw new Error(`${table}.${name} was not changed: the world lacks a row`)
  return true
}

test.skipIf(ownLayout() === 'distributed')(
  'the app may change and delete this of pay',
  async () => {
    const { rows } = await owner.pool.query<{ right: string }>(
      `select format('%s %s.%s', lower(privilege_type), table_name, column_name) as right
     from information_schema.column_privileges
     where grantee = 'tallyroom_app' and privilege_type = 'UPDATE' and table_name = any($1)
     union all
     select format('%s %s', lower(privilege_type), table_name)
     from information_schema.table_privileges
     where grantee = 'tallyroom_app' and privilege_type in ('DELETE', 'TRUNCATE') and table_name = any($1)`,
      [[...tables.keys()]],
    )
    expect(rows.map(({ right }) => right).toSorted()).toEqual([
      'delete avp_tiers', // a schedule of the future is replaced as a whole
      'delete pay_file_templates', // of which no run was made
      'update pay_file_templates.layout',
      'update pay_file_templates.name',
      'update pay_file_templates.version',
      'update pay_seal_head.hash',
      'update pay_seal_head.number',
      'update payee_accounts.number_digest', // as sealed, with the installation's secret
      'update payee_accounts.sealed',
      'update payment_run_files.sealed',
      'update payment_run_lines.open',
      'update payment_run_lines.removed_because',
      'update payment_run_lines.removed_by',
    ])
  },
)

describe('changed by the owner', () => {
  beforeAll(buildWorld, 120_000)

  test('the world as it is has no findings', async () => {
    expect(await findingsAfter(async () => {})).toBe('')
  })

  test.runIf(ownLayout() === 'distributed')(
    'on a cluster, the agent of a booking or an event can change by no update',
    async () => {
      const immovable = [...tables].flatMap(([table, columns]) =>
        columns.flatMap(({ name }) => (isImmovable(table, name) ? [[table, name] as const] : [])),
      )
      expect(immovable).toEqual([
        ['bookings', 'agent_id'],
        ['sale_events', 'agent_id'],
      ])
      for (const [table, name] of immovable) {
        const update = `update ${table} set ${name} = 1 where ${name} = 2`
        await expect(owner.pool.query(update)).rejects.toThrow('partition value')
      }
    },
  )

  test.each([...tables])(
    'a change of any column of %s is named',
    async (table, columns) => {
      const silent: string[] = []
      for (const column of columns)
        if (!(await isNamed(table, columns, column))) silent.push(column.name)
      expect(silent.filter((name) => !(name in (excused[table] ?? {})))).toEqual([])
    },
    240_000,
  )

  test.each([...tables])(
    'a row of %s that is deleted, or all of them, is named',
    async (table, columns) => {
      const key = keyOf(columns)
      for (const direction of [sql`asc`, sql`desc`]) {
        const order = sql.join(key.map((column) => sql`${sql.ref(column)} ${direction}`))
        const findings = await findingsAfter(async (tx) => {
          const { rows } = await sql<Record<string, string>>`
            select ${textOf(key)} from ${sql.table(table)} order by ${order} limit 1
          `.execute(tx)
          await sql`delete from ${sql.table(table)} where ${isRow(rows[0] ?? {})}`.execute(tx)
        })
        expect(findings).not.toBe('')
      }
      expect(
        await findingsAfter((tx) => sql`delete from ${sql.table(table)}`.execute(tx)),
      ).not.toBe('')
    },
    120_000,
  )
})

/** Two closed half-months, payments of every outcome, and a row in every table of pay. */
async function buildWorld() {
  const { db } = database
  const services = testServices(database)
  const { sell, reverse, close, who, offices, sites, types } = await buildPayWorld(services, {
    avp: 'instead',
  })
  const { rows } = await sql<{ id: number }>`
    insert into rates (
      type_id, office_id, valid_from, payout_centavos, earning_cents, lpp, bonus_payout_centavos,
      bonus_earning_cents, bonus_lpp, note, added_at, added_by, added_by_name
    )
    values
      (${types.plainType}, ${offices.manila}, '2026-01-01T05:00:00Z', 30000, 2500, 1, 0, 0, 0, '', now(), 1, 'ann'),
      (${types.plainType}, null, '2027-01-01T05:00:00Z', 30000, 2500, 1, 0, 0, 0, 'note', now(), 1, 'ann')
    returning id::integer
  `.execute(db)
  const [own, prepared] = rows
  const rated = { rate_id: own!.id, rate_source: 'office' }
  const sale = await sell('a', 'maria', '2026-02-03', {
    id: '00000000-0000-4000-8000-00000000000a',
    plain: true,
    ...rated,
  })
  await sell('b', 'maria', '2026-02-03')
  await sell('c', 'noel', '2026-02-04', { fraud: true, plain: true })
  const payee = { kind: 'office', id: offices.cebu } as const
  const entered = { currency: 'PHP', amount: 12_34, reason: 'A test' } as const
  const taken = await createAdjustment(services, who, payee, entered)
  await takeBackAdjustment(services, who, taken.id!, 'A mistake')
  const { id: adjustmentId } = await createAdjustment(
    services,
    who,
    { kind: 'office', id: offices.manila },
    { ...entered, countsAs: 'not income' },
  )
  await db
    .insertInto('pay_exchange_rates')
    .values({
      period: '2026-02-B',
      pesos_e4: 57_0000,
      source: 'BSP',
      set_at: new Date(0),
      set_by: 1,
    })
    .execute()
  await changeTerms(sites.alpha, types.plainType)
  await close('2026-02-A', '2026-02-16')
  const backdating = { type_id: types.plainType, office_id: offices.manila, reason: 'Late' }
  const made = { made_at: services.clock.now(), made_by: 1, made_by_name: 'ann' }
  const sums = { sales: 1, payout_centavos: 50_00, earning_cents: 0, ...made }
  const valid_from = new Date('2026-02-01T05:00:00Z')
  for (const [id, undoes] of [
    [7, null],
    [8, 7],
  ] as const) {
    const request_id = `00000000-0000-4000-8000-00000000000${id}`
    await db
      .insertInto('rate_backdatings')
      .values({ ...backdating, id, undoes, request_id, valid_from, ...sums })
      .execute()
  }
  await sql`
    insert into rates (
      type_id, office_id, valid_from, payout_centavos, earning_cents, lpp, bonus_payout_centavos,
      bonus_earning_cents, bonus_lpp, note, added_at, added_by, added_by_name, backdating_id
    )
    values (${types.plainType}, ${offices.manila}, ${valid_from}, 35000, 2500, 1, 0, 0, 0, '', now(), 1, 'ann', 7)
  `.execute(db)
  const dearer = await db.selectFrom('rates').select('id').where('backdating_id', '=', 7).execute()
  await sell('d', 'maria', '2026-02-17', {
    plain: true,
    quantity: 0,
    lpp: 0,
    payout_centavos: 50_00,
    earning_cents: 0,
    id: 'dddddddd-0000-4000-8000-000000000000',
    rate_id: dearer[0]!.id,
    rate_source: 'office',
    adjusts: sale,
    backdating_id: 7,
  })
  await db
    .insertInto('rate_withdrawals')
    .values({
      rate_id: prepared!.id,
      withdrawn_at: services.clock.now(),
      withdrawn_by: 1,
      withdrawn_by_name: 'ann',
    })
    .execute()
  await reverse('b', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  await setHold(services, who, payee, { held: true, reason: 'A dispute', told: '' })
  await saveTaxDetails(services, who, payee, {
    fromDay: '2026-06-01',
    registeredName: 'Manila Leads Inc.',
    country: 'PH',
    taxNumber: '123-456-789',
    address: 'Makati',
  })
  await setMinimum(services, who, payee, { amount: 500_00 })
  await buildAccountInForce(db, offices.manila)
  for (const fate of [{ paid: false }, { paid: true, returned: true }, { paid: true }]) {
    services.clock.advance(60_000)
    const at = services.clock.now()
    await buildPayment(db, offices.manila, { currency: 'PHP', amount: 100_00, ...fate, at })
  }
  const { id: runId } = await db
    .selectFrom('payment_runs')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('payment_file_downloads')
    .values({ run_id: runId, name: 'R-1.csv', ...made })
    .execute()

  await db
    .insertInto('pay_file_template_changes')
    .values({ template_id: 1, made_by: 1, made_at: made.made_at })
    .execute()
  await insertProposals(db, { officeId: offices.manila, oppositeOf: adjustmentId!, made })
  await insertGivenUp(db, made)
  await db
    .insertInto('account_hands')
    .values({ account_id: 9_000_001, kind: 'password', made_by: 1, made_at: made.made_at })
    .execute()
  await db
    .insertInto('agent_moves')
    .values({
      agent_id: 1,
      agent_name: 'maria',
      from_office_id: 1,
      from_office_name: 'Cebu',
      to_office_id: offices.manila,
      to_office_name: 'Manila',
      moved_at: made.made_at,
      moved_by: made.made_by,
      moved_by_name: made.made_by_name,
    })
    .execute()
  const key = { credential_id: Buffer.from('an id'), public_key: Buffer.from('a key') }
  await db
    .insertInto('passkey_changes')
    .values({ account_id: 9_000_001, ...key, kind: 'added', made_at: made.made_at })
    .execute()
  await db
    .insertInto('payee_account_shares')
    .values({ account_id: 1, payee_kind: 'office', payee_id: 2, noted_at: made.made_at })
    .execute()
  await db
    .insertInto('payment_run_files')
    .values({
      run_id: runId,
      place: 1,
      name: 'R-1.csv',
      channel: 'Pesos',
      lines: 1,
      amount: 100_00,
      sha256: Buffer.alloc(32),
      sealed: Buffer.alloc(1),
    })
    .execute()
  const [lineOf] = await db
    .selectFrom('payment_run_lines')
    .select('id')
    .where('run_id', '=', runId)
    .execute()
  await db
    .insertInto('payment_file_lines')
    .values({ run_line_id: lineOf!.id, run_id: runId, name: 'R-1.csv' })
    .execute()
  await db
    .insertInto('payment_refusals')
    .values({
      run_line_id: lineOf!.id,
      refused_on: '2026-03-02',
      reason: 'DU01',
      message: 'pain.002.001.10',
      message_id: 'B1',
      sha256: Buffer.alloc(32),
      ...made,
    })
    .execute()
  await db
    .insertInto('settled_refusals')
    .values({ run_line_id: lineOf!.id, note: 'Mail of 3 March', ...made })
    .execute()
  const approval = await db
    .selectFrom('payment_run_steps')
    .select(['made_by', 'made_by_name', 'made_at'])
    .where('run_id', '=', runId)
    .where('step', '=', 'approved')
    .executeTakeFirstOrThrow()
  const content = (await findContents(db, 'run', [runId])).get(runId)!
  await db
    .insertInto('act_factors')
    .values({ kind: 'run', thing_id: runId, ...approval, content })
    .execute()
  await sealWorld(db)
}

/** One of each kind, decided and waiting. */
async function insertProposals(
  db: Db,
  {
    officeId,
    oppositeOf,
    made,
  }: {
    officeId: number
    oppositeOf: number
    made: { made_at: Date; made_by: number; made_by_name: string }
  },
): Promise<void> {
  const balance = { payee_kind: 'office', payee_id: officeId, currency: 'PHP', amount: 12_000_00 }
  const acts = [
    { kind: 'adjustment', ...balance, opposite_of: oppositeOf },
    { kind: 'exchange rate', period: '2026-02-B', pesos_e4: 70_0000, replaces: 1 },
    { kind: 'result', ...balance, run_line_id: 1, bank_reference: 'B1' },
    { kind: 'return', ...balance, run_line_id: 1, returned_on: '2026-03-02' },
    {
      kind: 'refused file',
      currency: 'PHP',
      amount: 100_00,
      run_id: 1,
      file_name: 'R-1.csv',
      refused_on: '2026-03-02',
    },
    { kind: 'limits', limit_centavos: 5_000_00, limit_cents: 100_00 },
    {
      kind: 'payment outside',
      ...balance,
      way: 'cash',
      paid_on: '2026-03-01',
      voucher: '118',
      advanced: 1_00,
      instalments: 2,
    },
    {
      kind: 'money received',
      ...balance,
      way: 'transfer',
      paid_on: '2026-03-01',
      voucher: 'IPN-7',
    },
    { kind: 'correction', ...balance },
    { kind: 'conversion', ...balance, pesos_e4: 57_0000 },
    {
      kind: 'tax rate',
      payee_kind: 'office',
      payee_id: officeId,
      from_day: '2026-06-01',
      tax_bp: 1000,
      tax_code: 'WI515',
    },
  ]
  for (const act of acts)
    await db
      .insertInto('pay_proposals')
      .values({ ...act, reason: 'A reason', why: 'It is above its limit.', ...made })
      .execute()
  const { id: made_id } = await db
    .insertInto('adjustments')
    .values({ ...balance, opposite_of: oppositeOf, reason: 'A reason', ...made })
    .returning('id')
    .executeTakeFirstOrThrow()
  const second = { ...made, made_by: made.made_by + 1 }
  await db
    .insertInto('pay_proposal_decisions')
    .values([
      { proposal_id: 1, decision: 'approved', made_id, ...second },
      { proposal_id: 2, decision: 'refused', reason: 'Too much', ...second },
    ])
    .execute()
}

/** An agent who left a corrected balance and was deleted. */
async function insertGivenUp(
  db: Db,
  made: { made_at: Date; made_by: number; made_by_name: string },
): Promise<void> {
  const balance = { payee_kind: 'agent', payee_id: 9_999_999, currency: 'PHP' }
  const { id: proposal_id } = await db
    .insertInto('pay_proposals')
    .values({ kind: 'correction', ...balance, amount: 1_00, reason: 'x', why: 'x', ...made })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('pay_proposal_decisions')
    .values({ proposal_id, decision: 'approved', ...made, made_by: made.made_by + 1 })
    .execute()
  const { made_at, made_by } = made
  for (const entry of [
    { kind: 'correction', amount: 1_00, proposal_id },
    { kind: 'given up', amount: -1_00 },
  ])
    await db
      .insertInto('balance_entries')
      .values({ ...balance, ...entry, made_at, made_by })
      .execute()
  await db
    .insertInto('given_up')
    .values({ ...balance, balance: 1_00, advances: 0, ...made })
    .execute()
}

/** What a site and a link type decided before changes: the older one of a site from before its words were kept. */
async function changeTerms(siteId: number, typeId: number): Promise<void> {
  const changed = { until: new Date(0), changed_by: 1, changed_by_name: 'ann' }
  const flags = { ...changed, site_id: siteId, avp: true, use_approve_sale: false }
  const words = {
    click_param: 'cid',
    transaction_id_is_click: false,
    always_ok_text: 'OK',
    event_words: '{"ftd": "sale"}',
    status_words: '{}',
    word_readings: '[]',
    tracker: '',
    several_products: false,
    counts_for_days: 30,
    part_rule: 'ask',
  }
  const { db } = database
  await db.insertInto('former_site_flags').values(flags).execute()
  await db
    .insertInto('former_site_flags')
    .values({ ...flags, ...words })
    .execute()
  await db
    .insertInto('former_link_type_flags')
    .values({ ...changed, type_id: typeId, bonus: true })
    .execute()
}
