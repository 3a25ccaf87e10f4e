import type { Balance, BalanceItem } from '@tallyroom/contract/balances'
import { todayNewYork } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency, settingsOn } from '@tallyroom/domain/pay'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  findAdjustment,
  findAdjustments,
  findEntries,
  findHoldHistory,
  insertAdjustment,
  insertHold,
  insertMinimum,
  isPayee,
} from './adjustments.queries.ts'
import {
  balanceText,
  findAwaitingAccounts,
  findBalances,
  findCurrencies,
  findHolds,
  findMinimums,
  findRunning,
} from './balances.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from './payees.queries.ts'
import { findCalendar, getCalendar } from './calendar.ts'
import { refuseWithoutPayouts } from './statements.ts'

type Needed = Pick<Services, 'db' | 'clock'>

/** All balances, highest first, pesos before dollars. */
export async function listBalances({ db, clock }: Needed): Promise<BalanceItem[]> {
  const items = await findItems(db, clock.now())
  return items.toSorted((one, other) =>
    one.currency === other.currency ? other.balance - one.balance : one.currency === 'PHP' ? -1 : 1,
  )
}

/** @throws NOT_FOUND, also when an office or agent asks for another payee. */
export async function getBalance(
  { db, clock }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<Balance> {
  await refuseWithoutPayouts(db, viewer)
  const scope = scopeOf(viewer)
  const isOwn =
    scope.sees === 'everything' ||
    (payee.kind === 'office'
      ? scope.sees === 'office' && scope.officeId === payee.id
      : scope.sees === 'agent' && scope.agentId === payee.id)
  if (!isOwn || !(await isPayee(db, payee))) throw notFound(payee.kind)
  const names = await findPayeeNames(db, [payee])
  const calendar = await findCalendar(db)
  return {
    payees: calendar ? settingsOn(calendar.settings, todayNewYork(clock.now())).payees : null,
    payee: { ...payee, name: names.get(payeeText(payee)) ?? '' },
    currency: await currencyOf(db, payee),
    balances: await findItems(db, clock.now(), payee),
    ownMinimums: await findOwnMinimums(db, payee),
    entries: (await findEntries(db, payee)).map(withMadeAt),
    adjustments: (await findAdjustments(db, payee)).map(withMadeAt),
    holds: (await findHoldHistory(db, payee)).map((hold) => ({
      ...hold,
      setAt: hold.setAt.toISOString(),
    })),
  }
}

const withMadeAt = <Row extends { madeAt: Date }>(row: Row) => ({
  ...row,
  madeAt: row.madeAt.toISOString(),
})

async function findItems(db: DbOrTx, now: Date, only?: PayeeKey): Promise<BalanceItem[]> {
  const balances = await findBalances(db, only)
  if (balances.length === 0) return []
  const names = await findPayeeNames(db, balances)
  const holds = await findHolds(db, only)
  const minimums = await findMinimums(db, only)
  const running = await findRunning(db, only)
  const currencies = await findCurrencies(db, only)
  const awaiting = await findAwaitingAccounts(db, only)
  const settings = settingsOn((await getCalendar(db)).settings, todayNewYork(now))
  return balances.map(({ kind, id, currency, balance }) => {
    const key = payeeText({ kind, id })
    const hold = holds.get(key)
    const own = minimums.get(balanceText({ kind, id, currency }))
    const minimum = own ?? (currency === 'PHP' ? settings.minimumCentavos : settings.minimumCents)
    return {
      payee: { kind, id, name: names.get(key) ?? '' },
      currency,
      balance,
      running: running.get(balanceText({ kind, id, currency })) ?? 0,
      minimum,
      ownMinimum: own !== undefined,
      hold: hold
        ? { reason: hold.reason, setAt: hold.setAt.toISOString(), setBy: hold.setBy }
        : null,
      state: stateOf(balance, minimum, {
        held: hold !== undefined,
        awaits: awaiting.has(key),
        hasAccount: currencies.get(key) === currency,
      }),
    }
  })
}

async function findOwnMinimums(db: DbOrTx, payee: PayeeKey): Promise<Balance['ownMinimums']> {
  const minimums = await findMinimums(db, payee)
  return CURRENCIES.flatMap((currency) => {
    const amount = minimums.get(balanceText({ ...payee, currency }))
    return amount === undefined ? [] : [{ currency, amount }]
  })
}

function stateOf(
  balance: number,
  minimum: number,
  { held, awaits, hasAccount }: { held: boolean; awaits: boolean; hasAccount: boolean },
): BalanceItem['state'] {
  if (balance < 0) return 'negative'
  if (balance === 0) return 'nothing'
  if (held) return 'held'
  if (awaits) return 'account-waits'
  if (balance < minimum) return 'below-minimum'
  return hasAccount ? 'payable' : 'no-account'
}

/** @throws VALIDATION_ERROR unless it is in the payee's currency. */
export const createAdjustment = (
  { db, clock }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
  { currency, amount, reason }: { currency: Currency; amount: number; reason: string },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    refuseOther(currency, await currencyOf(tx, payee))
    const made = { madeAt: clock.now(), madeBy: { id: viewer.accountId, name: viewer.username } }
    return insertAdjustment(tx, { payee, currency, amount, reason, ...made })
  })

/** @throws CONFLICT if it was reversed before, or is itself a reversal. */
export const takeBackAdjustment = (
  { db, clock }: Needed,
  viewer: Viewer,
  id: number,
  reason: string,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const one = await findAdjustment(tx, id)
    if (!one) throw notFound('adjustment')
    if (one.takenBackBy !== null) throw conflict('This adjustment has already been taken back.')
    if (one.oppositeOf !== null)
      throw conflict('This adjustment takes back another one, so it can’t be taken back.')
    return insertAdjustment(tx, {
      payee: { kind: one.kind, id: one.payeeId },
      currency: one.currency,
      amount: -one.amount,
      reason,
      oppositeOf: id,
      madeAt: clock.now(),
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** Puts a payee on hold or releases it. A hold stops payments, not statements. */
export const setHold = (
  { db, clock }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
  hold: { held: boolean; reason: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const setBy = { id: viewer.accountId, name: viewer.username }
    await insertHold(tx, { ...payee, ...hold, setAt: clock.now(), setBy })
  })

/** @throws NOT_FOUND; VALIDATION_ERROR for an amount in another currency than the payee's. */
export const setMinimum = (
  { db, clock }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
  { amount, currency: given }: { amount: number | null; currency?: Currency | undefined },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const paidIn = await currencyOf(tx, payee)
    const currency = given ?? paidIn
    if (amount !== null) refuseOther(currency, paidIn)
    const set = { setAt: clock.now(), setBy: viewer.accountId }
    await insertMinimum(tx, { ...payee, currency, amount, ...set })
  })

function refuseOther(currency: Currency, paidIn: Currency): void {
  if (currency !== paidIn)
    throw invalid({ currency: [paidIn === 'PHP' ? 'must be pesos' : 'must be dollars'] })
}

const currencyOf = async (db: DbOrTx, payee: PayeeKey): Promise<Currency> =>
  (await findCurrencies(db, payee)).get(payeeText(payee)) ?? 'PHP'
