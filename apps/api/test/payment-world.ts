import { createHash, randomInt } from 'node:crypto'
import { addMonths, type Day, dayOf } from '@tallyroom/domain/new-york'
import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import type { EnteredDetail } from '@tallyroom/contract/pay/accounts/payee-details'
import type { Currency } from '@tallyroom/domain/pay'
import type { Insertable } from 'kysely'
import type { Viewer } from '../src/access/viewer.ts'
import type { Db, DbOrTx } from '../src/db/database.ts'
import type { DB } from '../src/db/types.ts'
import { accountSeals } from '../src/pay/accounts/sealed-account.ts'
import { findBalances } from '../src/pay/ledger/balances.queries.ts'
import { hashOf } from '../src/pay/statements/canonical.ts'
import { findWaitingProposals } from '../src/pay/ledger/proposals.queries.ts'
import { settle } from '../src/pay/ledger/settle.ts'
import { approveProposal } from '../src/pay/acts/decide.ts'
import { seenNow } from '../src/pay/paying/review.ts'
import type { FactorServices } from '../src/people/index.ts'
import { buildAccount } from './build-world.ts'
import { viewer } from './call-routes.ts'
import { withinTransaction } from '../src/db/transaction.ts'
import { buildSealed, buildSealedRows } from './sealed-rows.ts'

/** A superadmin who signs in with this name, as one person among others. */
export const buildPerson = async (db: DbOrTx, username: string): Promise<Viewer> => ({
  ...viewer(),
  accountId: await buildAccount(db, { username }),
  username,
})

const at = new Date('2026-02-20T15:00:00Z')
/** As in `testServices`. */
const SECRET = Buffer.alloc(32, 'tests')
const seals = accountSeals({ secret: SECRET, formerSecrets: [] })
/** What somebody has seen who looks at everything before they approve a run. */
export const seenOf = (db: Db, id: number) => seenNow({ db, secret: SECRET, formerSecrets: [] }, id)

/** Somebody who had no hand in anything approves all that waits for a second person. */
export async function approveWaiting(services: FactorServices): Promise<void> {
  const username = `second-${randomInt(2 ** 40)}`
  const accountId = await buildAccount(services.db, { username })
  for (const { id } of await findWaitingProposals(services.db))
    await approveProposal(services, { ...viewer(), accountId, username }, id)
}

/** A call that takes a bank's result file with these lines: reference, `OK` or `NO`, and a reason. */
export const resultFileOf = (lines: readonly string[]) => ({
  file: Buffer.from(['Ref,Status,Reason', ...lines, ''].join('\n')).toString('base64'),
  columns: {
    reference: 'Ref',
    status: 'Status',
    paid: ['OK'],
    failed: ['NO'],
    amount: null,
    reason: 'Reason',
    bankReference: null,
  },
  take: true,
})

/** The id of no account. */
const SOMEBODY = 9_999_999

/** Shorter than that of template 1. */
export const genericLayout: PayFileLayout = {
  format: 'separated',
  columns: [
    { header: 'Reference', field: 'reference' },
    { header: 'Amount', field: 'amount' },
    { header: 'Account number', field: 'accountNumber' },
    { header: 'Account name', field: 'accountName' },
  ],
  firstLine: [],
  lastLine: [],
  headings: true,
  separator: 'comma',
  encoding: 'utf-8',
  quotes: true,
  decimals: 'point',
  mostLines: 5000,
  channels: [{ name: 'Pesos', takes: 'any', currency: 'PHP', over: null, upTo: null }],
  institutions: [],
  payer: null,
  results: null,
}

/** Pay is on for offices, in its first epoch and without a minimum. */
export async function buildPay(db: DbOrTx): Promise<void> {
  if (!(await db.selectFrom('pay_state').select('epoch').executeTakeFirst()))
    await buildSealedRows(db, 'pay_state', {
      only_row: true,
      started_at: at,
      first_day: '2026-01-01',
    })
  if (await db.selectFrom('pay_settings').select('id').executeTakeFirst()) return
  await buildSealed(db, 'pay_settings', {
    from_day: '2026-01-01',
    payees: 'offices',
    period_length: 'beWeek',
    avp: 'instead',
    minimum_centavos: 0,
    minimum_cents: 0,
    set_at: at,
    set_by: SOMEBODY,
  })
}

