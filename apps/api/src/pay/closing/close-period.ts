import { todayNewYork } from '@tallyroom/domain/new-york'
import { settingsOn } from '@tallyroom/domain/pay'
import type { Tx } from '../../db/database.ts'
import { doOnce } from '../../db/do-once.ts'
import { locks } from '../../db/locks.ts'
import { onlyOne } from '../../db/only-one.ts'
import { conflict, invalid } from '../../errors.ts'
import { type Giver, hashOfAct, takeFactorFor } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { insertInstalments } from '../ledger/advances.queries.ts'
import { bookEvents } from '../bookings/book-events.queries.ts'
import { canonicalBytes, hashOf } from '../statements/canonical.ts'
import { getCalendar, nextPeriod } from '../terms/calendar.ts'
import { findOpenPostbacksOf, type OpenPostbacksOfSite } from '../bookings/checks.queries.ts'
import { insertBookedAdjustments, insertPeriod, insertStatements } from './closing.queries.ts'
import { computeStatements, type MadeStatement, toBookOf } from './compute-closing.ts'
import { withoutRate } from '../statements/make-statement.ts'
import { sealRows } from '../../seals/index.ts'
import { settle } from '../ledger/settle.ts'
import { refuseForgedTerms } from '../evidence/evidence.ts'
import { findWaitingOf } from '../ledger/proposals.queries.ts'
import { findExchangeRates, lockBalances } from '../terms/settings.queries.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { insertTaxEntries } from '../ledger/tax-rates.queries.ts'
import { insertTierPayments } from '../bookings/tiers.queries.ts'

/** The open postbacks shown to the person who closes, by site. */
export type SeenPostbacks = readonly Pick<OpenPostbacksOfSite, 'siteId' | 'waiting' | 'conflicts'>[]

/** Who closes a period. `giver`: by whom the second factor is given, if a person does it in the back office. */
export type Closer = { id: number; name: string; giver?: Giver }

/**
 * Closes the next period: books its events and makes its statements, all or nothing, in one transaction that only one
 * process runs at a time. Safe to repeat: a closed period is refused. Clicks and postbacks are not blocked: an event
 * committed a moment later becomes a late line of the next period.
 *
 * @throws CONFLICT if somebody else is closing, an earlier period is open, the period is not over, postbacks have
 *   arrived that the closer has not seen, an exchange rate is missing, or what decides pay is forged; as `takeFactorFor`.
 */
export async function closePeriod(
  { db }: Pick<Services, 'db'>,
  closer: Closer,
  { name, typed, seen }: { name: string; typed: string; seen: SeenPostbacks },
): Promise<{ name: string; statements: number; events: number }> {
  if (typed !== name) throw invalid({ typed: [`must be ${name}`] })
  const result = await onlyOne(db, locks.closePeriod, (tx) =>
    doOnce(tx, () => closeInside(tx, closer, { name, seen })),
  )
  if (result === 'busy')
    throw conflict('Somebody else is closing a period. Reload the page in a moment.')
  return result
}

