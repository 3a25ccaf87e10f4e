import type { EarnedOfPayee, NextPayment, OwnPay } from '@tallyroom/contract/pay/earned'
import type { StatementContent } from '@tallyroom/contract/pay/statement'
import { type Day, dayOf, daysBetween } from '@tallyroom/domain/new-york'
import {
  type Currency,
  freeOf,
  type HeldPart,
  isPaidOut,
  minimumIn,
  paidFromOf,
  type PayPeriod,
  settingsOn,
} from '@tallyroom/domain/pay'
import { quarterOf } from '@tallyroom/domain/withholding'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findAdvances } from './advances.queries.ts'
import { blockOf } from './balances.ts'
import {
  balanceText,
  findAwaitingAccounts,
  findBalances,
  findCurrencies,
  findCurrency,
  findHeldParts,
  findHolds,
  findMinimums,
  findUnpaidReturns,
  findWaitingDays,
} from './balances.queries.ts'
import type { Whose } from './book-events.queries.ts'
import { type Calendar, findCalendar, getCalendar, openUntilSunday } from './calendar.ts'
import { findTerms, statementFrom } from './compute-closing.ts'
import { addUp, type EarnedPeriod, findEarned, paidForBookings } from './earned.ts'
import { differencesAmong, withLineFacts } from './line-facts.ts'
import { settle, type StatementParts, type TaxTerms, withoutRate } from './make-statement.ts'
import { NO_PERIOD, type OpenParts } from './open-parts.ts'
import { findPayeeNames, type PayeeKey, payeeText } from './payees.queries.ts'
import { type ClosedPeriod, findExchangeRates } from './settings.queries.ts'
import { findTaxTerms } from './tax-rates.ts'
import { findPaymentStates, type PaymentState } from './payment-states.ts'
import { findStatements, type StatementRow } from './statements.queries.ts'
import { contentAsSeen, presentAll, refuseWithoutPayouts } from './statements.ts'

/** An office or an agent, who may be paid. */
type Own = Exclude<Scope, { sees: 'everything' }>

type Reader = { scope: Own; today: Day; now: Date }

/** Whose events count in a scope: an agent's own, wherever sold; an office's own, whoever sold them. */
export const whoseOf = (scope: Scope): Whose =>
  scope.sees === 'agent'
    ? { agentIds: [scope.agentId] }
    : scope.sees === 'office'
      ? { officeId: scope.officeId }
      : {}

/** An office's or agent's pay, for their first screen. Undefined until pay is switched on. */
export async function findOwnPay(
  db: DbOrTx,
  { scope, today, now }: Reader,
): Promise<(Omit<OwnPay, 'next'> & { next: Omit<NextPayment, 'account'> | null }) | undefined> {
  const calendar = await findCalendar(db)
  if (!calendar) return undefined
  const open = openUntilSunday(calendar, today)
  const running = open.find(({ end }) => end >= today) ?? open[0]
  if (!running) return undefined
  const closed = calendar.closed.slice(-2)
  const earned = await findEarned(db, calendar, { closed, open, now, whose: whoseOf(scope) })
  const present = await presenter(db, scope, calendar, earned.periods)
  const at = earned.periods.findIndex(({ period }) => period === running)
  const [before, last, current] = [at - 2, at - 1, at].map((index) => earned.periods[index])
  if (!current) return undefined
  return {
    today: sumDay(earned.openParts, today),
    now: present(current),
    last: last
      ? { ...present(last), statement: await findShown(db, { scope, now }, last.period) }
      : null,
    before: before ? present(before) : null,
    next: await findNextPayment(db, { scope, today, now }, { calendar, running, earned, present }),
  }
}

type Present = (one: EarnedPeriod) => OwnPay['now']