/**
 * A statement of no period that adds ₱2,000.00 to an office's balance. Returns the office.
 */
export async function buildBalance(
  db: DbOrTx,
  officeId: number,
  {
    amount = 2_000_00,
    currency = 'PHP',
    paidFrom,
  }: { amount?: number; currency?: Currency; paidFrom?: Day } = {},
): Promise<number> {
  const statementId = 1_000_000 + randomInt(2 ** 30)
  const balances = await findBalances(db, { kind: 'office', id: officeId })
  const content = Buffer.from('{}')
  await buildSealed(db, 'statements', {
    id: statementId,
    number: `T-${statementId}`,
    period_id: statementId,
    payee_kind: 'office',
    payee_id: officeId,
    payee_name: 'The office',
    currency,
    amount,
    carried: balances.find((one) => one.currency === currency)?.balance ?? 0,
    minimum: 0,
    paid_from: paidFrom ?? null,
    content,
    content_hash: hashOf(content),
  })
  await db
    .insertInto('balance_entries')
    .values({
      payee_kind: 'office',
      payee_id: officeId,
      currency,
      amount,
      kind: 'statement',
      statement_id: statementId,
      // Before anything else that happens at that time.
      made_at: new Date(at.getTime() - 1000),
      made_by: SOMEBODY,
    })
    .execute()
  return officeId
}

type AccountValues = {
  /** Whose it is. */
  kind?: 'office' | 'agent'
  number?: string
  accountName?: string
  currency?: Currency
  channel?: 'bank' | 'wallet'
  details?: Partial<Record<EnteredDetail, string>>
  /** Null: at once. */
  paidFrom?: string | null
}

/** A bank account that its payee has entered and that awaits one confirmation. Returns its id. */
export async function buildWaitingAccount(
  db: DbOrTx,
  payeeId: number,
  values: AccountValues = {},
): Promise<number> {
  const {
    kind = 'office',
    number = '1234567890',
    accountName = 'Maria Santos',
    currency = 'PHP',
  } = values
  const { channel = 'bank', paidFrom = null, details = {} } = values
  const place = { payee_kind: kind, payee_id: payeeId, entered_at: at }
  const id = await buildSealed(db, 'payee_accounts', {
    ...place,
    channel,
    institution: channel === 'bank' ? 'BOPIPHMM' : 'GXCHPHM2',
    sealed: seals.seal(place, { number, accountName, details }),
    last_characters: number.slice(-4),
    currency,
    entered_by: SOMEBODY,
    entered_by_name: 'the office',
    confirmations: 1,
    doubts: [],
    paid_from: paidFrom,
  })
  return id
}

/** The same, confirmed by an account that no longer exists. */
export async function buildAccountInForce(
  db: DbOrTx,
  officeId: number,
  { by = SOMEBODY + 1, ...values }: AccountValues & { by?: number } = {},
): Promise<number> {
  const id = await buildWaitingAccount(db, officeId, values)
  await buildSealedRows(db, 'payee_account_decisions', {
    account_id: id,
    decided_by: by,
    decided_by_name: 'somebody',
    confirmed: true,
    decided_at: at,
  })
  return id
}

/** An office with ₱2,000.00 and an account. Returns its id. */
export async function buildOwed(
  db: DbOrTx,
  officeId: number,
  { amount = 2_000_00, ...account }: AccountValues & { amount?: number; by?: number } = {},
): Promise<number> {
  await buildPay(db)
  await buildAccountInForce(db, officeId, account)
  return buildBalance(db, officeId, { amount })
}

