import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { booksEndpoints, PayeeMonth, PayeeYear } from '@tallyroom/contract/pay/books/books'
import { addDays, todayNewYork } from '@tallyroom/domain/new-york'
import { type BalanceEntryKind, CURRENCIES } from '@tallyroom/domain/pay'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'
import type { Viewer } from '../../access/viewer.ts'
import { inSnapshot } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { balanceText } from '../ledger/balances.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findBalancesBefore, findMovements, type Movement } from './movements.queries.ts'
import { refuseForeignPayee } from '../terms/own-payee.ts'

type Sums = Pick<
  PayeeYear,
  | 'before'
  | 'earned'
  | 'notIncome'
  | 'tax'
  | 'paid'
  | 'returned'
  | 'received'
  | 'converted'
  | 'givenUp'
  | 'carried'
>

/** Where each kind of entry of a balance counts, but for what of it is not income. What failed or was cancelled was not paid. */
const columnOf: Record<
  BalanceEntryKind,
  'earned' | 'tax' | 'paid' | 'returned' | 'received' | 'converted' | 'givenUp'
> = {
  statement: 'earned',
  payment: 'paid',
  failed: 'paid',
  cancelled: 'paid',
  returned: 'returned',
  outside: 'paid',
  correction: 'earned',
  conversion: 'converted',
  // An advance counts as paid once it is taken back, given back or given up.
  advance: 'paid',
  instalment: 'paid',
  'given back': 'paid',
  'advance given up': 'paid',
  'given up': 'givenUp',
  tax: 'tax',
  received: 'received',
}

function sumsOf(before: number, movements: readonly Movement[]): Sums {
  const sums = {
    earned: 0,
    notIncome: 0,
    tax: 0,
    paid: 0,
    returned: 0,
    received: 0,
    converted: 0,
    givenUp: 0,
  }
  for (const { kind, amount, notIncome } of movements) {
    sums[columnOf[kind]] += amount - notIncome
    sums.notIncome += notIncome
  }
  const { earned, notIncome, returned, received, converted, givenUp } = sums
  const came = earned + notIncome + returned + received + converted + givenUp
  return {
    before,
    earned,
    notIncome,
    tax: 0 - sums.tax,
    paid: 0 - sums.paid,
    returned,
    received,
    converted,
    givenUp,
    carried: before + came + sums.tax + sums.paid,
  }
}

/** All payees that had a balance before these days or got an entry on them, by name. */
export const listPayeeYears = (
  { db }: Pick<Services, 'db'>,
  range: DateRange,
): Promise<PayeeYear[]> =>
  inSnapshot(db, async (tx) => {
    const before = (await findBalancesBefore(tx, range.start)).filter(
      ({ balance }) => balance !== 0,
    )
    const movements = await findMovements(tx, range)
    const byBalance = Map.groupBy(movements, ({ payee, currency }) =>
      balanceText({ ...payee, currency }),
    )
    const keys = new Map(
      [
        ...before.map(({ kind, id, currency }) => ({ kind, id, currency })),
        ...movements.map(({ payee: { kind, id }, currency }) => ({ kind, id, currency })),
      ].map((key) => [balanceText(key), key]),
    )
    const names = await findPayeeNames(tx, [...keys.values()])
    const balances = new Map(before.map((one) => [balanceText(one), one.balance]))
    return [...keys]
      .map(([text, { kind, id, currency }]) => ({
        payee: { kind, id, name: names.get(payeeText({ kind, id })) ?? '' },
        currency,
        ...sumsOf(balances.get(text) ?? 0, byBalance.get(text) ?? []),
      }))
      .toSorted((one, other) => one.payee.name.localeCompare(other.payee.name, 'en'))
  })

/**
 * Months that have not begun are left out.
 *
 * @throws NOT_FOUND, also when an office or agent asks for another payee.
 */
export const getPayeeYear = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  range: DateRange,
): Promise<AnswerOf<(typeof booksEndpoints)['payeeYear']>> =>
  inSnapshot(db, async (tx) => {
    await refuseForeignPayee(tx, viewer, payee)
    const names = await findPayeeNames(tx, [payee])
    const before = await findBalancesBefore(tx, range.start, payee)
    const movements = await findMovements(tx, range, payee)
    const today = todayNewYork(tx.now)
    const begun = monthsIn(range).filter(({ start }) => start <= today)
    const months = CURRENCIES.flatMap((currency): PayeeMonth[] => {
      let balance = before.find((one) => one.currency === currency)?.balance ?? 0
      const own = movements.filter((one) => one.currency === currency)
      return begun.flatMap(({ start, end }) => {
        const within = own.filter(({ day }) => day >= start && day <= end)
        if (balance === 0 && within.length === 0) return []
        const sums = sumsOf(balance, within)
        balance = sums.carried
        return [{ month: start, currency, ...sums }]
      })
    })
    return { payee: { ...payee, name: names.get(payeeText(payee)) ?? '' }, months }
  })

/** The months of a range, the first and the last cut to it. */
function monthsIn({ start, end }: DateRange): DateRange[] {
  const months: DateRange[] = []
  for (let day = start; day <= end;) {
    const { end: last } = periodOf(day, 'month')
    months.push({ start: day, end: last < end ? last : end })
    day = addDays(last, 1)
  }
  return months
}
