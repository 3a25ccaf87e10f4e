import type { Viewer } from '../apps/api/src/access/viewer.ts'
import {
  addDays,
  atNewYork,
  dayOf,
  endOfDayExclusive,
  startOfDay,
} from '@tallyroom/domain/new-york'
import { type PayPeriod, payPeriodFrom, payPeriodsBetween } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { confirming, entering } from '../apps/api/seeds/demo/pay-accounts.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import { inTransaction } from '../apps/api/src/db/transaction.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { getJournal } from '../apps/api/src/pay/books/journal.ts'
import { listPayeeYears } from '../apps/api/src/pay/books/payee-year.ts'
import { closePeriod } from '../apps/api/src/pay/closing/close-period.ts'
import { approveRun } from '../apps/api/src/pay/paying/approve.ts'
import { prepareRun } from '../apps/api/src/pay/paying/payment-runs.ts'
import { seenNow } from '../apps/api/src/pay/paying/review.ts'
import { listTemplates } from '../apps/api/src/pay/runs/templates.ts'
import { verifyPay } from '../apps/api/src/pay/verify/verify-pay.ts'
import { beginSeals } from '../apps/api/src/seals/begin-seals.ts'
import { line, withBigWorld } from './big-world.ts'
import { median, msOf } from './measure.ts'

/** The number of half-months that are closed and paid, one after the other. */
const rounds = 7
/** How often the books are read. */
const readings = 9

/**
 * Closes the last half-months of the big world and approves a run for each, then reads the journal of every month and the *Years* of
 * all payees. Each alternates with raw sums: closing with those of the same events by agent, site, link type and rate, like the
 * lines of statements; the others with those of the entries of balances that they are made of. Then verifies all of it. Fails if
 * something is found, or if what was approved is not what the journal has.
 *
 *     DATABASE_URL   a PostgreSQL server, empty or with the big world; default: a separate embedded engine
 *     SCALE          clicks to create in an empty database, 2000000 or `full` (20 million)
 */
async function measure(db: Db): Promise<void> {
  const services = { db, clock: systemClock, secret: Buffer.alloc(32), formerSecrets: [] }
  const periods = await switchPayOn(db)
  const people = await addPayers(db)
  await addAccounts(services, people)
  await beginSeals({ db }) // as a start does
  const { approved } = await closeAndPay(services, periods, people)
  const inJournal = await readBooks(services, periods)
  const startedAt = performance.now()
  const faults = await verifyPay(db)
  console.log(`\nVerified in ${(performance.now() - startedAt).toFixed(0)} ms:`, faults)
  if (faults.findings.length > 0 || inJournal !== approved) {
    console.error(`The journal has ${inJournal} centavos of the ${approved} that were approved.`)
    process.exitCode = 1
  }
}

type PayServices = { db: Db; clock: typeof systemClock; secret: Buffer; formerSecrets: Buffer[] }
type People = { closes: Viewer; confirms: Viewer; approves: Viewer }

/** Closes each period and approves a run of what it adds. `approved` is the sum of the runs in centavos. */
async function closeAndPay(
  services: PayServices,
  periods: readonly PayPeriod[],
  { closes, approves }: People,
): Promise<{ approved: number }> {
  const { db } = services
  const closing = times()
  const approving = times()
  const templateId = (await listTemplates(db))[0]?.id ?? 0
  let approved = 0
  console.log(`\n${line('', 'ours', 'raw sums', 'ours / raw', 'rows', 'payees')}`)
  for (const { name, start, end } of periods) {
    const rawEvents = await msOf(() =>
      sql`
        select agent_id, office_id, site_id, type_id, rate_source, payout_centavos, event_type,
          sum(quantity), sum(payout_centavos), sum(earning_cents)
        from sale_events
        where occurred_at >= ${startOfDay(start)} and occurred_at < ${endOfDayExclusive(end)}
        group by 1, 2, 3, 4, 5, 6, 7
      `.execute(db),
    )
    let closed = { events: 0, statements: 0 }
    const by = { id: closes.accountId, name: closes.username }
    const closingMs = await msOf(async () => {
      closed = await closePeriod(services, by, { name, typed: name, seen: [] })
    })
    report(`closing ${name}`, closing, [closingMs, rawEvents], [closed.events, closed.statements])

    const id = await prepareRun(services, closes, {
      period: name,
      currency: 'PHP',
      templateId,
      parts: [],
    })
    const seen = await seenNow(services, id)
    const rawEntries = await msOf(() => rawSums(db, ['payee_kind', 'payee_id', 'currency']))
    const approvingMs = await msOf(() => approveRun(services, approves, id, seen))
    const sums = await db
      .selectFrom('payment_run_lines')
      .select(({ fn }) => [fn.countAll<number>().as('lines'), fn.sum<number>('amount').as('sum')])
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow()
    approved += sums.sum
    const { lines } = sums
    report(`approving ${name}`, approving, [approvingMs, rawEntries], [lines, lines])
  }
  summary('closing, median', closing)
  summary('approving, median', approving)
  return { approved }
}