/** A prepared run with two lines of ₱1,000.00, and further steps. */
export async function buildRun(
  db: DbOrTx,
  steps: readonly string[],
): Promise<{ id: number; lineId: number }> {
  await buildPay(db)
  const id = await insertRun(db, 'PHP', steps)
  const offices = [1_500_000_000 + randomInt(2 ** 28), 1_500_000_000 + randomInt(2 ** 28)]
  const lines: number[] = []
  for (const [index, officeId] of offices.entries()) {
    await buildBalance(db, officeId, { amount: 1_000_00 })
    lines.push(
      await insertLine(db, {
        run_id: id,
        payee_id: officeId,
        currency: 'PHP',
        amount: 1_000_00,
        account_id: await buildAccountInForce(db, officeId),
        reference: `T${id}N${index + 1}`,
      }),
    )
    if (!steps.includes('approved')) continue
    await db
      .insertInto('balance_entries')
      .values({
        payee_kind: 'office',
        payee_id: officeId,
        currency: 'PHP',
        amount: -1_000_00,
        kind: 'payment',
        run_line_id: lines[index]!,
        made_at: at,
        made_by: SOMEBODY,
      })
      .execute()
  }
  return { id, lineId: lines[0]! }
}

/** The same, with its only file kept and downloaded. */
export async function buildRunAtBank(
  db: DbOrTx,
): Promise<{ id: number; lineId: number; file: string }> {
  const run = await buildRun(db, ['approved', 'files taken'])
  const file = `R-test-${run.id}.csv`
  await buildSealedRows(db, 'payment_run_files', {
    run_id: run.id,
    place: 1,
    name: file,
    channel: 'Pesos',
    lines: 2,
    amount: 2_000_00,
    sha256: Buffer.alloc(32),
    sealed: Buffer.alloc(1),
  })
  return { ...run, file }
}

/** A run whose files were taken, and whose first line is paid. */
export async function buildPaidRun(db: DbOrTx): Promise<{ id: number; lineId: number }> {
  const run = await buildRun(db, ['approved', 'files taken'])
  await buildSealedRows(db, 'payment_results', {
    run_line_id: run.lineId,
    paid: true,
    by_hand: true,
    ...made,
  })
  return run
}

/** The same, and the bank's message refuses it as well. */
export async function buildRefusedRun(db: DbOrTx): Promise<{ id: number; lineId: number }> {
  const run = await buildPaidRun(db)
  await buildSealedRows(db, 'payment_refusals', {
    run_line_id: run.lineId,
    refused_on: '2026-02-20',
    reason: 'DU01',
    message: 'pain.002.001.10',
    sha256: Buffer.alloc(32),
    ...made,
  })
  return run
}

/** An approved run of one line, with its result and its entries in the balance of an office. */
export async function buildPayment(
  db: DbOrTx,
  officeId: number,
  {
    currency,
    amount,
    paid,
    returned = false,
    at: paidAt = at,
  }: { currency: Currency; amount: number; paid: boolean; returned?: boolean; at?: Date },
): Promise<void> {
  const runId = await insertRun(db, currency, ['approved'], paidAt)
  const payee = { payee_id: officeId, currency }
  const lineId = await insertLine(db, {
    ...payee,
    run_id: runId,
    amount,
    account_id: 1,
    reference: `T${runId}`,
    open: false,
  })
  await buildSealedRows(db, 'payment_results', {
    run_line_id: lineId,
    paid,
    ...made,
    made_at: paidAt,
  })
  const entry = {
    ...payee,
    payee_kind: 'office',
    run_line_id: lineId,
    made_at: paidAt,
    made_by: SOMEBODY,
  }
  await db
    .insertInto('balance_entries')
    .values([
      { ...entry, kind: 'payment', amount: -amount },
      ...(paid ? [] : [{ ...entry, kind: 'failed', amount }]),
      ...(returned ? [{ ...entry, kind: 'returned', amount }] : []),
    ])
    .execute()
  if (returned)
    await buildSealedRows(db, 'payment_returns', {
      run_line_id: lineId,
      returned_on: dayOf(paidAt),
      reason: 'Account closed',
      by_hand: false,
      ...made,
      made_at: paidAt,
    })
  await withinTransaction(db, (tx) => settle(tx, [{ kind: 'office', id: officeId }]))
}

