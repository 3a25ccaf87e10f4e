import type {
  PayChecks,
  PayPeriodItem,
  PreviewedStatement,
} from '@tallyroom/contract/pay/closing/periods'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { todayNewYork } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { isPaidOut, type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { STATEMENT_TIMED_OUT, errorCode, inSnapshot } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  liftStatementTimeout,
  limitStatements,
  readEventsAndTotals,
  verifyDays,
} from '../../totals/index.ts'
import { equalityOf } from '../acts/adjustment-file.ts'
import { findOpenAdjustments } from '../ledger/adjustments.queries.ts'
import { balanceText, findHolds } from '../ledger/balances.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { type CandidateServices, findRefusals } from '../runs/candidates.ts'
import { type Booking, findUnbooked } from '../bookings/book-events.queries.ts'
import {
  type Calendar,
  findCalendar,
  getCalendar,
  nextPeriod,
  openPeriods,
} from '../terms/calendar.ts'
import {
  findFraudAgents,
  findOpenPostbacksOf,
  findRecentAmounts,
  findSuspendedSales,
} from '../bookings/checks.queries.ts'
import { refuseMissingRate } from './close-period.ts'
import {
  type Closing,
  computeStatements,
  findParts,
  type MadeStatement,
  type PayeeParts,
  toBookOf,
} from './compute-closing.ts'
import { paidByParts, paidForBookings } from './earned.ts'
import { differencesAmong, withLineFacts } from '../bookings/line-facts.ts'
import { NO_PERIOD } from './open-parts.ts'
import { MissingExchangeRate } from '../statements/make-statement.ts'
import { findWaitingProposals } from '../ledger/proposals.queries.ts'
import { rateBefore } from '../terms/rate-before.ts'
import { findExchangeRates } from '../terms/settings.queries.ts'
import { sumPeriods } from '../statements/statements.queries.ts'
import { noPeriod } from '../terms/no-period.ts'

type Needed = Pick<Services, 'db' | 'clock'>

/** Open and closed periods, newest first; none until pay is switched on. */
export async function listPeriods({ db, clock }: Needed): Promise<PayPeriodItem[]> {
  const calendar = await findCalendar(db)
  if (!calendar) return []
  const today = todayNewYork(clock.now())
  const rates = await findExchangeRates(db)
  const sums = await sumPeriods(db)
  const next = nextPeriod(calendar)
  const periods = openPeriods(calendar, today)
  const open = periods.map((period): PayPeriodItem => {
    const { payees, avp } = settingsOn(calendar.settings, period.start)
    const state = period.end >= today ? 'open' : period.start === next.start ? 'ready' : 'waits'
    const { name, start, end } = period
    return {
      name,
      start,
      end,
      state,
      payees,
      avp,
      exchangeRate: rates.get(name) ?? null,
      rateBefore: rateBefore(calendar, rates, period, periods) ?? null,
      closed: null,
    }
  })
  const closed = calendar.closed.map((period): PayPeriodItem => ({
    name: period.name,
    start: period.start,
    end: period.end,
    state: 'closed',
    payees: period.payees,
    avp: period.avp,
    exchangeRate:
      period.pesosE4 === null
        ? null
        : { pesosE4: period.pesosE4, source: period.pesosSource ?? '', setBy: period.pesosSetBy },
    rateBefore: rateBefore(calendar, rates, period, []) ?? null,
    closed: {
      at: period.closedAt.toISOString(),
      by: period.closedBy,
      ...(sums.get(period.id) ?? { statements: 0, centavos: 0, cents: 0 }),
    },
  }))
  return [...closed, ...open].toReversed()
}

/** What to check before closing. Only the next period has sums; later ones have postbacks only. */
export async function checkPeriod(
  services: Needed & CandidateServices,
  name: string,
): Promise<PayChecks> {
  const { db, clock } = services
  const calendar = await getCalendar(db)
  const today = todayNewYork(clock.now())
  const period = openPeriods(calendar, today).find((one) => one.name === name)
  if (!period) throw noPeriod('open')
  const isNext = period.start === nextPeriod(calendar).start
  const nothing: PayChecks = {
    postbacks: await findOpenPostbacksOf(db, period),
    fraudAgents: [],
    suspendedAgents: [],
    equalAdjustments: isNext ? await findEqualAdjustments(db) : [],
    unusual: [],
    totals: period.end < today ? await checkTotals(db, period) : null,
    needExchangeRate: [],
    notPaid: [],
    waiting: await findWaitingFor(db, period, isNext),
  }
  if (!isNext) return nothing
  return inSnapshot(db, async (tx) => {
    const closing = await closingOf(tx, calendar, period)
    const booked = await findUnbooked(tx, toBookOf(closing))
    const parts = await findParts(tx, { ...closing, booked, adjustments: [] })
    const fraudAgents = await fraudAgentsOf(tx, parts)
    const suspendedAgents = await suspendedAgentsOf(tx, parts)
    const agents = { fraudAgents, suspendedAgents }
    try {
      const made = await computeStatements(tx, closing, booked)
      const notPaid = await notPaidOf(services, tx, made)
      return { ...nothing, ...agents, unusual: await unusualOf(tx, made), notPaid }
    } catch (error) {
      if (!(error instanceof MissingExchangeRate)) throw error
      // Even if the exchange rate is missing, statements that need none are compared.
      const anyRate = { id: 0, pesosE4: 10_000, source: '', setById: 0, setBy: null }
      const made = await computeStatements(tx, { ...closing, exchangeRate: anyRate }, booked)
      const ready = made.filter(({ content }) => content.conversion === null)
      const unusual = await unusualOf(tx, ready)
      const notPaid = await notPaidOf(services, tx, ready)
      const needExchangeRate = made.flatMap(({ content: { payee, conversion } }) =>
        conversion === null ? [] : [payee],
      )
      return { ...nothing, ...agents, unusual, notPaid, needExchangeRate }
    }
  })
}

