import type { NextPayment } from '@tallyroom/contract/pay/closing/earned'
import { addDays, type Day, daysBetween } from '@tallyroom/domain/new-york'
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
import type { DbOrTx } from '../../db/database.ts'
import { findTaxTerms } from '../acts/tax-rates.ts'
import type { EarnedPeriod } from '../closing/earned.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import {
  balanceText,
  findAwaitingAccounts,
  findBalances,
  findCurrencies,
  findCurrency,
  findHeldParts,
  findHolds,
  findMinimums,
  findPaymentEntries,
  findWaitingDays,
} from '../ledger/balances.queries.ts'
import { findSettledBooks } from '../ledger/settle.ts'
import { returnedOf } from '../ledger/settlements.ts'
import { settle } from '../statements/make-statement.ts'
import { openStepOf, type PaymentState } from '../statements/payment-states.ts'
import { findSettledStates } from '../statements/states.ts'
import { findStatements, type StatementRow } from '../statements/statements.queries.ts'
import type { Calendar } from '../terms/calendar.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { blockOf } from './balances.ts'
import { isPart, type Reader, settingsOf } from './readers.ts'

type About = {
  calendar: Calendar
  running: PayPeriod
  /** Closed and open periods, oldest first. */
  periods: readonly EarnedPeriod[]
}

type Next = Omit<NextPayment, 'account'>

/**
 * The payment that comes next: of the last statement, if it has not been sent yet, otherwise of the first open period
 * with something to pay. Null if the reader is paid by nobody here: an office whose agents are paid.
 */
export async function findNextPayment(
  db: DbOrTx,
  reader: Reader,
  about: About,
): Promise<Next | null> {
  const payee = payeeOf(reader, about)
  if (!payee) return null
  const known = await findKnown(db, reader, payee)
  const [last] = known.statements
  return last && isDue(last) ? ofStatement(db, known, last, about) : ofOpenPeriod(db, known, about)
}

/** Who is paid for what the reader sees. */
function payeeOf({ scope }: Reader, { calendar, running }: About): PayeeKey | undefined {
  const { payees } = settingsOf(calendar, running)
  if (payees === 'offices') return { kind: 'office', id: scope.officeId }
  return scope.sees === 'agent' ? { kind: 'agent', id: scope.agentId } : undefined
}

/** What is known of a payee, as the reader may see it. */
type Known = {
  today: Day
  payee: PayeeKey
  /** The last ones, newest first. */
  statements: readonly LastStatement[]
  /** What is owed, and what of it came back, in minor units. 0 to who sees a part. */
  owed: (currency: Currency) => number
  returned: (currency: Currency) => number
  held: (currency: Currency) => readonly HeldPart[]
  common: Pick<Next, 'payee' | 'isPart' | 'usualDays'>
}

async function findKnown(db: DbOrTx, reader: Reader, payee: PayeeKey): Promise<Known> {
  const { scope, today } = reader
  const part = isPart(scope, payee)
  const statements = await findLastStatements(db, reader, payee)
  const name = (await findPayeeNames(db, [payee])).get(payeeText(payee)) ?? ''
  const balances = part ? [] : await findBalances(db, payee)
  const held = part ? undefined : await findHeldParts(db, today, payee)
  const returned = part ? () => 0 : await findReturned(db, reader, payee)
  return {
    today,
    payee,
    statements,
    owed: (currency) => balances.find((one) => one.currency === currency)?.balance ?? 0,
    returned,
    held: (currency) => held?.get(balanceText({ ...payee, currency })) ?? [],
    common: { payee: { ...payee, name }, isPart: part, usualDays: usualDaysOf(statements) },
  }
}

/** What of each of a payee's balances came back and was not taken by another payment. */
async function findReturned(
  db: DbOrTx,
  { now }: Pick<Reader, 'now'>,
  payee: PayeeKey,
): Promise<Known['returned']> {
  const books = await findSettledBooks(db, now, [payee])
  const approved = await findPaymentEntries(db, payee)
  return (currency) => {
    const book = books.get(balanceText({ ...payee, currency }))
    return book ? returnedOf(book, (lineId) => approved.has(lineId)) : 0
  }
}