/** Reads the books. Returns what the journal has as paid in centavos: on its way, or at the bank. */
async function readBooks(services: PayServices, periods: readonly PayPeriod[]): Promise<number> {
  const { db } = services
  const today = dayOf(systemClock.now())
  const first = periods[0]?.start ?? today
  const months = [...new Set([...periods.map(({ end }) => end), today])]
    .map((day) => day.slice(0, 7))
    .filter((month, place, all) => all.indexOf(month) === place)
  const journal = times()
  const years = times()
  const year = { start: first, end: today }
  let inJournal = 0
  let rows = [0, 0]
  for (let reading = 0; reading < readings; reading++) {
    const rawByKind = await msOf(() => rawSums(db, ['kind', 'currency']))
    inJournal = 0
    let lines = 0
    const journals = await msOf(async () => {
      for (const month of months)
        for (const { account, credit, debit } of (await getJournal(services, month)).lines) {
          lines++
          if (account === 'transit' || account === 'bank') inJournal += credit - debit
        }
    })
    journal.ours.push(journals)
    journal.raw.push(rawByKind)
    let payees = 0
    const rawByPayee = await msOf(() => rawSums(db, ['payee_kind', 'payee_id', 'kind', 'currency']))
    const read = await msOf(async () => {
      payees = (await listPayeeYears(services, year)).length
    })
    years.ours.push(read)
    years.raw.push(rawByPayee)
    rows = [lines, payees]
  }
  summary(`journal of ${months.length} months`, journal, [rows[0] ?? 0])
  summary('Years', years, [rows[1] ?? 0, rows[1] ?? 0])
  return inJournal
}

const rawSums = (db: Db, by: readonly string[]) =>
  sql`
    select ${sql.join(by.map((column) => sql.ref(column)))}, sum(amount), count(*)
    from balance_entries
    group by ${sql.join(by.map((column) => sql.ref(column)))}
  `.execute(db)

type Times = { ours: number[]; raw: number[] }
const times = (): Times => ({ ours: [], raw: [] })

function report(name: string, all: Times, [ours, raw]: [number, number], rows: number[]): void {
  all.ours.push(ours)
  all.raw.push(raw)
  console.log(lineOf(name, ours, raw, rows))
}

const summary = (name: string, { ours, raw }: Times, rows: number[] = []): void =>
  console.log(lineOf(name, median(ours), median(raw), rows))

const lineOf = (name: string, ours: number, raw: number, rows: readonly number[]): string =>
  line(
    name,
    ours.toFixed(0),
    raw.toFixed(raw < 10 ? 1 : 0),
    `${(ours / raw).toFixed(1)} x`,
    ...rows.map(String),
  )

/** From the first of the last half-months on. Earlier sales count as settled outside. */
async function switchPayOn(db: Db): Promise<PayPeriod[]> {
  const today = dayOf(systemClock.now())
  const first = payPeriodFrom(periodOf(today, 'beWeek', rounds).start, 'beWeek')
  const last = periodOf(today, 'beWeek', 1)
  await db
    .insertInto('pay_state')
    .values({ started_at: startOfDay(first.start), first_day: first.start })
    .execute()
  await db
    .insertInto('pay_settings')
    .values({
      from_day: first.start,
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'instead',
      minimum_centavos: 0,
      minimum_cents: 0,
      set_at: startOfDay(first.start),
      set_by: 1,
    })
    .execute()
  return payPeriodsBetween([{ fromDay: first.start, length: 'beWeek' }], first.start, last.end)
}

/** Three who may pay, as whoever confirms an account or prepares a run does not approve it. */
async function addPayers(db: Db): Promise<People> {
  const add = async (username: string): Promise<Viewer> => {
    const { id } = await db
      .insertInto('accounts')
      .values({
        role: roleNumber('superadmin'),
        username,
        password_hash: 'none',
        created_at: atNewYork(addDays(dayOf(systemClock.now()), -365), '09:00'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('pay_grants')
      .values({ account_id: id, granted: true, made_at: systemClock.now() })
      .execute()
    return {
      accountId: id,
      sessionId: '',
      username,
      permissions: ['PAY'],
      signedInBy: undefined,
      role: 'superadmin',
      officeId: undefined,
      agentId: undefined,
    }
  }
  return {
    closes: await add('bench-closes'),
    confirms: await add('bench-confirms'),
    approves: await add('bench-approves'),
  }
}

/** An account for every office, entered and confirmed a month ago, so that all of them are paid. */
async function addAccounts(services: PayServices, { closes, confirms }: People): Promise<void> {
  const at = atNewYork(addDays(dayOf(systemClock.now()), -30), '10:00')
  const offices = await services.db.selectFrom('offices').select(['id', 'name']).execute()
  for (const { id, name } of offices) {
    const account = {
      office: name,
      channel: 'bank' as const,
      institution: 'BOPIPHMM',
      number: String(1_000_000_000 + id),
      accountName: name,
    }
    await inTransaction(services.db, (tx) =>
      entering(account, id, at).perform({ ...services, tx }, closes),
    )
    await inTransaction(services.db, (tx) =>
      confirming(id, at).perform({ ...services, tx }, confirms),
    )
  }
}

await withBigWorld('bench:pay', measure)