async function closeInside(
  tx: Tx,
  { giver, ...closer }: Closer,
  { name, seen }: { name: string; seen: SeenPostbacks },
) {
  await liftStatementTimeout(tx)
  await lockBalances(tx)
  const { now } = tx
  const calendar = await getCalendar(tx)
  if (calendar.closed.some((period) => period.name === name)) {
    throw conflict(`${name} is already closed.`)
  }
  const period = nextPeriod(calendar)
  if (period.name !== name) throw conflict(`${period.name} must be closed first.`)
  if (period.end >= todayNewYork(now)) throw conflict(`${name} is not over.`)
  refuseUnseen(seen, await findOpenPostbacksOf(tx, period))
  // Before what takes long.
  if (giver) await takeFactorFor(tx, giver, 'close period', hashOfAct('close period', name))

  const exchangeRate = (await findExchangeRates(tx)).get(name)
  const settings = settingsOn(calendar.settings, period.start)
  const periodId = await insertPeriod(tx, period, {
    settings,
    rate: exchangeRate,
    closedAt: now,
    closedBy: closer,
  })
  const closing = { calendar, period, periodId, exchangeRate, closedAt: now, closedBy: closer.name }
  const booked = await bookEvents(tx, toBookOf(closing))
  const statements = await refuseMissingRate(tx, name, () => computeStatements(tx, closing, booked))
  await sealRows(tx, 'pay_periods', { id: periodId })
  await refuseForgedTerms(
    tx,
    statements.map(({ content }) => content.payee),
  )
  const ids = await insertMade(tx, statements, { periodId, madeAt: now, madeBy: closer.id })
  await sealRows(tx, 'statements', { period_id: periodId })
  await settle(
    tx,
    statements.map(({ content }) => content.payee),
  )
  await tellPayees(
    tx,
    statements.map(({ content: { number, payee, amount, currency } }) => ({
      kind: 'statement',
      payee,
      amount,
      currency,
      number,
      statementId: ids.get(number) ?? 0,
    })),
    closer.id,
  )
  return { name, statements: statements.length, events: booked.length }
}

async function insertMade(
  tx: Tx,
  statements: readonly MadeStatement[],
  made: { periodId: number; madeAt: Date; madeBy: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = statements.map(({ content }) => {
    const bytes = canonicalBytes(content)
    return {
      number: content.number,
      kind: content.payee.kind,
      payeeId: content.payee.id,
      payeeName: content.payee.name,
      currency: content.currency,
      amount: content.amount,
      notIncome: content.notIncome ?? null,
      carried: content.carried,
      minimum: content.minimum,
      documentSerial: content.document?.serial ?? null,
      paidFrom: content.paidFrom ?? null,
      content: bytes,
      contentHash: hashOf(bytes),
    }
  })
  const ids = await insertStatements(tx, rows, made)
  const idOf = ({ number }: { number: string }) => ids.get(number) ?? 0
  await insertInstalments(
    tx,
    statements.flatMap(({ content }) =>
      (content.advances ?? [])
        .filter(({ amount }) => amount > 0)
        .map(({ id, amount }) => ({
          proposalId: id,
          statementId: idOf(content),
          amount,
          payee: content.payee,
          currency: content.currency,
        })),
    ),
    made,
  )
  await insertTaxEntries(
    tx,
    statements.map(({ content }) => ({ ...content, statementId: idOf(content) })),
    made,
  )
  await insertTierPayments(
    tx,
    statements.flatMap(({ content }) =>
      content.tiers.map((line) => ({ ...line, statementId: idOf(content) })),
    ),
  )
  await insertBookedAdjustments(
    tx,
    statements.flatMap(({ content, adjustmentIds }) =>
      adjustmentIds.map((adjustmentId) => ({ adjustmentId, statementId: idOf(content) })),
    ),
  )
  return ids
}

/** @throws CONFLICT if a payee needs the period's exchange rate and there is none. */
export const refuseMissingRate = <T>(tx: Tx, name: string, fn: () => Promise<T>): Promise<T> =>
  withoutRate(fn, async () => {
    const waiting = (await findWaitingOf(tx, 'exchange rate')).find(
      ({ act }) => act.period === name,
    )
    return conflict(
      waiting
        ? `Some payees are paid in another currency, and the exchange rate of ${name} that ${waiting.madeBy.name} entered waits for a second person.`
        : `Some payees are paid in another currency. Enter the exchange rate of ${name} first.`,
    )
  })

function refuseUnseen(seen: SeenPostbacks, open: readonly OpenPostbacksOfSite[]): void {
  for (const { siteId, siteName, waiting, conflicts } of open) {
    const known = seen.find((one) => one.siteId === siteId)
    if (waiting > (known?.waiting ?? 0) || conflicts > (known?.conflicts ?? 0)) {
      throw conflict(
        `${siteName} has ${waiting} waiting and ${conflicts} conflicting postbacks of these days. Review them, then confirm.`,
      )
    }
  }
}
