import type { StatementContent, TierLine } from '@tallyroom/contract/pay/statements/statement'
import { settingsOn, sundayOf } from '@tallyroom/domain/pay'
import { quarterOf } from '@tallyroom/domain/withholding'
import type { Tx } from '../../db/database.ts'
import { noPause, type Pace, type Reach } from '../../lib/log/progress.ts'
import { findAdvances, findInstalments } from '../ledger/advances.queries.ts'
import { findBookedAdjustments } from '../ledger/adjustments.queries.ts'
import { balanceText } from '../ledger/balances.queries.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { findBookings } from '../bookings/book-events.queries.ts'
import { canonicalBytes, hashOf } from '../statements/canonical.ts'
import { type Calendar, closedPeriodOf, findCalendar } from '../terms/calendar.ts'
import { lineOf } from '../closing/compute-closing.ts'
import { findDocuments } from '../terms/documents.ts'
import { makeStatement, MissingExchangeRate } from '../statements/make-statement.ts'
import type { ClosedPeriod } from '../terms/settings.queries.ts'
import { findStatementsOfPeriod, type StatementRow } from '../statements/statements.queries.ts'
import { findTaxRules, type TaxRuleOn } from '../acts/tax-rates.ts'
import { findTaxEntries } from '../ledger/tax-rates.queries.ts'
import { findAllTierPayments, type TierPayment } from '../bookings/tiers.queries.ts'
import { beforeOf } from '../bookings/tiers.ts'
import { proposalFindings } from '../evidence/verify-proposals.ts'
import { stateFindings } from './verify-states.ts'
import {
  countUnbooked,
  findBookedWeeks,
  findBookingDifferences,
  findPaidTooEarly,
  findRateDifferences,
} from '../evidence/differences.queries.ts'
import { balanceFindings } from '../evidence/balance-findings.ts'

/** What differs in the figures of pay. `late` events wait for the next closing. */
export type FigureFindings = {
  findings: string[]
  periods: number
  statements: number
  late: number
}

/**
 * Recomputes what follows from what people decided: rebuilds every statement from its bookings, tier lines and adjustments,
 * and compares bytes and hash. Also compares bookings with events, AVP weeks with tier payments, balances with statements
 * and payment runs, and what a second person approved with what it made.
 *
 * @param most how many findings of one kind are listed.
 */
export async function verifyFigures(
  tx: Tx,
  most: number,
  { reach, pace = noPause }: { reach?: Reach | undefined; pace?: Pace | undefined } = {},
): Promise<FigureFindings> {
  const findings: string[] = []
  const calendar = await findCalendar(tx)
  if (!calendar) return { findings, periods: 0, statements: 0, late: 0 }
  const payments = await findAllTierPayments(tx)
  const tax = { ruleOn: await findTaxRules(tx), withheld: new Map<string, number>() }
  const serials = new Map<string, number>()
  let statements = 0
  for (const [index, period] of calendar.closed.entries()) {
    reach?.(index, calendar.closed.length, 'periods')
    await pace()
    const upTo = calendar.closed.slice(0, index + 1)
    const rows = await findStatementsOfPeriod(tx, period.id)
    statements += rows.length
    const { holdingDays } = settingsOn(calendar.settings, period.start)
    findings.push(
      ...(await periodFindings(tx, { ...period, holdingDays }, upTo, {
        rows,
        payments,
        tax,
        serials,
      })),
    )
  }
  findings.push(
    ...(await findBookingDifferences(tx, most)),
    ...(await findRateDifferences(tx, most)),
    ...(await weekFindings(tx, calendar, payments)),
    ...(await balanceFindings(tx, { limit: most })),
    ...(await findPaidTooEarly(tx, most)),
    ...(await stateFindings(tx, most)),
    ...(await proposalFindings(tx, calendar, most)),
  )
  const last = calendar.closed.at(-1)
  const unbooked = last
    ? await countUnbooked(tx, {
        lastDay: last.end,
        startedAt: calendar.state.startedAt,
        settledBy: new Date(last.closedAt.getTime() - IN_FLIGHT_MS),
      })
    : { missing: 0, late: 0 }
  if (unbooked.missing > 0) {
    findings.push(`${unbooked.missing} events of closed periods are on no statement.`)
  }
  return { findings, periods: calendar.closed.length, statements, late: unbooked.late }
}

/** Events recorded so shortly before a closing may have been committed after it. */
const IN_FLIGHT_MS = 3_600_000

type Known = {
  rows: readonly StatementRow[]
  payments: readonly TierPayment[]
  /** What the statements of earlier periods withheld, by balance and quarter, as they were made again. */
  tax: { ruleOn: TaxRuleOn; withheld: Map<string, number> }
  /** The last serial of each payee's documents of earlier periods, by `payeeText`. */
  serials: Map<string, number>
}

