import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import {
  type AccountHand,
  accountHands,
  acts,
  DAY_MS,
  dayInWords,
  type Deed,
  deedsOfTwo,
} from '@tallyroom/domain/acts'
import { dayOf } from '@tallyroom/domain/new-york'
import { randomInt, randomUUID } from 'node:crypto'
import { convert } from '@tallyroom/domain/conversion'
import { type Insertable, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOffice, buildSite, buildLinkType } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildBalance,
  buildOwed,
  buildPay,
  genericLayout,
  seenOf,
  buildPerson,
} from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { remakeSeals } from '../../../test/verify-world.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { findPersons, whyMayNot } from '../../people/index.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { beginSeals } from '../../seals/index.ts'
import { insertAdjustment } from '../ledger/adjustments.queries.ts'
import { findResting } from '../evidence/evidence.queries.ts'
import { settle } from '../ledger/settle.ts'
import { findDeedsOfLines } from './approvers.ts'
import { findLineDeeds } from './deeds.queries.ts'
import { findFailedBefore, findNewEntries } from './news.queries.ts'
import { findApproversAfter } from './next-approvers.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { openDatabase } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { inTransaction } from '../../db/transaction.ts'

const database = await testDatabase()
const { db } = database
const owner = openDatabase(database.connection, {
  max: 1,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...dashboardRoutes(services)])
const { preparePaymentRun, paymentRun, approvePaymentRun } = paymentRunsEndpoints

const at = services.clock.now()
const today = dayInWords(at)
const before = (days: number) => new Date(at.getTime() - days * DAY_MS)

const preparer = await buildPerson(db, 'preparer')
const doer = await buildPerson(db, 'doer')
const second = await buildPerson(db, 'second')
const outsider = await buildPerson(db, 'outsider')
const manila = await buildOffice(db, { name: 'Manila' })

beforeEach(async () => {
  services.clock.set(at.toISOString())
  await emptyTables(database.connection, [
    'pay_seals',
    'account_hands',
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
    'booked_adjustments',
    'adjustments',
    'balance_entries',
    'statements',
    'bookings',
    'pay_periods',
    'payee_account_shares',
    'payee_account_decisions',
    'payee_accounts',
    'pay_holds',
    'pay_proposal_decisions',
    'pay_proposals',
    'pay_exchange_rates',
    'pay_file_template_changes',
    'agent_moves',
    'pay_settings',
  ])
  // Hands in terms begin with their seals.
  await beginSeals(services)
  await buildPay(db)
})

/** What was inserted, changed and removed without the app is as if the app had. */
const sealAll = () =>
  inTransaction(owner.db, async (tx) => {
    await sql`
      update statements as statement
      set content_hash = sha256(content), carried = (
        select coalesce(sum(earlier.amount), 0)
        from balance_entries as earlier
        join balance_entries as own on own.statement_id = statement.id
        where earlier.payee_kind = statement.payee_kind and earlier.payee_id = statement.payee_id
          and earlier.currency = statement.currency and earlier.id < own.id
      )
    `.execute(tx)
    await remakeSeals(tx)
  })

const prepare = async (who = preparer): Promise<number> => {
  await sealAll()
  const asked = { period: null, currency: 'PHP', templateId: 1 }
  const answer = await call(who, preparePaymentRun, { body: asked })
  return answer.body.id
}
const get = async (id: number, who = second) =>
  (await call(who, paymentRun, { params: { id } })).body
/** What Home counts as runs to approve. */
const toApprove = async (who: typeof second): Promise<number> =>
  (await call(who, homeEndpoints.home)).body.network.needs.pay.runs?.count ?? 0