async function presenter(
  db: DbOrTx,
  scope: Own,
  calendar: Calendar,
  periods: readonly EarnedPeriod[],
): Promise<Present> {
  const names = await findPayeeNames(
    db,
    periods.flatMap(({ to }) => to.map(({ payee }) => payee)),
  )
  return ({ period, isClosed, to }) => {
    const { payees, avp } = settingsOf(calendar, period)
    const { name, start, end } = period
    return {
      name,
      start,
      end,
      isClosed,
      payees,
      avp,
      to: [
        ...to
          .filter(({ payee }) => scope.sees === 'agent' || !isPart(scope, payee))
          .map((one): EarnedOfPayee => ({
            ...one,
            payee: { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' },
            isPart: isPart(scope, one.payee),
          }))
          .toSorted((one, other) => Number(one.isPart) - Number(other.isPart)),
        // An office does not learn what each of its agents is paid.
        ...(scope.sees === 'office'
          ? addUp(to.filter(({ payee }) => isPart(scope, payee))).map((sums): EarnedOfPayee => ({
              ...sums,
              payee: null,
              isPart: true,
            }))
          : []),
      ],
    }
  }
}

/** What a period was closed with, or would be. */
export function settingsOf(
  calendar: Calendar,
  period: PayPeriod | ClosedPeriod,
): Pick<ClosedPeriod, 'payees' | 'avp'> {
  return 'closedAt' in period ? period : settingsOn(calendar.settings, period.start)
}

/** Whether a payee's statement has lines of somebody who is not the payee. */
const isPart = (scope: Own, payee: PayeeKey): boolean =>
  scope.sees === 'agent' ? payee.kind === 'office' : payee.kind === 'agent'

/** What a day's events pay, at the tiers that their weeks have reached so far. Minor units. */
const sumDay = (periods: readonly OpenParts[], day: Day): OwnPay['today'] =>
  paidForBookings(
    periods.flatMap((one) => one.parts),
    (booking) => booking.day === day,
  )

/** The reader's statement of a closed period. */
async function findShown(
  db: DbOrTx,
  { scope, now }: Pick<Reader, 'scope' | 'now'>,
  { name }: Pick<PayPeriod, 'name'>,
): Promise<NonNullable<OwnPay['last']>['statement']> {
  const rows = await findStatements(db, scope, { period: name }, { page: 1, pageSize: 1 })
  const [item] = await presentAll(db, scope, { rows, now })
  if (!item) return null
  const { id, number, state, paidFrom, paidOn, paidInPart, carriedInto } = item
  return { id, number, state, paidFrom, paidOn, paidInPart, carriedInto }
}

type About = {
  calendar: Calendar
  running: PayPeriod
  earned: { periods: readonly EarnedPeriod[] }
  present: Present
}

/**
 * The payment that comes next: of the last statement, if it has not been sent yet, otherwise of the first open period
 * with something to pay. Null if the reader is paid by nobody here: an office whose agents are paid.
 */
async function findNextPayment(
  db: DbOrTx,
  { scope, today, now }: Reader,
  { calendar, running, earned, present }: About,
): Promise<Omit<NextPayment, 'account'> | null> {
  const { payees } = settingsOf(calendar, running)
  const self: PayeeKey =
    scope.sees === 'agent'
      ? { kind: 'agent', id: scope.agentId }
      : { kind: 'office', id: scope.officeId }
  const payee: PayeeKey = payees === 'offices' ? { kind: 'office', id: scope.officeId } : self
  const part = isPart(scope, payee)
  if (payees === 'agents' && scope.sees === 'office') return null
  const statements = await findLastStatements(db, { scope, now }, payee)
  const name = (await findPayeeNames(db, [payee])).get(payeeText(payee)) ?? ''
  const common = {
    payee: { ...payee, name },
    isPart: part,
    usualDays: usualDaysOf(statements),
  }
  const [last] = statements
  const own = ({ to }: EarnedPeriod) => to.find((one) => payeeText(one.payee) === payeeText(payee))
  const balances = part ? [] : await findBalances(db, payee)
  const owed = (currency: string) => balances.find((one) => one.currency === currency)?.balance ?? 0

  const heldParts = part ? undefined : await findHeldParts(db, today, payee)
  const heldOf = (currency: Currency): readonly HeldPart[] =>
    heldParts?.get(balanceText({ ...payee, currency })) ?? []
  const unpaidReturns = part ? [] : await findUnpaidReturns(db, payee)
  const returned = (currency: string) =>
    unpaidReturns.find((one) => one.currency === currency)?.amount ?? 0

  if (last && isDue(last)) {
    const { row, became } = last
    const earnedThen = earned.periods.find(({ period }) => period.name === row.period.name)
    const amount = part
      ? ((earnedThen && own(earnedThen)?.amount) ?? null)
      : became?.isApproved
        ? became.amount
        : owed(row.currency)
    const held = became?.isApproved ? [] : heldOf(row.currency)
    return {
      ...common,
      period: row.period,
      step:
        became?.state !== 'running' || !became.isApproved
          ? 'closed'
          : became.isSent
            ? 'sent'
            : 'approved',
      currency: row.currency,
      amount,
      carried: part ? 0 : row.carried,
      withheld: part ? 0 : row.withheld,
      returned: returned(row.currency),
      later: freeOf(amount ?? 0, held).later,
      statementId: row.id,
      blocked:
        part || became?.state === 'running'
          ? null
          : await findBlock(
              db,
              { payee, currency: row.currency, amount, held, today },
              calendar,
              running,
            ),
    }
  }
  const open = earned.periods.filter(({ isClosed, period }) => !isClosed && period.start <= today)
  const next = open.find((one) => own(one) !== undefined || one.period === running) ?? open[0]
  if (!next) return null
  const mine = own(next)
  const currency = mine?.currency ?? (await findCurrency(db, payee))
  const carried = owed(currency)
  const key = { ...payee, currency }
  const lastDay = next.period.end
  const settled =
    mine === undefined || mine.amount === null || part
      ? undefined
      : settle({
          amount: mine.amount,
          carried,
          tax: (await findTaxTerms(db, lastDay, payee))(key),
          advances: (await findAdvances(db, { only: payee })).get(balanceText(key)) ?? [],
          lastDay,
        })
  const amount = settled ? settled.due : mine === undefined ? carried : mine.amount
  const { name: periodName, start, end } = present(next)
  const { holdingDays } = settingsOn(calendar.settings, start)
  const added = amount === null ? 0 : amount - carried
  const from = part ? null : paidFromOf(next.period, holdingDays, added)
  const held = [
    ...heldOf(currency),
    ...(from !== null && from > today ? [{ amount: added, from }] : []),
  ]
  return {
    ...common,
    period: { name: periodName, start, end },
    step: 'earning',
    currency,
    amount,
    carried,
    withheld: settled?.tax?.withheld ?? 0,
    returned: returned(currency),
    later: freeOf(amount ?? 0, held).later,
    statementId: null,
    blocked: part
      ? null
      : await findBlock(db, { payee, currency, amount, held, today }, calendar, next.period),
  }
}

type LastStatement = { row: StatementRow; became: PaymentState | undefined }

/** A payee's last statements that the reader sees, newest first. */
async function findLastStatements(
  db: DbOrTx,
  { scope, now }: Pick<Reader, 'scope' | 'now'>,
  payee: PayeeKey,
): Promise<LastStatement[]> {
  const rows = await findStatements(db, scope, { payee }, { page: 1, pageSize: LAST })
  const states = await findPaymentStates(
    db,
    rows.map(({ id }) => id),
    now,
  )
  return rows.map((row) => ({ row, became: states.get(row.id) }))
}

const LAST = 6

/** Whether a payment of a statement is still to come. */
const isDue = ({ row: { due, minimum }, became }: LastStatement): boolean =>
  became === undefined
    ? isPaidOut(due, minimum)
    : ['running', 'failed', 'returned'].includes(became.state)

/** The median of the days from the end of a period to its payment. */
function usualDaysOf(statements: readonly LastStatement[]): number | null {
  const days = statements
    .flatMap(({ row, became }) =>
      became?.paidAt ? [daysBetween(row.period.end, dayOf(became.paidAt))] : [],
    )
    .toSorted((one, other) => one - other)
  return days[Math.floor((days.length - 1) / 2)] ?? null
}

type Payable = {
  payee: PayeeKey
  currency: NextPayment['currency']
  amount: number | null
  held: readonly HeldPart[]
  today: Day
}

async function findBlock(
  db: DbOrTx,
  { payee, currency, amount, held, today }: Payable,
  calendar: Calendar,
  period: PayPeriod,
): Promise<NextPayment['blocked']> {
  const key = payeeText(payee)
  const settings = settingsOn(calendar.settings, period.start)
  const minimum =
    (await findMinimums(db, payee)).get(balanceText({ ...payee, currency })) ??
    minimumIn(currency, settings)
  const balance = amount ?? minimum + 1
  const { free } = freeOf(balance, held)
  const block = blockOf(
    { balance, free, minimum },
    {
      held: (await findHolds(db, payee)).has(key),
      awaits: (await findAwaitingAccounts(db, payee)).has(key),
      isNew: (await findWaitingDays(db, today, payee)).has(key),
      hasAccount: (await findAccountCurrency(db, payee)) === currency,
    },
  )
  return block === 'payable' ? null : block
}

const findAccountCurrency = async (db: DbOrTx, payee: PayeeKey) =>
  (await findCurrencies(db, [payee])).get(payeeText(payee))

/**
 * The reader's statements of an open period, as they would be if it were closed now, after the open periods before it.
 *
 * @throws NOT_FOUND for a period that is not open. CONFLICT if it has no exchange rate yet and needs one.
 */
export const estimatesFor = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  name: string,
): Promise<{ isPart: boolean; content: StatementContent }[]> =>
  inSnapshot(db, (tx) =>
    refuseUnknownRate(async () => {
      await refuseWithoutPayouts(tx, viewer)
      const scope = scopeOf(viewer)
      if (scope.sees === 'everything') throw notFound('payee')
      const calendar = await getCalendar(tx)
      const open = openUntilSunday(calendar, dayOf(tx.now))
      const period = open.find((one) => one.name === name)
      if (!period) throw notFound('open period')
      const earlier = open.slice(0, open.indexOf(period))
      const { periods, openParts } = await findEarned(tx, calendar, {
        closed: [],
        open: [...earlier, period],
        now: tx.now,
        whose: whoseOf(scope),
      })
      const parts = openParts.at(-1)?.parts ?? []
      const names = await findPayeeNames(
        tx,
        parts.map(({ payee }) => payee),
      )
      const balances = new Map(
        (await findBalances(tx)).map((one) => [balanceText(one), one.balance]),
      )
      const advances = await findAdvances(tx, {})
      const taxOf = new Map<string, Awaited<ReturnType<typeof findTaxTerms>>>()
      for (const { end } of [...earlier, period]) taxOf.set(end, await findTaxTerms(tx, end))
      const terms = await findTerms(tx, {
        calendar,
        period,
        periodId: NO_PERIOD,
        exchangeRate: (await findExchangeRates(tx)).get(name),
        closedAt: tx.now,
        closedBy: '',
      })
      const made = parts.flatMap((one) => {
        const partial = isPart(scope, one.payee)
        if (partial && scope.sees === 'office') return []
        const key = balanceText({ ...one.payee, currency: one.currency })
        let before: Before = {
          carried: balances.get(key) ?? 0,
          advances: advances.get(key) ?? [],
          withheld: new Map(),
        }
        const termsOn = (lastDay: Day) =>
          termsAfter(taxOf.get(lastDay)?.({ ...one.payee, currency: one.currency }), {
            lastDay,
            before,
          })
        for (const { period: ended, to } of periods.slice(0, -1)) {
          const amount = to.find(
            (sums) => balanceText({ ...sums.payee, currency: sums.currency }) === key,
          )?.amount
          if (amount != null)
            before = afterStatement(before, {
              amount,
              tax: termsOn(ended.end),
              lastDay: ended.end,
            })
        }
        const content = statementFrom(
          { ...one, payee: { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' } },
          { ...terms, earlier },
          {
            number: name,
            ...(partial
              ? { carried: 0, tax: undefined, advances: [] }
              : { ...before, tax: termsOn(period.end) }),
            // An estimate is no document.
            document: undefined,
          },
        )
        const seen = contentAsSeen(viewer, content)
        return [
          {
            isPart: partial,
            content: partial ? { ...seen, minimum: 0 } : seen,
            bookings: one.bookings,
          },
        ]
      })
      const estimates = []
      for (const { isPart: partial, content, bookings } of made) {
        const differences = () => differencesAmong(bookings)
        const told = await withLineFacts(tx, viewer, content, differences)
        estimates.push({ isPart: partial, content: told })
      }
      return estimates.toSorted((one, other) => Number(one.isPart) - Number(other.isPart))
    }),
  )

/** What a statement finds: the balance, what is owed of advances, and by quarter what statements before it would withhold. */
type Before = Pick<StatementParts, 'carried' | 'advances'> & {
  withheld: ReadonlyMap<string, number>
}

/** With what statements would withhold that are not made yet. */
const termsAfter = (
  terms: TaxTerms | undefined,
  { lastDay, before: { withheld } }: { lastDay: Day; before: Before },
): TaxTerms | undefined =>
  terms && { ...terms, before: terms.before + (withheld.get(quarterOf(lastDay)) ?? 0) }

/** What the next statement would find after one of an open period. */
function afterStatement(
  before: Before,
  one: { amount: number; tax: TaxTerms | undefined; lastDay: Day },
): Before {
  const { tax, advances = [], due } = settle({ ...before, ...one })
  const quarter = quarterOf(one.lastDay)
  return {
    carried: due,
    advances: before.advances.map((advance) => {
      const taken = advances.find(({ id }) => id === advance.proposalId)
      return taken
        ? { ...advance, taken: advance.taken + taken.amount, statements: advance.statements + 1 }
        : advance
    }),
    withheld: new Map([
      ...before.withheld,
      [quarter, (before.withheld.get(quarter) ?? 0) + (tax?.withheld ?? 0)],
    ]),
  }
}

/** Payees do not read who enters or confirms an exchange rate. */
const refuseUnknownRate = <T>(fn: () => Promise<T>): Promise<T> =>
  withoutRate(fn, () =>
    conflict(
      'Part of this is in another currency, and the period’s exchange rate is not known yet.',
    ),
  )