const made = { made_at: at, made_by: SOMEBODY, made_by_name: 'somebody' }

async function insertRun(
  db: DbOrTx,
  currency: Currency,
  steps: readonly string[],
  preparedAt = at,
): Promise<number> {
  const id = 1_000_000 + randomInt(2 ** 30)
  await buildSealed(db, 'payment_runs', {
    id,
    number: `R-test-${id}`,
    currency,
    template_id: 1,
    layout: JSON.stringify(genericLayout),
    left_out: '[]',
    prepared_at: preparedAt,
    prepared_by: SOMEBODY,
    prepared_by_name: 'somebody',
  })
  for (const step of steps) {
    await buildSealedRows(db, 'payment_run_steps', {
      run_id: id,
      step,
      ...made,
      made_at: preparedAt,
    })
  }
  if (steps.includes('files taken'))
    await buildSealed(db, 'payment_file_downloads', {
      run_id: id,
      name: `R-test-${id}.csv`,
      ...made,
      made_at: preparedAt,
    })
  return id
}

type NewLine = Omit<Insertable<DB['payment_run_lines']>, 'payee_kind' | 'payee_name'>

async function insertLine(db: DbOrTx, line: NewLine): Promise<number> {
  const id = await buildSealed(db, 'payment_run_lines', {
    ...line,
    payee_kind: 'office',
    payee_name: `Office ${line.payee_id}`,
  })
  return id
}

/** Each closed month has a different name. */
let closedMonths = 0

/** A closed month with a statement of ₱2,000.00 for an office that has an account. Returns the month's name. */
export async function buildClosedMonth(db: DbOrTx, officeId: number): Promise<string> {
  // Before the first period of any world, so that the next period to close stays the same.
  const month = ++closedMonths
  const { content, hash } = statementOf(officeId)
  const name = addMonths('0100-01-01', month).slice(0, 7)
  const periodId = await buildSealed(db, 'pay_periods', {
    name,
    start_day: `${name}-01`,
    end_day: `${name}-28`,
    payees: 'offices',
    period_length: 'month',
    avp: 'instead',
    closed_at: at,
    closed_by: SOMEBODY,
    closed_by_name: 'somebody',
  })
  await buildSealed(db, 'statements', {
    number: `${name}-0001`,
    period_id: periodId,
    payee_kind: 'office',
    payee_id: officeId,
    payee_name: 'The office',
    currency: 'PHP',
    amount: 2_000_00,
    carried: 0,
    minimum: 0,
    content,
    content_hash: hash,
  })
  return name
}

/** The key of the only line of `statementOf`. */
export const lineKey = 'lines.1.1.1.1.0.type..false.false.false'

/** The content of a statement with one line that adds up to 0, and its hash. */
export function statementOf(officeId: number) {
  const period = { name: '2026-02-A', start: '2026-02-01', end: '2026-02-15' }
  const content = Buffer.from(
    JSON.stringify({
      format: 1,
      number: '2026-02-A-0001',
      period: { ...period, payees: 'offices', avp: 'instead' },
      zone: 'America/New_York',
      payee: { kind: 'office', id: officeId, name: 'Manila' },
      currency: 'PHP',
      closedBy: 'boss',
      closedAt: '2026-02-16T10:00:00.000Z',
      lines: [
        {
          agentId: 1,
          agentName: 'maria',
          officeId: 1,
          officeName: 'Manila',
          siteId: 1,
          siteName: 'Lantern',
          typeId: 1,
          typeName: 'Gift',
          rateCentavos: 0,
          rateSource: 'type',
          tierWeek: null,
          settledOutside: false,
          fraud: false,
          sales: 0,
          bonuses: 0,
          reversals: 0,
          centavos: 0,
        },
      ],
      fraud: [],
      late: [],
      tiers: [],
      adjustments: [],
      conversion: null,
      amount: 0,
      carried: 0,
      due: 0,
      minimum: 0,
    }),
  )
  return { content, hash: createHash('sha256').update(content).digest() }
}
