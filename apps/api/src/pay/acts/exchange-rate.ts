import { rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import { todayNewYork } from '@tallyroom/domain/new-york'
import { differsMuch, MOST_RATE_PERCENT } from '@tallyroom/domain/pay-limits'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'
import { getCalendar, openPeriods } from '../terms/calendar.ts'
import { rateBefore } from '../terms/rate-before.ts'
import { findExchangeRates, insertExchangeRate, lockBalances } from '../terms/settings.queries.ts'

type Needed = Pick<Services, 'db'>

/**
 * Saves a period's exchange rate, or leaves it to a second person if it differs much from the one before. Returns the id
 * of the proposal that waits.
 *
 * @throws CONFLICT for a period that is closed or has not begun, or if a row on which its limit rests is forged.
 */
export const saveExchangeRate = (
  { db }: Needed,
  viewer: Viewer,
  { period, pesosE4, source }: { period: string; pesosE4: number; source: string },
): Promise<number | null> =>
  inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const calendar = await getCalendar(tx)
    const periods = openPeriods(calendar, todayNewYork(tx.now))
    const open = periods.find(({ name }) => name === period)
    if (!open) throw conflict(`${period} is not an open period.`)
    const rates = await findExchangeRates(tx)
    const before = rateBefore(calendar, rates, open, periods)
    if (!before || !differsMuch(pesosE4, before.pesosE4)) {
      // Nobody else looks at it, so what it was compared with must be what people entered.
      await refuseForged(tx, { payees: [] })
      const set = { setAt: tx.now, setBy: viewer.accountId }
      await insertExchangeRate(tx, { period, pesosE4, source, ...set })
      return null
    }
    return insertProposal(tx, {
      act: { kind: 'exchange rate', period, pesosE4, replaces: rates.get(period)?.id ?? null },
      reason: source,
      why: `It differs by more than ${MOST_RATE_PERCENT} % from ${rateText(before.pesosE4)} of ${before.period}.`,
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** Why a proposed exchange rate can't be approved any more; undefined if it can. */
async function whyRateOutdated(
  db: DbOrTx,
  { act }: Proposal<'exchange rate'>,
): Promise<string | undefined> {
  const { closed } = await getCalendar(db)
  if (closed.some(({ name }) => name === act.period))
    return `${act.period} is closed, so its exchange rate can’t change any more.`
  const now = (await findExchangeRates(db)).get(act.period)
  return (now?.id ?? null) === act.replaces
    ? undefined
    : `${rateText(now?.pesosE4 ?? 0)} was entered for ${act.period} in the meantime.`
}

/** A rate that differs much from the one before. It bears the name of whoever entered it. */
export const exchangeRate: ActOfTwo<'exchange rate'> = {
  lock: 'balances',
  whyOutdated: whyRateOutdated,
  carryOut: (tx, { act: { period, pesosE4 }, reason, madeBy }) =>
    insertExchangeRate(tx, { period, pesosE4, source: reason, setAt: tx.now, setBy: madeBy.id }),
  present: (act) => act,
}