/** What waits for a second person and would act on an open period. Adjustments go on the next statements. */
async function findWaitingFor(
  db: DbOrTx,
  { name, end }: PayPeriod,
  isNext: boolean,
): Promise<PayChecks['waiting']> {
  const proposals = await findWaitingProposals(db)
  const names = await findPayeeNames(
    db,
    proposals.flatMap(({ act }) => ('payee' in act ? [act.payee] : [])),
  )
  return proposals.flatMap(({ id, act, madeBy: { name: by } }): PayChecks['waiting'] => {
    if (act.kind === 'exchange rate' && act.period === name)
      return [{ kind: act.kind, id, pesosE4: act.pesosE4, by }]
    if ((act.kind !== 'adjustment' && act.kind !== 'tax rate') || !isNext) return []
    const payee = { ...act.payee, name: names.get(payeeText(act.payee)) ?? '' }
    if (act.kind === 'tax rate')
      return act.fromDay <= end ? [{ kind: act.kind, id, payee, rateBp: act.rateBp, by }] : []
    const { kind, currency, amount } = act
    return [{ kind, id, payee, currency, amount, by }]
  })
}

/** Adjustments that may have been entered twice. */
async function findEqualAdjustments(db: DbOrTx): Promise<PayChecks['equalAdjustments']> {
  const same = Map.groupBy(await findOpenAdjustments(db), ({ payeeId: id, ...one }) =>
    equalityOf({ ...one, id }),
  )
  const equal = [...same.values()].flatMap(([one, ...others]) =>
    one && others.length > 0 ? [{ ...one, times: others.length + 1 }] : [],
  )
  const names = await findPayeeNames(
    db,
    equal.map(({ kind, payeeId: id }) => ({ kind, id })),
  )
  return equal.map(({ kind, payeeId: id, currency, amount, reason, times }) => ({
    payee: { kind, id, name: names.get(payeeText({ kind, id })) ?? '' },
    currency,
    amount,
    reason,
    times,
  }))
}

/** Closing waits for these checks, so comparing has little time; `totals verify` takes as long as it needs. */
async function checkTotals(db: Db, days: DateRange): Promise<PayChecks['totals']> {
  try {
    const found = await readEventsAndTotals(db, async (tx) => {
      await limitStatements(tx, MOST_SECONDS)
      return verifyDays(tx, days)
    })
    const [first] = found
    return {
      differences: found.length,
      first: first
        ? `${first.level} ${first.row}: ${first.expected} expected, ${first.actual} found`
        : null,
    }
  } catch (error) {
    if (errorCode(error) === STATEMENT_TIMED_OUT) return 'too many'
    throw error
  }
}

const MOST_SECONDS = 3

/** The statements that closing would make now, largest change first. Writes nothing. */
export async function previewPeriod(needed: Needed, name: string): Promise<PreviewedStatement[]> {
  const { contents } = await previewContents(needed, name)
  const recent = await findRecentAmounts(needed.db)
  const last = (await findCalendar(needed.db))?.closed.at(-1)?.name
  const before = new Map(
    recent.flatMap((one) => (one.name === last ? [[balanceText(one), one.amount] as const] : [])),
  )
  const holds = await findHolds(needed.db)
  return contents
    .map(({ payee, currency, amount, carried, due, minimum }) => {
      const earlier = before.get(balanceText({ ...payee, currency })) ?? 0
      const held = holds.has(payeeText(payee))
      return {
        payee,
        currency,
        amount,
        carried,
        due,
        before: earlier,
        change: amount - earlier,
        held,
        carriedOn: !isPaidOut(due, minimum),
      }
    })
    .toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))
}

/** @throws NOT_FOUND for a payee that would get no statement. */
export async function previewOf(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  name: string,
  payee: PayeeKey,
): Promise<StatementContent> {
  const { contents, booked } = await previewContents({ db }, name)
  const content = contents.find((one) => payeeText(one.payee) === payeeText(payee))
  if (!content) throw notFound('statement')
  return withLineFacts(db, viewer, content, () =>
    differencesAmong(
      booked.filter(
        (one) => payeeText({ kind: one.payeeKind, id: one.payeeId }) === payeeText(payee),
      ),
    ),
  )
}

