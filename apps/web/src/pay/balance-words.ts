import type { Adjustment, Balance } from '@tallyroom/contract/pay/balances/balances'
import { CURRENCY_NAMES, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { CURRENCIES, type CountsAs, type Currency, filledBy } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import { isAboveLimit } from '@tallyroom/domain/pay-limits'
import { amountOf } from '../ui/form/amount-of.ts'

/** What somebody does to a balance, in a dialog that asks about it. */
export type BalanceAct =
  | {
      kind: 'adjust'
      given?: { amount?: number; reason: string; heldBackFor: number | undefined }
      /** The currency of a balance that its payee has left; without it, the next statement is adjusted. */
      former?: Currency
    }
  | { kind: 'take-back'; adjustment: Adjustment }
  | {
      kind: 'hold'
      held: boolean
      /** When the hold was set that the page showed; null without one. */
      seen: string | null
    }
  | { kind: 'minimum' }

/**
 * The adjustment that a link asks for, to be filled in. Undefined once it was made. Of a payee in dollars, the amount depends
 * on the exchange rate, and stays empty.
 */
export function holdingBack(
  { currency, adjustments, waiting = [] }: Balance,
  {
    holdBack,
    because: reason,
    agentId: heldBackFor,
  }: {
    holdBack?: number | undefined
    because?: string | undefined
    agentId?: number | undefined
  },
): BalanceAct | undefined {
  if (holdBack === undefined || reason === undefined) return undefined
  const made = [...adjustments.filter((one) => one.takenBackBy === null), ...waiting]
  if (made.some((one) => one.reason === reason)) return undefined
  return {
    kind: 'adjust',
    given: { reason, heldBackFor, ...(currency === 'PHP' && { amount: -holdBack }) },
  }
}

/** What waits for a second person, on the page of the balance that it changes. */
export function waitingText({
  kind,
  amount,
  currency,
  countsAs,
}: Pick<
  NonNullable<Balance['waiting']>[number],
  'kind' | 'amount' | 'currency' | 'countsAs'
>): string {
  if (kind === 'payment outside') return `${moneyText(-amount, currency)} paid outside payment runs`
  if (kind === 'money received') return `${moneyText(amount, currency)} received`
  if (kind === 'conversion') return `${moneyText(-amount, currency)} to be converted`
  return `${moneyText(amount, currency)}${countsAs === 'not income' ? ', not income' : ''}`
}

export const countsAsWords: Record<CountsAs, string> = {
  earned: 'Earned',
  'not income': 'Not income',
}

/** What an adjustment can count as, in a sentence. No tax is withheld from a balance that its payee has left. */
export function countsAsText(countsAs: CountsAs, isFormer: boolean): string {
  if (countsAs === 'earned')
    return `Commission, a bonus or a clawback: ${isFormer ? 'the books have it as commission' : 'tax is withheld from it as from sales'}.`
  return `A reimbursement, a returned fee, the correction of a payment or petty cash: ${isFormer ? 'an account of its own in the books' : 'no tax, and on no tax certificate'}.`
}

/** What became of an advance: `₱375.00 of ₱1,500.00 was taken back. ₱1,125.00 is owed to the network. …` */
export function advanceText({
  currency,
  amount,
  taken,
  givenBack,
  givenUp,
  instalments,
  statements,
  ended,
}: Balance['advances'][number]): string {
  const money = (of: number) => moneyText(of, currency)
  const given =
    (givenBack === 0 ? '' : ` ${money(givenBack)} was given back.`) +
    (givenUp === 0 ? '' : ` ${money(givenUp)} was given up when the payee was deleted.`)
  const left = amount - taken - givenBack - givenUp
  if (left === 0) return taken === 0 ? given.trim() : `${money(taken)} was taken back.${given}`
  const so = `${money(taken)} of ${money(amount)} was taken back.${given} ${money(left)} is owed to the network.`
  if (ended === 'deleted') return `${so} The payee was deleted, so no statement takes it back.`
  if (ended === 'currency')
    return `${so} No statement is made in ${CURRENCY_NAMES[currency]} any more, so none takes it back.`
  const toCome = instalments - statements
  if (toCome <= 0)
    return `${so} More than was earned in ${instalments} statements: each further one takes back what it can.`
  if (givenBack > 0)
    return `${so} The next statements take it back in the shares of before, and the last ones get smaller or end.`
  return `${so} The next ${toCome === 1 ? 'statement takes' : `${toCome} statements take`} it back in equal shares, as far as what they add allows.`
}

/** What of an advance is owed. */
const openOf = ({ amount, taken, givenBack, givenUp }: Balance['advances'][number]): number =>
  amount - taken - givenBack - givenUp

/** The open advances of a balance, oldest first. */
const openAdvances = ({ advances }: Pick<Balance, 'advances'>, currency: Currency) =>
  advances.filter((one) => one.currency === currency && openOf(one) > 0).toReversed()

/** What a payee owes the network, also what was given up of it, in minor units of each currency in which they owe something. */
export function owedIn(balance: Pick<Balance, 'advances' | 'balances' | 'givenUp'>) {
  return CURRENCIES.flatMap((currency) => {
    const own = balance.balances.find((one) => one.currency === currency)?.balance ?? 0
    const open = openAdvances(balance, currency).reduce((sum, one) => sum + openOf(one), 0)
    const amount = open + Math.max(0, -own) + givenUpIn(balance, currency)
    return amount > 0 ? [{ currency, amount }] : []
  })
}

const givenUpIn = ({ givenUp }: Pick<Balance, 'givenUp'>, currency: Currency): number =>
  givenUp.find((one) => one.currency === currency)?.amount ?? 0

/** What money that a payee pays back does: `₱3,000.00 ends the advance of 3 Oct. ₱500.00 lowers what Manila owes.` */
export function receivedText(
  balance: Pick<Balance, 'advances' | 'balances' | 'givenUp' | 'payee'>,
  { amount, currency }: { amount: number; currency: Currency },
): string {
  const open = openAdvances(balance, currency)
  const parts = filledBy(amount, open.map(openOf))
  const ends = open.flatMap((advance, place) => {
    const part = parts[place] ?? 0
    if (part === 0) return []
    const day = daysInWords({ start: advance.paidOn, end: advance.paidOn })
    const does = part === openOf(advance) ? 'ends' : 'goes towards'
    return `${moneyText(part, currency)} ${does} the advance of ${day}, voucher ${advance.voucher}.`
  })
  const rest = amount - parts.reduce((sum, part) => sum + part, 0)
  const own = balance.balances.find((one) => one.currency === currency)?.balance ?? 0
  const back = Math.min(Math.max(0, rest - Math.max(0, -own)), givenUpIn(balance, currency))
  const lowers = rest - back
  return [
    ...ends,
    ...(lowers > 0
      ? [`${moneyText(lowers, currency)} lowers what ${balance.payee.name} owes.`]
      : []),
    ...(back > 0 ? [`${moneyText(back, currency)} comes back of what was given up.`] : []),
  ].join(' ')
}

/** The minimum of a balance. In a currency that the payee has left there is no account to pay it to. */
export function minimumText(
  { balances, currency: paidIn }: Balance,
  currency: Balance['currency'],
): string {
  const found = balances.find((one) => one.currency === currency)
  if (!found || currency !== paidIn) return ''
  const { balance, minimum, ownMinimum } = found
  const whose = ownMinimum ? 'the payee’s own minimum' : 'the minimum'
  if (minimum === 0) return ownMinimum ? `Paid at any amount, ${whose}` : ''
  const text = moneyText(minimum, currency)
  return balance < minimum ? `Paid once it reaches ${text}, ${whose}` : `Reaches ${text}, ${whose}`
}

/** Why this amount waits for a second person; undefined if it does not. The server decides again. */
export function whyItWaits(
  act: BalanceAct,
  { adjustmentLimit: limit, currency }: Balance,
  typed: number,
): string | undefined {
  if (act.kind === 'adjust' && act.former)
    return 'It changes a balance at once, without a statement.'
  if (!limit) return undefined
  const amount = act.kind === 'adjust' ? typed : 0
  const isAbove =
    act.kind === 'take-back' ? act.adjustment.takeBackWaits : isAboveLimit(amount, limit)
  if (!isAbove) return undefined
  const text = moneyText(limit.limit, currency)
  return Math.abs(amount) > limit.limit || act.kind === 'take-back'
    ? `Adjustments above ${text} do.`
    : `Together with ${moneyText(amount > 0 ? limit.added : -limit.subtracted, currency)} since the last statement that nobody has approved, it is above ${text}.`
}

/** The minimum in force, so that saving without a change removes nothing; empty without an own one. */
export function minimumOf({ ownMinimums, currency }: Balance): string {
  return amountText(ownMinimums.find((one) => one.currency === currency)?.amount)
}

/** Minor units as they are typed: `450.00`. */
export const amountText = (minorUnits: number | undefined): string =>
  minorUnits === undefined ? '' : fromMinorUnits(minorUnits).toFixed(2)

/** NaN if it is not an amount: the server’s schema refuses that. */
export const minorUnitsIn = (typed: string): number => {
  const amount = amountOf(typed)
  return Number.isNaN(amount) ? amount : (toMinorUnits(amount) ?? Number.NaN)
}

/** The texts of the dialog that asks about an act, and what it asks for. */
export function wordsOf(act: BalanceAct, { payee: { name }, balances }: Balance) {
  const running = balances.filter((one) => one.running > 0)
  const inRuns = running.map((one) => moneyText(one.running, one.currency)).join(' and ')
  switch (act.kind) {
    case 'adjust':
      return {
        title: `Adjust ${name}`,
        about:
          act.former !== undefined
            ? `The amount is added to the balance in ${CURRENCY_NAMES[act.former]} at once. No statement shows it: none is made in ${CURRENCY_NAMES[act.former]} any more.`
            : act.given?.heldBackFor === undefined
              ? 'The amount becomes a line of the next statement. You can take it back, but not edit it.'
              : 'The amount becomes a line of the next statement. Once an admin clears the agent’s fraud flag, it is taken back by itself.',
        button: 'Add the adjustment',
        hasAmount: true,
        hasReason: true,
      }
    case 'take-back':
      return {
        title: 'Take back an adjustment',
        about: `This adds the opposite of ${moneyText(act.adjustment.amount, act.adjustment.currency)} (${act.adjustment.reason}) to the next statement.`,
        button: 'Take it back',
        hasAmount: false,
        hasReason: true,
      }
    case 'hold':
      return act.held
        ? {
            title: `Put ${name} on hold`,
            about: `Statements are still made. The balance is not paid until the hold is lifted.${inRuns && ` ${inRuns} ${running.length === 1 ? 'is in a payment run' : 'are in payment runs'}: until the hold is lifted, its files that pay ${name} can’t be downloaded. If one was downloaded before, only your bank can stop the payment.`}`,
            button: 'Put on hold',
            hasAmount: false,
            hasReason: true,
          }
        : {
            title: `Lift the hold of ${name}`,
            about: 'The balance can be paid again with the next payment run.',
            button: 'Lift the hold',
            hasAmount: false,
            hasReason: true,
          }
    case 'minimum':
      return {
        title: `Minimum of ${name}`,
        about: 'A smaller balance is carried to the next period instead of being paid.',
        button: 'Save the minimum',
        hasAmount: true,
        hasReason: false,
      }
  }
}
