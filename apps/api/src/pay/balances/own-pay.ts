import type { EarnedOfPayee, NextPayment, OwnPay } from '@tallyroom/contract/pay/closing/earned'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { type PayPeriod } from '@tallyroom/domain/pay'
import { quarterOf } from '@tallyroom/domain/withholding'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import { balanceText, findBalances } from '../ledger/balances.queries.ts'
import type { Whose } from '../bookings/book-events.queries.ts'
import { type Calendar, findCalendar, getCalendar, openUntilSunday } from '../terms/calendar.ts'
import { findTerms, statementFrom } from '../closing/compute-closing.ts'
import { addUp, type EarnedPeriod, findEarned, paidForBookings } from '../closing/earned.ts'
import { differencesAmong, withLineFacts } from '../bookings/line-facts.ts'
import {
  settle,
  type StatementParts,
  type TaxTerms,
  withoutRate,
} from '../statements/make-statement.ts'
import { NO_PERIOD, type OpenParts } from '../closing/open-parts.ts'
import { findPayeeNames, payeeText } from '../terms/payees.queries.ts'
import { findExchangeRates } from '../terms/settings.queries.ts'
import { findTaxTerms } from '../acts/tax-rates.ts'
import { findStatements } from '../statements/statements.queries.ts'
import { contentAsSeen, presentAll } from '../statements/statements.ts'
import { refuseWithoutPayouts } from '../terms/own-payee.ts'
import { findNextPayment } from './next-payment.ts'
import { isPart, type Own, type Reader, settingsOf } from './readers.ts'
import { noPeriod } from '../terms/no-period.ts'

/** Whose events count in a scope: an agent's own, wherever sold; an office's own, whoever sold them. */
export const whoseOf = (scope: Scope): Whose =>
  scope.sees === 'agent'
    ? { agentIds: [scope.agentId] }
    : scope.sees === 'office'
      ? { officeId: scope.officeId }
      : {}

/**
 * What was earned today, in the running period and in the two before it. Home and the pages of offices and agents ask
 * here. Undefined until pay is switched on.
 */
export async function findRecent(
  db: DbOrTx,
  { whose, today, now }: { whose: Whose; today: Day; now: Date },
) {
  const calendar = await findCalendar(db)
  if (!calendar) return undefined
  const open = openUntilSunday(calendar, today)
  const running = open.find(({ end }) => end >= today) ?? open[0]
  if (!running) return undefined
  const closed = calendar.closed.slice(-2)
  const earned = await findEarned(db, calendar, { closed, open, now, whose })
  const at = earned.periods.findIndex(({ period }) => period === running)
  const [before, last, current] = [at - 2, at - 1, at].map((index) => earned.periods[index])
  if (!current) return undefined
  const { periods, openParts } = earned
  return { calendar, running, periods, today: sumDay(openParts, today), current, last, before }
}

/** An office's or agent's pay, for their first screen. Undefined until pay is switched on. */
export async function findOwnPay(
  db: DbOrTx,
  { scope, today, now }: Reader,
): Promise<(Omit<OwnPay, 'next'> & { next: Omit<NextPayment, 'account'> | null }) | undefined> {
  const recent = await findRecent(db, { whose: whoseOf(scope), today, now })
  if (!recent) return undefined
  const { calendar, running, periods, current, last, before } = recent
  const present = await presenter(db, scope, calendar, periods)
  return {
    today: recent.today,
    now: present(current),
    last: last
      ? { ...present(last), statement: await findShown(db, { scope, now }, last.period) }
      : null,
    before: before ? present(before) : null,
    next: await findNextPayment(db, { scope, today, now }, { calendar, running, periods }),
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
  const { id, number, state, step, paidFrom, paidOn, paidInPart, carriedInto } = item
  return { id, number, state, step, paidFrom, paidOn, paidInPart, carriedInto }
}

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
      if (!period) throw noPeriod('open')
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
          const { amount = null, notIncome = null } =
            to.find((sums) => balanceText({ ...sums.payee, currency: sums.currency }) === key) ?? {}
          if (amount !== null)
            before = afterStatement(before, {
              amount,
              notIncome: notIncome ?? 0,
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
  one: { amount: number; notIncome: number; tax: TaxTerms | undefined; lastDay: Day },
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