/** What closing would make now, and of which events. */
const previewContents = (
  { db }: Pick<Services, 'db'>,
  name: string,
): Promise<{ contents: StatementContent[]; booked: Booking[] }> =>
  inSnapshot(db, async (tx) => {
    await liftStatementTimeout(tx)
    const calendar = await getCalendar(tx)
    const period = nextPeriod(calendar)
    if (period.name !== name) throw conflict(`Only the next period, ${period.name}, has a preview.`)
    const closing = await closingOf(tx, calendar, period)
    const booked = await findUnbooked(tx, toBookOf(closing))
    const made = await refuseMissingRate(tx, name, () => computeStatements(tx, closing, booked))
    return { contents: made.map(({ content }) => content), booked }
  })

/** The closing to preview. */
const closingOf = async (tx: Tx, calendar: Calendar, period: PayPeriod): Promise<Closing> => ({
  calendar,
  period,
  periodId: NO_PERIOD,
  exchangeRate: (await findExchangeRates(tx)).get(period.name),
  closedAt: tx.now,
  closedBy: '',
})

/** What statements pay for these agents, by rates and by tiers. */
async function fraudAgentsOf(
  db: DbOrTx,
  parts: readonly PayeeParts[],
): Promise<PayChecks['fraudAgents']> {
  const lines = parts.flatMap(({ bookings, tiers }) => [...bookings, ...tiers])
  const marked = await findFraudAgents(db, [...new Set(lines.map(({ agentId }) => agentId))])
  const names = await findPayeeNames(
    db,
    parts.map(({ payee }) => payee),
  )
  return parts.flatMap((one) => {
    const agents = new Map(
      [...one.tiers, ...one.bookings].map(({ agentId, agentName }) => [agentId, agentName]),
    )
    return [...agents].flatMap(([agentId, agentName]) => {
      const isTheirs = (line: { agentId: number }) => line.agentId === agentId
      const bookings = one.bookings.filter(isTheirs)
      const isMarked = marked.has(agentId)
      if (!isMarked && !bookings.some(({ fraud }) => fraud)) return []
      const tiers = one.tiers.filter(isTheirs)
      const { PHP: centavos, USD: cents } = paidByParts({
        ...one,
        bookings,
        tiers,
        adjustments: [],
      })
      const payee = { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' }
      return [{ agentId, agentName, marked: isMarked, payee, centavos, cents }]
    })
  })
}

/** Their clicks were good, so the merchant pays for the sales. Whether the agent gets their pay is for people to say. */
async function suspendedAgentsOf(
  db: DbOrTx,
  parts: readonly PayeeParts[],
): Promise<PayChecks['suspendedAgents']> {
  const bookings = parts.flatMap((one) => one.bookings)
  const marked = await findSuspendedSales(db, [...new Set(bookings.map(({ agentId }) => agentId))])
  const sales = bookings.filter(({ eventId }) => marked.has(eventId))
  return [...Map.groupBy(sales, ({ agentId }) => agentId)].map(([agentId, own]) => {
    const { PHP: centavos, USD: cents } = paidForBookings(parts, (one) => own.includes(one))
    return { agentId, agentName: own[0]?.agentName ?? '', sales: own.length, centavos, cents }
  })
}

/** Whom a payment run would leave out once these statements were made, as preparing it says. */
async function notPaidOf(
  services: CandidateServices,
  db: DbOrTx,
  statements: readonly MadeStatement[],
): Promise<PayChecks['notPaid']> {
  const byCurrency = Map.groupBy(
    statements.map(({ content: { payee, currency, due, carried, paidFrom } }) => ({
      ...payee,
      currency,
      due,
      added: paidFrom === undefined ? null : { amount: due - carried, from: paidFrom },
    })),
    ({ currency }) => currency,
  )
  const found: PayChecks['notPaid'] = []
  for (const [currency, due] of byCurrency) {
    const refusals = await findRefusals(services, db, currency, due)
    found.push(...refusals.map((one) => ({ ...one, currency })))
  }
  return found
}

/** Payees far from the mean of their last three statements. Those with fewer are not compared. */
async function unusualOf(
  db: DbOrTx,
  statements: readonly MadeStatement[],
): Promise<PayChecks['unusual']> {
  const recent = Map.groupBy(await findRecentAmounts(db), balanceText)
  return statements.flatMap(({ content: { payee, currency, amount } }) => {
    const last = recent.get(balanceText({ ...payee, currency })) ?? []
    if (last.length < 3) return []
    const usual = Math.round(last.reduce((sum, one) => sum + one.amount, 0) / last.length)
    const isUsual = amount * 2 >= usual && amount <= usual * 2
    return isUsual ? [] : [{ payee, currency, amount, usual }]
  })
}
