import type { Home } from '@tallyroom/contract/desk/home'
import type { Earned, NextPayment, OwnPay } from '@tallyroom/contract/pay/closing/earned'
import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { type Day, daysBetween } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import {
  earnedParts,
  isConverted,
  partText,
  statementWords,
  waitsForRate,
} from '../../shared/earned.tsx'

/** `rises to ₱3,990.00 at tier 3`: if the week's missing sales are made, in the period that pays for the week. */
export function risesTo(
  now: Pick<OwnPay['now'], 'to' | 'end'>,
  standing: Pick<NonNullable<Home['avpStanding']>, 'next' | 'week' | 'paidBy'> | undefined,
): string | undefined {
  const { next, week } = standing ?? {}
  const [first, ...more] = now.to
  if (!next?.adds || !week || week.end > now.end || !first || more.length > 0) return undefined
  if (standing?.paidBy !== 'instead' && standing?.paidBy !== 'on-top') return undefined
  const adds = Math.round((first.currency === 'PHP' ? next.adds.php : next.adds.dollars) * 100)
  if (adds <= 0) return undefined
  const then = moneyText(first.tiers[first.currency] + adds, first.currency)
  return `rises to ${then} at tier ${next.tier}`
}

/** How amounts in two currencies become one. */
export const rateNote = (earned: readonly Earned[]): string | undefined =>
  waitsForRate(earned)
    ? 'Becomes one amount at the exchange rate of its closing.'
    : isConverted(earned)
      ? 'Converted at the period’s exchange rate.'
      : undefined

const STEPS = ['earning', 'closed', 'approved', 'sent'] as const

const STEP_NAMES = { earning: 'Earning', closed: 'Closed', approved: 'Approved', sent: 'Sent' }

/** How far a payment is, with what the network has to do next. The end of the period and the bank are up to nobody. */
const waitsFor = ({ step, period }: Pick<NextPayment, 'step' | 'period'>, today: Day) =>
  step === 'earning'
    ? period.end < today
      ? 'waits for your network to close the period'
      : undefined
    : {
        closed: 'waits for your network to prepare it',
        prepared: 'waits for your network’s approval',
        approved: 'approved, not sent yet',
        sent: undefined,
      }[step]

/** The way of a payment, and how far it is. */
export function stepsOf({ step: now, period }: Pick<NextPayment, 'step' | 'period'>, today: Day) {
  const at = STEPS.indexOf(now === 'prepared' ? 'closed' : now)
  const nameNow = now === 'prepared' ? 'Prepared' : period.end < today ? 'Ended' : 'Earning'
  return STEPS.map((step, index) => ({
    name: index === at && (now === 'prepared' || now === 'earning') ? nameNow : STEP_NAMES[step],
    state: index < at ? ('done' as const) : index === at ? ('now' as const) : ('ahead' as const),
  }))
}

/** `24 days late: waits for your network’s approval`, if the next payment should have come by now, and nothing of its payee's stops it. */
export function lateNote(
  {
    blocked,
    expectedBy,
    step,
    period,
  }: Pick<NextPayment, 'blocked' | 'expectedBy' | 'step' | 'period'>,
  today: Day,
): string | undefined {
  if (blocked !== null || expectedBy === null || expectedBy >= today) return undefined
  const days = daysBetween(expectedBy, today)
  const why = waitsFor({ step, period }, today)
  if (why === undefined) return undefined
  return `${formatCount(days)} ${days === 1 ? 'day' : 'days'} late: ${why}`
}

/** To whom the next payment goes, when or why not, and what of it is from before. */
export const nextNote = (
  next: Pick<
    NextPayment,
    | 'isPart'
    | 'payee'
    | 'account'
    | 'blocked'
    | 'step'
    | 'period'
    | 'expectedBy'
    | 'usualDays'
    | 'carried'
    | 'withheld'
    | 'returned'
    | 'answered'
    | 'later'
    | 'currency'
  >,
  today: Day,
): string =>
  [
    toWhom(next),
    ...(next.answered ? answeredTexts(next.answered, next.currency) : []),
    ...(next.later.length > 0 ? [laterText(next.later, next.currency)] : []),
    ...(next.blocked === 'later' ? [] : next.blocked ? [BLOCKED[next.blocked]] : when(next, today)),
    ...(next.carried === 0 ? [] : [`with ${moneyText(next.carried, next.currency)} from before`]),
    ...(next.withheld > 0 ? [`less ${moneyText(next.withheld, next.currency)} of tax`] : []),
    ...(next.returned === 0
      ? []
      : [`${moneyText(next.returned, next.currency)} came back from your bank`]),
  ].join(' · ')

/** `under way` · `₱10,000.00 has arrived` · `₱10,000.00 failed` */
const answeredTexts = (
  { arrived, failed }: NonNullable<NextPayment['answered']>,
  currency: NextPayment['currency'],
): string[] => [
  'under way',
  ...(arrived === 0 ? [] : [`${moneyText(arrived, currency)} has arrived`]),
  ...(failed === 0 ? [] : [`${moneyText(failed, currency)} failed`]),
]

/** `to your office, Manila` · `to BDO ••8871` */
function toWhom({
  isPart,
  payee,
  account,
}: Pick<NextPayment, 'isPart' | 'payee' | 'account'>): string {
  if (isPart) return `to your office, ${payee.name}`
  return account ? `to ${account.institution} ••${account.lastCharacters}` : 'to you'
}

function when(
  next: Pick<NextPayment, 'usualDays' | 'expectedBy' | 'step' | 'period'>,
  today: Day,
): string[] {
  const { usualDays, expectedBy, step } = next
  const waits = waitsFor(next, today)
  if (expectedBy === null) return waits === undefined ? [] : [waits]
  const day = daysInWords({ start: expectedBy, end: expectedBy })
  if (step === 'sent') return [`sent to the bank for ${day}`]
  // Why it is late is said beside, where it stands out.
  if (expectedBy < today && waits !== undefined) return [`expected by ${day}`]
  if (step === 'approved') return [`approved for ${day}`, 'not sent yet']
  return [`expected by ${day}: ${usually(usualDays ?? 0)}`, ...(waits === undefined ? [] : [waits])]
}

const usually = (days: number): string =>
  days <= 0
    ? 'usually on the day the period ends'
    : `usually ${formatCount(days)} ${days === 1 ? 'day' : 'days'} after the period ends`

const BLOCKED: Record<Exclude<NextPayment['blocked'], null | 'later'>, string> = {
  held: 'on hold',
  'account-waits': 'once your account is confirmed',
  'account-new': 'once your new account may be paid',
  'no-account': 'once you have entered an account',
  deleted: 'not paid',
  negative: 'nothing to pay: the balance is negative',
  nothing: 'nothing to pay yet',
  'below-minimum': 'below the minimum: carried to the period after',
}

/** What became of the last period, and its parts. */
export function lastNote({
  isClosed,
  statement,
  to,
}: Pick<NonNullable<OwnPay['last']>, 'isClosed' | 'statement' | 'to'>): string {
  const isPart = to.length > 0 && to.every((one) => one.isPart)
  const state = !isClosed
    ? 'Not closed yet'
    : statement
      ? statementWords(statement, isPart)
      : 'Closed, no statement'
  const parts = earnedParts(to).filter(({ both }) => both.PHP !== 0 || both.USD !== 0)
  return [state, ...parts.map(partText)].join(' · ')
}

/** A period's name says how long it is: `2026-11-A`, `2026-W48` or `2026-11`. */
export const lastLabel = (name: string): string =>
  name.includes('W') ? 'Last week' : /[AB]$/.test(name) ? 'Last half-month' : 'Last month'