async function ofStatement(
  db: DbOrTx,
  { common, held: heldIn, owed, payee, returned, today }: Known,
  { row, became }: LastStatement,
  { calendar, running, periods }: About,
): Promise<Next> {
  const { currency, period } = row
  const { isPart: part } = common
  const approved = became?.isApproved ? became : undefined
  const open = became?.state === 'running' ? became : undefined
  const earned = periods.find((one) => one.period.name === period.name)
  const parts = part ? null : (approved?.parts ?? null)
  const whole = parts ? parts.underWay : approved ? approved.amount : owed(currency)
  const amount = part ? ((earned && earnedBy(payee, earned)?.amount) ?? null) : whole
  const held = approved ? [] : heldIn(currency)
  const isBlocked = !part && !open
  const payable = { payee, currency, amount, held, today }
  return {
    ...common,
    period,
    ...progressOf(open, usuallyPaidOn(common, period)),
    currency,
    amount,
    carried: part ? 0 : row.carried,
    withheld: part ? 0 : row.withheld,
    // What an approved run pays was fixed before what came back since.
    returned: approved ? 0 : returned(currency),
    answered: parts && { arrived: parts.arrived, failed: parts.failed },
    later: freeOf(amount ?? 0, held).later,
    statementId: row.id,
    blocked: isBlocked ? await findBlock(db, payable, calendar, running) : null,
  }
}

/** How far it is, and when to expect it. Until a run is approved, its day is what somebody has asked for. */
function progressOf(
  open: PaymentState | undefined,
  usually: Day | null,
): Pick<Next, 'step' | 'expectedBy'> {
  if (!open) return { step: 'closed', expectedBy: usually }
  const step = openStepOf(open)
  return { step, expectedBy: step === 'prepared' ? usually : (open.by?.executionDay ?? usually) }
}

const usuallyPaidOn = ({ usualDays }: Pick<Next, 'usualDays'>, { end }: { end: Day }): Day | null =>
  usualDays === null ? null : addDays(end, usualDays)

async function ofOpenPeriod(
  db: DbOrTx,
  known: Known,
  { calendar, running, periods }: About,
): Promise<Next | null> {
  const { common, payee, returned, today } = known
  const { isPart: part } = common
  const open = periods.filter(({ isClosed, period }) => !isClosed && period.start <= today)
  const next =
    open.find((one) => earnedBy(payee, one) !== undefined || one.period === running) ?? open[0]
  if (!next) return null
  const mine = earnedBy(payee, next)
  const currency = mine?.currency ?? (await findCurrency(db, payee))
  const carried = known.owed(currency)
  const settled =
    mine === undefined || mine.amount === null || part
      ? undefined
      : await settleNow(db, { ...mine, amount: mine.amount, carried }, next.period.end)
  const amount = settled ? settled.due : mine === undefined ? carried : mine.amount
  const { name, start, end } = next.period
  const added = amount === null ? 0 : amount - carried
  const { holdingDays } = settingsOn(calendar.settings, start)
  const from = part ? null : paidFromOf(next.period, holdingDays, added)
  const held = [
    ...known.held(currency),
    ...(from !== null && from > today ? [{ amount: added, from }] : []),
  ]
  const payable = { payee, currency, amount, held, today }
  return {
    ...common,
    period: { name, start, end },
    step: 'earning',
    expectedBy: usuallyPaidOn(common, next.period),
    currency,
    amount,
    carried,
    withheld: settled?.tax?.withheld ?? 0,
    returned: returned(currency),
    answered: null,
    later: freeOf(amount ?? 0, held).later,
    statementId: null,
    blocked: part ? null : await findBlock(db, payable, calendar, next.period),
  }
}

const earnedBy = (payee: PayeeKey, { to }: EarnedPeriod) =>
  to.find((one) => payeeText(one.payee) === payeeText(payee))

/** What a statement would add up to if the period were closed now. */
async function settleNow(
  db: DbOrTx,
  of: {
    payee: PayeeKey
    currency: Currency
    amount: number
    notIncome: number | null
    carried: number
  },
  lastDay: Day,
) {
  const { payee, currency, amount, notIncome, carried } = of
  const key = { ...payee, currency }
  return settle({
    amount,
    notIncome: notIncome ?? 0,
    carried,
    tax: (await findTaxTerms(db, lastDay, payee))(key),
    advances: (await findAdvances(db, { only: payee })).get(balanceText(key)) ?? [],
    lastDay,
  })
}

type LastStatement = { row: StatementRow; became: PaymentState | undefined }

/** A payee's last statements that the reader sees, newest first. */
async function findLastStatements(
  db: DbOrTx,
  { scope, now }: Pick<Reader, 'scope' | 'now'>,
  payee: PayeeKey,
): Promise<LastStatement[]> {
  const rows = await findStatements(db, scope, { payee }, { page: 1, pageSize: LAST })
  const states = await findSettledStates(
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
      became?.paidOn ? [daysBetween(row.period.end, became.paidOn)] : [],
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