/** Approves everything that there is to see, if this person may. */
const approve = async (id: number, who = second) => {
  const unseen = await call(who, approvePaymentRun, { params: { id }, body: { amount: 1 } })
  if (unseen.status === 403) return unseen
  await sealAll()
  return call(who, approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
}

/** A statement in Manila's balance, or another office's. */
async function statement({
  converted = false,
  madeAt = at,
  of = manila,
  year = `0${String(randomInt(100, 999))}`,
} = {}): Promise<{
  statementId: number
  periodId: number
}> {
  const name = `${year}-${String(randomInt(10, 13))}`
  const period = await db
    .insertInto('pay_periods')
    .values({
      name,
      start_day: `${name}-01`,
      end_day: `${name}-28`,
      payees: 'offices',
      period_length: 'month',
      avp: 'instead',
      pesos_e4: converted ? 58_0000 : null,
      pesos_set_by: converted ? doer.accountId : null,
      closed_at: madeAt,
      closed_by: preparer.accountId,
      closed_by_name: 'preparer',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('statements')
    .values({
      number: `${name}-0001`,
      period_id: period.id,
      payee_kind: 'office',
      payee_id: of,
      payee_name: 'Manila',
      currency: 'PHP',
      amount: 1_00,
      carried: 0,
      minimum: 0,
      content: Buffer.from(JSON.stringify({ conversion: converted ? { pesosE4: 58_0000 } : null })),
      content_hash: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('balance_entries')
    .values({
      payee_kind: 'office',
      payee_id: of,
      currency: 'PHP',
      amount: 1_00,
      kind: 'statement',
      statement_id: id,
      made_at: madeAt,
      made_by: preparer.accountId,
    })
    .execute()
  return { statementId: id, periodId: period.id }
}

/** A run of Manila's that was paid or failed, to an account. */
async function earlierRun(
  accountId: number,
  {
    days,
    resultDays = days,
    paid = true,
    byHand = true,
    by = outsider,
    returned,
    currency = 'PHP',
  }: {
    days: number
    resultDays?: number
    paid?: boolean
    byHand?: boolean
    by?: typeof doer
    /** How it came back after it was paid: by hand, or by the bank's file. */
    returned?: 'by hand' | 'by file'
    currency?: 'PHP' | 'USD'
  },
): Promise<number> {
  const { id } = await db
    .insertInto('payment_runs')
    .values({
      number: `R-${randomUUID()}`,
      currency,
      template_id: 1,
      left_out: '[]',
      layout: JSON.stringify(genericLayout),
      prepared_at: before(days),
      prepared_by: outsider.accountId,
      prepared_by_name: 'outsider',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = { made_at: before(days), made_by: outsider.accountId, made_by_name: 'outsider' }
  await db
    .insertInto('payment_run_steps')
    .values(['approved', 'finished'].map((step) => ({ run_id: id, step, ...made })))
    .execute()
  const line = await db
    .insertInto('payment_run_lines')
    .values({
      run_id: id,
      payee_kind: 'office',
      payee_id: manila,
      payee_name: 'Manila',
      currency,
      amount: 1_00,
      account_id: accountId,
      reference: randomUUID(),
      open: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('payment_results')
    .values({
      run_line_id: line.id,
      paid,
      by_hand: byHand,
      reason: paid ? null : 'unknown',
      made_at: before(resultDays),
      made_by: by.accountId,
      made_by_name: by.username,
    })
    .execute()
  const entry = {
    payee_kind: 'office',
    payee_id: manila,
    currency,
    amount: 1_00,
    run_line_id: line.id,
    made_at: before(resultDays),
    made_by: by.accountId,
  }
  const back = paid ? returned && 'returned' : 'failed'
  await db
    .insertInto('balance_entries')
    .values([
      {
        ...entry,
        kind: 'payment',
        amount: -1_00,
        made_at: made.made_at,
        made_by: made.made_by,
      },
      ...(back ? [{ ...entry, kind: back }] : []),
    ])
    .execute()
  if (!returned) return line.id
  await db
    .insertInto('payment_returns')
    .values({
      run_line_id: line.id,
      returned_on: dayOf(before(resultDays)),
      reason: 'unknown',
      by_hand: returned === 'by hand',
      made_at: before(resultDays),
      made_by: by.accountId,
      made_by_name: by.username,
    })
    .execute()
  return line.id
}

const accountOfManila = async () =>
  (
    await db
      .selectFrom('payee_accounts')
      .select('id')
      .where('payee_id', '=', manila)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id

type Run = (typeof acts)['approve run'][number]

type OfTwo = (typeof deedsOfTwo)[number]
type Somebody = typeof doer

/** Each deed, as the doer does it, with whoever approves it, and the run that it is about. */
const runAfter: Record<Run, (approver?: Somebody) => Promise<number>> = {
  async prepared() {
    await buildOwed(db, manila)
    return prepare(doer)
  },
  async held() {
    await buildOwed(db, manila)
    const hold = { payee_kind: 'office', payee_id: manila, reason: 'x', set_at: at }
    await db
      .insertInto('pay_holds')
      .values([
        { ...hold, held: true, set_by: preparer.accountId, set_by_name: 'preparer' },
        { ...hold, held: false, set_by: doer.accountId, set_by_name: 'doer' },
      ])
      .execute()
    return prepare()
  },
  async adjusted(approver) {
    await buildOwed(db, manila)
    const { statementId } = await statement()
    const adjustment_id = await inTransaction(db, (tx) =>
      insertAdjustment(tx, {
        payee: { kind: 'office', id: manila },
        currency: 'PHP',
        amount: 1_00,
        countsAs: 'earned',
        reason: 'bonus',
        madeAt: before(3),
        madeBy: { id: doer.accountId, name: 'doer' },
      }),
    )
    await db
      .insertInto('booked_adjustments')
      .values({ adjustment_id, statement_id: statementId })
      .execute()
    if (approver)
      await approved(approver, {
        kind: 'adjustment',
        ...owed,
        made_id: adjustment_id,
      })
    return prepare()
  },
  async 'paid outside'(approver = outsider) {
    await buildOwed(db, manila)
    await changed('payment outside', approver)
    return prepare()
  },
  async received(approver = outsider) {
    await buildBalance(db, manila, { amount: -1_00 })
    await changed('money received', approver)
    await buildOwed(db, manila)
    return prepare()
  },
  async converted(approver = outsider) {
    await buildOwed(db, manila)
    await changed('conversion', approver)
    return prepare()
  },
  async 'set rate'(approver) {
    await buildOwed(db, manila)
    const { periodId } = await statement({ converted: true })
    const { name } = await db
      .selectFrom('pay_periods')
      .select('name')
      .where('id', '=', periodId)
      .executeTakeFirstOrThrow()
    const rate = { period: name, source: 'BSP', set_at: before(3), set_by: doer.accountId }
    const [first, last] = await db
      .insertInto('pay_exchange_rates')
      .values([
        { ...rate, pesos_e4: 57_0000 },
        { ...rate, pesos_e4: 58_0000 },
      ])
      .returning('id')
      .execute()
    const made = approver ? last : first // the one in force counts
    await approved(approver ?? outsider, {
      kind: 'exchange rate',
      period: name,
      pesos_e4: 58_0000,
      made_id: made?.id ?? 0,
    })
    return prepare()
  },
  async 'set tax'(approver = outsider) {
    await buildOwed(db, manila)
    const { periodId } = await statement()
    await tax(periodId, approver)
    return prepare()
  },
  async backdated() {
    await buildOwed(db, manila)
    const { periodId } = await statement()
    await backdate(periodId)
    return prepare()
  },
  async 'set rates'() {
    await buildOwed(db, manila)
    await changeTerms((await statement()).periodId, 'rates')
    return prepare()
  },
  async 'changed site'() {
    await buildOwed(db, manila)
    await changeTerms((await statement()).periodId, 'site')
    return prepare()
  },
  async 'changed bonus'() {
    await buildOwed(db, manila)
    await changeTerms((await statement()).periodId, 'bonus')
    return prepare()
  },
  async 'changed settings'() {
    await buildOwed(db, manila)
    await changeSettings((await statement()).periodId)
    return prepare()
  },
  async 'moved agent'() {
    await buildOwed(db, manila)
    await moveAgent((await statement()).periodId)
    return prepare()
  },
  async confirmed() {
    await buildOwed(db, manila, { by: doer.accountId })
    return prepare()
  },
  async 'changed template'() {
    await buildOwed(db, manila)
    await db
      .insertInto('pay_file_template_changes')
      .values({ template_id: 1, made_by: doer.accountId, made_at: before(1) })
      .execute()
    return prepare()
  },
  async failed(approver) {
    await buildOwed(db, manila)
    const lineId = await earlierRun(await accountOfManila(), { days: 2, paid: false, by: doer })
    if (approver)
      await approved(approver, { kind: 'result', ...owed, run_line_id: lineId, made_id: lineId })
    return prepare()
  },
  async 'read failed'() {
    await buildOwed(db, manila)
    const account = await accountOfManila()
    await earlierRun(account, { days: 2, paid: false, byHand: false, by: doer })
    return prepare()
  },
  async returned(approver) {
    await buildOwed(db, manila)
    const lineId = await earlierRun(await accountOfManila(), {
      days: 2,
      by: doer,
      returned: 'by hand',
    })
    if (approver)
      await approved(approver, {
        kind: 'return',
        ...owed,
        run_line_id: lineId,
        returned_on: dayOf(before(2)),
        made_id: lineId,
      })
    return prepare()
  },
  async 'read returned'() {
    await buildOwed(db, manila)
    await earlierRun(await accountOfManila(), { days: 2, by: doer, returned: 'by file' })
    return prepare()
  },
}

/** What a proposal has of Manila's balance. */
const owed = { payee_kind: 'office', payee_id: manila, currency: 'PHP', amount: 1_00 }

type Proposed = Omit<
  Insertable<DB['pay_proposals']>,
  'reason' | 'why' | 'made_at' | 'made_by' | 'made_by_name'
>

/** A proposal of the doer's that somebody has approved, and the row that this made. Returns its id. */
async function approved(
  approver: Somebody,
  { made_id = null, ...of }: Proposed & { made_id?: number | null },
  madeAt = before(3),
): Promise<number> {
  const made = { made_at: madeAt }
  const { id } = await db
    .insertInto('pay_proposals')
    .values({
      ...of,
      reason: 'x',
      why: 'x',
      ...made,
      made_by: doer.accountId,
      made_by_name: 'doer',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('pay_proposal_decisions')
    .values({
      proposal_id: id,
      decision: 'approved',
      made_id,
      ...made,
      made_by: approver.accountId,
      made_by_name: approver.username,
    })
    .execute()
  return id
}

/** Changes Manila's balance without a statement. */
async function changed(
  kind: 'payment outside' | 'money received' | 'conversion',
  approver: Somebody,
  madeAt = before(3),
): Promise<void> {
  const isConversion = kind === 'conversion'
  const payee = { payee_kind: 'office', payee_id: manila, currency: isConversion ? 'USD' : 'PHP' }
  if (isConversion) await buildBalance(db, manila, { amount: 1_00, currency: 'USD' })
  const proposal = {
    ...payee,
    kind,
    amount: 1_00,
    ...(isConversion
      ? { pesos_e4: 57_0000 }
      : { way: 'cash', paid_on: '2026-02-20', voucher: '118' }),
  }
  const id = await approved(approver, proposal, madeAt)
  const entry = {
    ...payee,
    kind: isConversion ? kind : kind === 'money received' ? 'received' : 'outside',
    amount: kind === 'money received' ? 1_00 : -1_00,
    proposal_id: id,
    made_at: madeAt,
    made_by: doer.accountId,
  }
  await db
    .insertInto('balance_entries')
    .values([
      entry,
      ...(isConversion
        ? [{ ...entry, currency: 'PHP', amount: convert(1_00, 'USD', 57_0000) }]
        : []),
    ])
    .execute()
}

/** Withholds tax from Manila from the first day of a period on. */
async function tax(periodId: number, approver: Somebody): Promise<void> {
  const { start_day } = await db
    .selectFrom('pay_periods')
    .select('start_day')
    .where('id', '=', periodId)
    .executeTakeFirstOrThrow()
  await approved(approver, {
    kind: 'tax rate',
    payee_kind: 'office',
    payee_id: manila,
    from_day: start_day,
    tax_bp: 1000,
    tax_code: 'WI515',
  })
}

async function backdate(periodId: number): Promise<void> {
  const siteId = await buildSite(db)
  const typeId = await buildLinkType(db, { site_id: siteId })
  const { id: backdatingId } = await db
    .insertInto('rate_backdatings')
    .values({
      type_id: typeId,
      valid_from: before(30),
      reason: 'x',
      request_id: randomUUID(),
      sales: 1,
      payout_centavos: 1_00,
      earning_cents: 0,
      made_at: before(3),
      made_by: doer.accountId,
      made_by_name: 'doer',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = {
    agent_id: 1,
    office_id: manila,
    site_id: siteId,
    type_id: typeId,
    event_type: 0,
    quantity: 0,
    fraud: false,
    payout_centavos: 1_00,
    earning_cents: 0,
    rate_source: 'default',
  }
  const id = randomUUID()
  await db
    .insertInto('sale_events')
    .values({
      ...event,
      id,
      adjusts: randomUUID(),
      backdating_id: backdatingId,
      avp: false,
      click_id: 'x',
      lpp: 0,
      occurred_at: before(3),
      recorded_at: before(3),
    })
    .execute()
  await db
    .insertInto('bookings')
    .values({
      ...event,
      event_id: id,
      period_id: periodId,
      payee_kind: 'office',
      payee_id: manila,
      day: '2026-02-20',
      paid_by: 'rate',
      rate_centavos: 1_00,
      settled_outside: false,
      agent_name: 'maria',
      office_name: 'Manila',
      site_name: 'x',
      type_name: 'x',
    })
    .execute()
}

/** The doer changes terms on the fifth day of a period, or another one, in which Manila sold a site's link type. */
async function changeTerms(
  periodId: number,
  what: 'rates' | 'site' | 'bonus',
  { day = '05', sold = true }: { day?: string; sold?: boolean } = {},
): Promise<void> {
  const { start_day } = await db
    .selectFrom('pay_periods')
    .select('start_day')
    .where('id', '=', periodId)
    .executeTakeFirstOrThrow()
  const changedAt = new Date(`${start_day.slice(0, 8)}${day}T17:00:00Z`)
  const siteId = await buildSite(db, { sitename: `Lantern ${randomUUID()}` })
  const typeId = await buildLinkType(db, { site_id: siteId, typename: 'Gold' })
  const byDoer = { changed_by: doer.accountId, changed_by_name: 'doer', until: changedAt }
  if (what === 'rates')
    await db
      .insertInto('rates')
      .values({
        type_id: typeId,
        office_id: manila,
        valid_from: changedAt,
        payout_centavos: 900_00,
        earning_cents: 0,
        lpp: 0,
        bonus_payout_centavos: 0,
        bonus_earning_cents: 0,
        bonus_lpp: 0,
        added_at: before(40),
        added_by: doer.accountId,
        added_by_name: 'doer',
      })
      .execute()
  if (what === 'site')
    await db
      .insertInto('former_site_flags')
      .values({ ...byDoer, site_id: siteId, avp: true, use_approve_sale: false })
      .execute()
  if (what === 'bonus')
    await db
      .insertInto('former_link_type_flags')
      .values({ ...byDoer, type_id: typeId, bonus: true })
      .execute()
  await db
    .insertInto('bookings')
    .values({
      agent_id: 1,
      event_id: randomUUID(),
      period_id: periodId,
      payee_kind: 'office',
      payee_id: sold ? manila : manila + 1_000_000,
      day: start_day,
      paid_by: 'rate',
      event_type: 0,
      quantity: 1,
      office_id: manila,
      site_id: siteId,
      type_id: typeId,
      rate_source: 'office',
      rate_centavos: 900_00,
      payout_centavos: 900_00,
      earning_cents: 0,
      fraud: false,
      settled_outside: false,
      agent_name: 'maria',
      office_name: 'Manila',
      site_name: 'Lantern',
      type_name: 'Gold',
    })
    .execute()
}

/**
 * The settings with which pay was switched on, long before or on a day of a period's month, and those of the period, by the doer;
 * or more of them by others.
 */
async function changeSettings(
  periodId: number,
  saved: readonly { by?: Somebody; avp?: string; payees?: string }[] = [{ avp: 'on-top' }],
  firstDay?: string,
): Promise<void> {
  const { start_day } = await db
    .selectFrom('pay_periods')
    .select('start_day')
    .where('id', '=', periodId)
    .executeTakeFirstOrThrow()
  const first = {
    payees: 'offices',
    period_length: 'month',
    avp: 'instead',
    minimum_centavos: 0,
    minimum_cents: 0,
    set_at: before(3),
  }
  await db
    .insertInto('pay_settings')
    .values([
      {
        ...first,
        from_day: firstDay === undefined ? '0001-01-01' : `${start_day.slice(0, 8)}${firstDay}`,
        set_by: outsider.accountId,
      },
      ...saved.map(({ by = doer, ...values }) => ({
        ...first,
        ...values,
        from_day: start_day,
        set_by: by.accountId,
      })),
    ])
    .execute()
}

/** The doer moves an agent to Manila on the fifth day of a period, or elsewhere or on another day. */
async function moveAgent(
  periodId: number,
  { day = '05', to = manila }: { day?: string; to?: number } = {},
): Promise<void> {
  const { start_day } = await db
    .selectFrom('pay_periods')
    .select('start_day')
    .where('id', '=', periodId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('agent_moves')
    .values({
      agent_id: 1,
      agent_name: 'maria',
      from_office_id: manila + 2_000_000,
      from_office_name: 'Cebu',
      to_office_id: to,
      to_office_name: to === manila ? 'Manila' : 'Davao',
      moved_at: new Date(`${start_day.slice(0, 8)}${day}T17:00:00Z`),
      moved_by: doer.accountId,
      moved_by_name: 'doer',
    })
    .execute()
}

/** How the deed is told. */
const told: Record<Run, RegExp> = {
  prepared: /prepared this run/,
  held: /changed the hold of Manila/,
  adjusted: /entered or took back an adjustment of Manila/,
  converted: /converted a balance of Manila/,
  'paid outside': /entered a payment to Manila outside payment runs/,
  received: /entered money received from Manila/,
  'set rate': /set the exchange rate of 0\d\d\d-1\d/,
  'set tax': /entered the withholding tax of Manila/,
  backdated: /backdated rates of sales of Manila/,
  'set rates': /set rates of sales of Manila/,
  'changed site': /changed what decides pay at Lantern/,
  'changed bonus': /changed the bonus of Gold/,
  'changed settings': /changed the settings of pay from 0\d\d\d-\d\d-01 on/,
  'moved agent': /moved maria to another office/,
  confirmed: /confirmed the account of Manila since the last payment to it/,
  'changed template': /changed the bank template of this run/,
  failed: /entered by hand that a transfer to Manila failed/,
  'read failed': /read the result file in which a transfer to Manila failed/,
  returned: /entered by hand that a transfer to Manila came back/,
  'read returned': /read the result file by which a transfer to Manila came back/,
}

const kinds = Object.keys(accountHands) as AccountHand[] // the keys of a constant
const hand = (kind: AccountHand, accountId: number, by: number, on: Date) =>
  recordHand(db, {
    accountId,
    kinds: [kind],
    by: { accountId: by, signedInBy: undefined },
    at: on,
  })

/** What always waits: nobody does it alone. */
const always = new Set<Deed>(['paid outside', 'received', 'converted', 'set tax'])

describe.each(acts['approve run'].filter((deed) => !always.has(deed)))('who %s', (deed: Run) => {
  test('does not approve, and neither does anybody who is one person with them', async () => {
    const id = await runAfter[deed]()
    const refused = async (who = second) => {
      const answer = await approve(id, who)
      expect(answer.status).toBe(403)
      return answer.body.message as string
    }
    expect(await refused(doer)).toMatch(told[deed])
    expect(await refused(doer)).toMatch(/^You .*\. Somebody else must approve it\.$/)
    expect([await toApprove(doer), await toApprove(second)]).toEqual([0, 1])

    for (const kind of kinds) {
      // The hand came before the deed, or after it: whoever could act as both now could have done both.
      for (const when of [before(5), at]) {
        const { did, had } = accountHands[kind]
        await hand(kind, doer.accountId, second.accountId, when)
        const own = await refused()
        expect(own).toContain(`You ${did} doer on ${dayInWords(when)}, and doer `)
        expect(own).toMatch(told[deed])
        await emptyTables(database.connection, ['account_hands'])

        await hand(kind, second.accountId, doer.accountId, when)
        const theirs = await refused()
        expect(theirs).toContain(`You ${had} doer on ${dayInWords(when)}, and doer `)
        expect(theirs).toMatch(told[deed])
        await emptyTables(database.connection, ['account_hands'])
      }
    }

    await hand('made', doer.accountId, outsider.accountId, before(5))
    await hand('pay', second.accountId, outsider.accountId, at)
    expect(await refused()).toContain(
      `You had PAY granted by outsider on ${today}, outsider made the account doer`,
    )
    expect(await toApprove(second)).toBe(0)
    await emptyTables(database.connection, ['account_hands'])

    const run = await get(id)
    const of = (name: string) =>
      run.approvers.find((one: { name: string }) => one.name === name).whyNot
    expect(of('doer')).toMatch(told[deed])
    expect(of('second')).toBeNull()
    expect(run.whyYouCannotApprove).toBeNull()
    expect((await approve(id)).status).toBe(200)
  })
})

describe.each(deedsOfTwo)('what two people decided: “%s”', (deed: OfTwo) => {
  const whyNot = async (id: number, name: string) =>
    (await get(id)).approvers.find((one: { name: string }) => one.name === name).whyNot

  test('bars neither of them', async () => {
    const id = await runAfter[deed](outsider)
    expect([await toApprove(doer), await toApprove(outsider)]).toEqual([1, 1])
    // What somebody can do since then, they could not do when it was approved.
    await hand('password', outsider.accountId, doer.accountId, at)
    expect(await whyNot(id, 'outsider')).toBeNull()
    expect((await approve(id, doer)).status).toBe(200)
  })

  test('pays nobody if they were one person by then, whatever they are now', async () => {
    await hand('pay', outsider.accountId, doer.accountId, before(8))
    expect(await runAfter[deed](outsider)).toBeUndefined()
    const body = { period: null, currency: 'PHP', templateId: 1 }
    const { status, body: refusal } = await call(preparer, preparePaymentRun, { body })
    expect([status, refusal.message]).toEqual([
      409,
      expect.stringMatching(/outsider, who approved proposal \d+, had PAY granted by doer on/),
    ])
  })
})

test('what one person approved with another account bars both, and what is not sealed is not approved', async () => {
  await hand('pay', outsider.accountId, doer.accountId, before(8))
  const ids = [doer.accountId, outsider.accountId, second.accountId]
  const persons = await findPersons(db, at, ids)
  const why = (
    deed: Deed,
    who: Somebody,
    approval: { by: Somebody; days: number; place?: number },
  ) =>
    whyMayNot(
      'approve run',
      who.accountId,
      [
        {
          deed,
          by: doer.accountId,
          of: 'Manila',
          approved: {
            by: approval.by.accountId,
            at: before(approval.days),
            before: approval.place ?? 1_000_000,
          },
        },
      ],
      persons,
    )?.why
  const entered = 'entered or took back an adjustment of Manila'
  expect(persons.onePerson(doer.accountId, outsider.accountId)).toBeUndefined()
  // The hand ended a day ago.
  expect(why('adjusted', doer, { by: outsider, days: 0.5 })).toBeUndefined()
  expect(why('adjusted', outsider, { by: outsider, days: 0.5 })).toBeUndefined()
  expect(why('adjusted', doer, { by: outsider, days: 3 })).toBe(entered)
  expect(why('adjusted', outsider, { by: outsider, days: 3 })).toBe(
    `approved as one person with doer, who ${entered}`,
  )
  expect(why('adjusted', second, { by: outsider, days: 3 })).toBeUndefined()
  expect(why('adjusted', doer, { by: doer, days: 3 })).toBe(entered)
  expect(why('adjusted', doer, { by: second, days: 3 })).toBeUndefined()
  expect(why('adjusted', doer, { by: second, days: 3, place: Infinity })).toBe(entered)
  // Nobody approves what is no act of two.
  expect(why('confirmed', doer, { by: second, days: 3 })).toMatch(told.confirmed)
})

test('a hand that ended bars nobody, and the page says when it ends', async () => {
  const id = await runAfter.prepared()
  await hand('pay', second.accountId, doer.accountId, before(6))
  const { approvers } = await get(id)
  expect(approvers.find(({ name }: { name: string }) => name === 'second')).toEqual({
    name: 'second',
    whyNot: `had PAY granted by doer on ${dayInWords(before(6))}, and doer prepared this run`,
    from: new Date(before(6).getTime() + 7 * DAY_MS).toISOString(),
  })
  services.clock.set(new Date(at.getTime() + DAY_MS).toISOString())
  expect((await approve(id)).status).toBe(200)
})

test('a deed counts until the payee was paid to the same account, by a run prepared after it', async () => {
  // Confirmed nine days ago.
  await buildOwed(db, manila, { by: doer.accountId })
  const account = await accountOfManila()
  const barred = async () => (await approve(await prepare(), doer)).status
  const cancelAll = async () => {
    await db.updateTable('payment_run_lines').set({ open: false }).execute()
  }
  expect(await barred()).toBe(403)
  await cancelAll()
  // Paid before, but to another account: an earlier transfer that is entered as paid now, say.
  await earlierRun(account + 1000, { days: 8, resultDays: 0 })
  expect(await barred()).toBe(403)
  await cancelAll()
  // To this account, but prepared before it was confirmed.
  await earlierRun(account, { days: 10, resultDays: 0 })
  expect(await barred()).toBe(403)
  await cancelAll()
  await earlierRun(account, { days: 8, paid: false })
  expect(await barred()).toBe(403)
  await cancelAll()
  await earlierRun(account, { days: 8 })
  expect(await barred()).toBe(200)
})

test.each([
  ['at the instant of the payment before', 0],
  ['after the clock was set back', -30 * 60_000],
])('what was done %s is a deed and news of the next payment alone', async (_, ms) => {
  await buildOwed(db, manila)
  const account = await accountOfManila()
  const paidAt = new Date(at.getTime() + 60 * 60_000)
  const nextAt = new Date(paidAt.getTime() + ms)
  const daysOf = (time: Date) => (at.getTime() - time.getTime()) / DAY_MS
  const settleAt = async (time: Date) => {
    services.clock.set(time.toISOString())
    await inTransaction(db, (tx) => settle(tx, [{ kind: 'office', id: manila }]))
  }
  const toldNext = async () => {
    services.clock.set(new Date(nextAt.getTime() + 60_000).toISOString())
    const id = await prepare()
    const deeds = (await findLineDeeds(db, id, {})).map(({ deed }): string => deed)
    const entries = (await findNewEntries(db, id)).map(({ kind }): string => kind)
    const failed = (await findFailedBefore(db, id)).map(() => 'failed before')
    await db.updateTable('payment_run_lines').set({ open: false }).execute()
    return [...deeds, ...entries, ...failed].filter((one) => one !== 'confirmed')
  }
  await earlierRun(account, { days: daysOf(paidAt) })
  await settleAt(paidAt)
  await changed('payment outside', outsider, nextAt)
  await earlierRun(account, { days: daysOf(nextAt), paid: false })
  await settleAt(nextAt)
  const next = {
    payee: { kind: 'office', id: manila, name: 'Manila' },
    currency: 'PHP',
    accountId: account,
    at: nextAt,
  } as const
  expect((await findLineDeeds(db, next, {})).map(({ deed }): string => deed)).toContain(
    'paid outside',
  )
  expect(new Set(await toldNext())).toEqual(
    new Set(['paid outside', 'failed', 'outside', 'failed before']),
  )

  const laterAt = new Date(nextAt.getTime() + 10_000)
  await earlierRun(account, { days: daysOf(laterAt) })
  await settleAt(laterAt)
  expect(await toldNext()).toEqual([])
})

test.each([
  ['payment outside', 'paid outside', 'outside'],
  ['conversion', 'converted', 'conversion'],
] as const)(
  'a %s is a deed and news of a run that pays it, also if the clock was set back before that',
  async (kind, deed, entry) => {
    await buildOwed(db, manila)
    await accountOfManila()
    const later = new Date(at.getTime() + 60 * 60_000)
    await changed(kind, outsider, later)
    services.clock.set(new Date(at.getTime() + 60_000).toISOString())
    const id = await prepare()
    const run = db.selectFrom('payment_runs').select('prepared_at').where('id', '=', id)
    expect((await run.executeTakeFirstOrThrow()).prepared_at).toEqual(later)
    const deeds = await findLineDeeds(db, id, {})
    expect(deeds.map((one): string => one.deed)).toContain(deed)
    expect((await findNewEntries(db, id)).map((one): string => one.kind)).toContain(entry)
  },
)

test('what failed in another currency is new by its time', async () => {
  await buildOwed(db, manila)
  await buildBalance(db, manila, { amount: 1_00, currency: 'USD' })
  const account = await accountOfManila()
  const settleManila = () => inTransaction(db, (tx) => settle(tx, [{ kind: 'office', id: manila }]))
  await earlierRun(account, { days: 1, paid: false, currency: 'USD' })
  await settleManila()
  await earlierRun(account, { days: 2 })
  await settleManila()
  const payee = { kind: 'office', id: manila, name: 'Manila' } as const
  const next = { payee, currency: 'PHP', accountId: account, at } as const
  expect((await findLineDeeds(db, next, {})).map(({ deed }) => deed)).toContain('failed')
})

test('the payment since which things are new is looked at, however many failed after it and whatever the clock said', async () => {
  await buildOwed(db, manila)
  const account = await accountOfManila()
  await earlierRun(account, { days: 1 })
  const last = await earlierRun(account, { days: 5 })
  for (let failed = 0; failed < 4; failed++)
    await earlierRun(account, { days: 2, resultDays: 2, paid: false })
  await db.updateTable('payment_run_lines').set({ open: false }).execute()
  await statement()
  const { lines } = await findResting(db, [{ kind: 'office', id: manila }])
  expect(lines).toContain(last)
})

test.each(['rates', 'site', 'bonus'] as const)(
  'a change of %s bars from the first run that pays by it, and from no other',
  async (what) => {
    await buildOwed(db, manila)
    const { periodId } = await statement()
    // After the period; and in it, for sales of which Manila is paid none.
    await changeTerms(periodId, what, { day: '29' })
    await changeTerms(periodId, what, { sold: false })
    expect((await approve(await prepare(), doer)).status).toBe(200)
  },
)

test('the approver ticks each change of a site once, with its fields', async () => {
  const { toApprove: seen } = await get(await runAfter['changed site']())
  expect(seen.news.filter(({ kind }: { kind: string }) => kind === 'terms')).toEqual([
    expect.objectContaining({
      lineId: null,
      title: expect.stringMatching(/^Lantern .*: other terms of pay$/),
      text: expect.stringMatching(/^Changed by doer on .*: AVP\.$/),
    }),
  ])
})

test('what the settings of pay decide bars whoever entered it, not who saves the form afterwards', async () => {
  await buildOwed(db, manila)
  const { periodId } = await statement()
  const [bob, cara] = [{ by: outsider }, { by: second }]
  await changeSettings(periodId, [
    { ...cara, payees: 'agents' },
    { ...cara, avp: 'on-top' },
    { ...bob, avp: 'on-top' },
    { avp: 'on-top', payees: 'offices' },
  ])
  const { approvers } = await get(await prepare())
  const barred = approvers.filter(({ whyNot }: { whyNot: string | null }) =>
    whyNot?.includes('settings of pay'),
  )
  expect(barred.map(({ name }: { name: string }) => name)).toEqual(['second'])
})

test.each([
  ['before pay begins', '01'],
  ['with an earlier first day', '20'],
])('what is saved %s bars who saved it, not who switched pay on', async (_, day) => {
  await buildOwed(db, manila)
  await emptyTables(database.connection, ['pay_settings'])
  const { periodId } = await statement()
  await changeSettings(periodId, [{ avp: 'on-top' }], day)
  const { approvers } = await get(await prepare())
  const barred = approvers.filter(({ whyNot }: { whyNot: string | null }) =>
    whyNot?.includes('settings of pay'),
  )
  expect(barred.map(({ name }: { name: string }) => name)).toEqual(['doer'])
})

test.each(['to who had a statement of the first', 'to who had none'])(
  'settings bar from nothing that is paid for the second period under them, %s',
  async (whom) => {
    await buildOwed(db, manila)
    const of = whom === 'to who had none' ? manila + 1_000_000 : manila
    const { periodId } = await statement({ madeAt: before(3), of })
    await changeSettings(periodId)
    await earlierRun(await accountOfManila(), { days: 2 })
    await statement({ year: '1000' })
    expect((await approve(await prepare(), doer)).status).toBe(200)
  },
)

test.each([
  ['to another account', 200, 1000],
  ['to another account, and came back', 403, 1000],
  ['to this account', 200, 0],
])('who set terms by which a payee was paid %s is answered %i', async (how, status, further) => {
  await buildOwed(db, manila)
  const { periodId } = await statement({ madeAt: before(3) })
  await changeSettings(periodId)
  await moveAgent(periodId)
  await changeTerms(periodId, 'site')
  await earlierRun((await accountOfManila()) + further, {
    days: 2,
    ...(how.endsWith('came back') && { returned: 'by file' as const }),
  })
  await inTransaction(db, (tx) => settle(tx, [{ kind: 'office', id: manila }]))
  await statement({ year: '1000' })
  expect((await approve(await prepare(), doer)).status).toBe(status)
})

test('the approver ticks a change of the settings once', async () => {
  const { toApprove: seen } = await get(await runAfter['changed settings']())
  expect(seen.news.filter(({ kind }: { kind: string }) => kind === 'terms')).toEqual([
    expect.objectContaining({
      lineId: null,
      title: expect.stringMatching(/^Other settings of pay from 0\d\d\d-\d\d-01$/),
      text: expect.stringMatching(
        /^Changed by doer on .*: What AVP pays \(on top of rates, before instead of rates\)\.$/,
      ),
    }),
  ])
})

test('a move to another office, or after the period, bars from no run of Manila’s', async () => {
  await buildOwed(db, manila)
  const { periodId } = await statement()
  await moveAgent(periodId, { day: '29' })
  await moveAgent(periodId, { to: manila + 1_000_000 })
  expect((await approve(await prepare(), doer)).status).toBe(200)
})

test('the approver ticks the move of an agent', async () => {
  const { toApprove: seen } = await get(await runAfter['moved agent']())
  expect(seen.news.filter(({ kind }: { kind: string }) => kind === 'terms')).toEqual([
    expect.objectContaining({
      lineId: null,
      title: 'maria: moved from Cebu to Manila',
      text: expect.stringMatching(/^Moved by doer on .*\.$/),
    }),
  ])
})

test('what is not booked yet bars nobody: this run does not pay it', async () => {
  await buildOwed(db, manila)
  await inTransaction(db, (tx) =>
    insertAdjustment(tx, {
      payee: { kind: 'office', id: manila },
      currency: 'PHP',
      amount: 1_00,
      countsAs: 'earned',
      reason: 'next month',
      madeAt: tx.now,
      madeBy: { id: doer.accountId, name: 'doer' },
    }),
  )
  expect((await approve(await prepare(), doer)).status).toBe(200)
})

test('a change of the template counts until a run over it was approved', async () => {
  const id = await runAfter['changed template']()
  expect((await approve(id, second)).status).toBe(200)
  await db.updateTable('payment_run_lines').set({ open: false }).execute()
  services.clock.set(new Date(at.getTime() + 1000).toISOString())
  await buildBalance(db, manila)
  expect((await approve(await prepare(), doer)).status).toBe(200)
})

test('the deeds of each line name what was done, by whom, and when', async () => {
  const id = await runAfter.confirmed()
  const [line] = (await get(id)).lines
  expect(await findDeedsOfLines(db, id)).toMatchObject([
    { lineId: line.id, deed: 'confirmed' satisfies Deed, by: doer.accountId, of: 'Manila' },
  ])
})

test('who could approve the next run is known before somebody acts alone', async () => {
  await buildOwed(db, manila, { by: doer.accountId })
  await sealAll()
  const next = {
    payee: { kind: 'office' as const, id: manila, name: 'Manila' },
    currency: 'PHP' as const,
    accountId: await accountOfManila(),
  }
  const after = async ({ accountId }: Somebody) =>
    (await findApproversAfter(db, at, [next], accountId))[0]?.filter((name) => staff.has(name)) ??
    null
  const { payee, currency } = next
  const adjusted = { payee, currency, amount: 1_00, countsAs: 'earned' as const, reason: 'x' }
  const adjusts = ({ accountId: id, username: name }: Somebody) =>
    inTransaction(db, (tx) =>
      insertAdjustment(tx, { ...adjusted, madeAt: tx.now, madeBy: { id, name } }),
    )
  const staff = new Set([preparer, doer, second, outsider].map(({ username }) => username))

  expect(await after(doer)).toBeNull() // they confirmed the account
  expect(await after(second)).toEqual(['outsider', 'preparer'])
  const id = await adjusts(outsider)
  expect(await after(second)).toEqual(['preparer'])
  await adjusts(second)
  expect(await after(preparer)).toEqual([])
  await approved(preparer, { kind: 'adjustment', ...owed, made_id: id })
  expect(await after(preparer)).toEqual(['outsider'])
  // To another account, the confirmation says nothing.
  next.accountId += 1000
  expect(await after(preparer)).toEqual(['doer', 'outsider'])
  // Who prepares must be somebody else.
  await db
    .updateTable('accounts')
    .set({ suspended: true })
    .where('id', '!=', outsider.accountId)
    .execute()
  try {
    expect(await after(outsider)).toBeNull()
  } finally {
    await db.updateTable('accounts').set({ suspended: false }).execute()
  }
})