async function periodFindings(
  tx: Tx,
  period: ClosedPeriod & { holdingDays: number },
  closed: readonly ClosedPeriod[],
  { rows: statements, payments, tax, serials }: Known,
): Promise<string[]> {
  const bookings = Map.groupBy(await findBookings(tx, period.id), (one) =>
    payeeText({ kind: one.payeeKind, id: one.payeeId }),
  )
  const adjustments = Map.groupBy(
    await findBookedAdjustments(tx, period.id),
    ({ statementId }) => statementId,
  )
  const advances = await findAdvances(tx, { periodId: period.id })
  const instalments = await findInstalments(tx, period.id)
  const taxEntries = await findTaxEntries(tx, period.id)
  const quarter = quarterOf(period.end)
  const documentOf = await findDocuments(tx, period.end, serials)
  const tiers = Map.groupBy(linesOf(payments), ({ statementId }) => statementId)
  const findings = statements.flatMap((statement) => {
    const payee = { kind: statement.kind, id: statement.payeeId }
    const key = payeeText(payee)
    const balance = balanceText({ ...payee, currency: statement.currency })
    const rule = tax.ruleOn(payee, period.end)
    const before = tax.withheld.get(`${balance} ${quarter}`) ?? 0
    const withheld = taxEntries.get(statement.id) ?? 0
    const own = bookings.get(key) ?? []
    bookings.delete(key)
    const document = documentOf(payee)
    if (document) serials.set(key, document.serial)
    const content = unlessRateIsMissing(() =>
      makeStatement({
        number: statement.number,
        period: {
          name: period.name,
          start: period.start,
          end: period.end,
          payees: period.payees,
          avp: period.avp,
        },
        payee: { ...payee, name: statement.payeeName },
        currency: statement.currency,
        closedBy: period.closedBy,
        closedAt: period.closedAt,
        bookings: own,
        tiers: (tiers.get(statement.id) ?? []).map(({ line }) => line),
        adjustments: (adjustments.get(statement.id) ?? []).map(lineOf),
        carried: statement.carried,
        tax: rule && { ...rule, before },
        advances: advances.get(balance) ?? [],
        minimum: statement.minimum,
        document,
        holdingDays: period.holdingDays,
        exchangeRate:
          period.pesosE4 === null
            ? undefined
            : { pesosE4: period.pesosE4, source: period.pesosSource ?? '' },
        periodOf: (day) => closedPeriodOf(closed, day),
      }),
    )
    // The next statements of the quarter continue it, whatever is wrong with this one.
    tax.withheld.set(`${balance} ${quarter}`, before + (content?.tax?.withheld ?? withheld))
    const taken = (instalments.get(statement.id) ?? []).map((one) => [one.proposalId, one.amount])
    const difference = content
      ? differenceOf(statement, content, { taken, withheld })
      : `needs the exchange rate that ${period.name} lacks.`
    return [
      ...(statement.documentSerial === (document?.serial ?? null)
        ? []
        : ['has another document number than its payee’s next.']),
      ...(difference === undefined ? [] : [difference]),
    ].map((what) => `Statement ${statement.number} ${what}`)
  })
  for (const [payee, rows] of bookings) {
    findings.push(`${rows.length} bookings of ${payee} in ${period.name} are on no statement.`)
  }
  return findings
}

/** The first difference of a statement from what it is made of again, and from what it took. */
function differenceOf(
  statement: StatementRow,
  content: StatementContent,
  { taken, withheld }: { taken: readonly (readonly number[])[]; withheld: number },
): string | undefined {
  const bytes = canonicalBytes(content)
  if (!bytes.equals(statement.content)) return 'differs from what was booked for it.'
  if (!hashOf(bytes).equals(statement.contentHash)) return 'has a different content hash.'
  const named = (content.advances ?? []).filter(({ amount }) => amount > 0)
  if (JSON.stringify(taken) !== JSON.stringify(named.map(({ id, amount }) => [id, amount])))
    return 'took back other instalments than it names.'
  if (withheld !== (content.tax?.withheld ?? 0)) return 'withheld another tax than it names.'
  if ((content.paidFrom ?? null) !== statement.paidFrom)
    return 'is paid from another day than it says.'
  if ((content.notIncome ?? null) !== statement.notIncome)
    return 'counts another amount as not income than it says.'
  if (content.amount !== statement.amount) return 'has an amount that differs from its content.'
  return undefined
}

function unlessRateIsMissing<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof MissingExchangeRate) return undefined
    throw error
  }
}

/** Tier payments as the lines that statements hold. */
function linesOf(payments: readonly TierPayment[]): { statementId: number; line: TierLine }[] {
  const last = new Map<string, TierPayment>()
  return payments.map((payment) => {
    const {
      id: _id,
      statementId,
      periodId: _period,
      payeeKind: _kind,
      payeeId: _payee,
      ...rest
    } = payment
    const before = last.get(weekKey(payment))
    last.set(weekKey(payment), payment)
    return { statementId, line: { ...rest, before: before ? beforeOf(before) : null } }
  })
}

/** Checks that each week was paid what its last line says, for the number of sales booked. */
async function weekFindings(
  tx: Tx,
  { closed, settings }: Calendar,
  payments: readonly TierPayment[],
): Promise<string[]> {
  const paid = Map.groupBy(payments, weekKey)
  const findings: string[] = []
  for (const lines of paid.values()) {
    const last = lines.at(-1)
    if (!last) continue
    const sum = (currency: 'centavos' | 'cents') =>
      lines.reduce((total, line) => total + line[currency], 0)
    if (
      sum('centavos') !== last.paidSales * last.rateCentavos ||
      sum('cents') !== last.paidSales * last.rateCents
    ) {
      findings.push(`The lines of ${inWords(last)} do not add up to what its tier pays.`)
    }
  }
  const lastDay = closed.at(-1)?.end ?? ''
  for (const booked of await findBookedWeeks(tx)) {
    if (sundayOf(booked.week) > lastDay) continue
    if (settingsOn(settings, booked.week).avp === 'information') continue
    const paidSales = paid.get(weekKey(booked))?.at(-1)?.paidSales ?? 0
    if (paidSales !== booked.paidSales) {
      findings.push(
        `${inWords(booked)} has ${booked.paidSales} booked AVP sales; ${paidSales} were paid.`,
      )
    }
  }
  return findings
}

type Week = { week: string; agentId: number; officeId: number }

const weekKey = ({ week, agentId, officeId }: Week) => `${week} ${agentId} ${officeId}`

const inWords = ({ week, agentId, officeId }: Week) =>
  `the week of ${week} of agent ${agentId} for office ${officeId}`
