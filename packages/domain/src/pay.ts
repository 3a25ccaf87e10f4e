import { addDays, type Day, weekdayOf } from './new-york.ts'
import { type DateRange, periodOf } from './periods.ts'

/** How long a pay period is: a half-month, a week or a month of New York days. */
export const PAY_LENGTHS = ['beWeek', 'week', 'month'] as const
export type PayLength = (typeof PAY_LENGTHS)[number]

/** Who is paid: offices, or each agent. */
export const PAYEES = ['offices', 'agents'] as const
export type Payees = (typeof PAYEES)[number]

/**
 * What pays for AVP sales: their week's tier instead of their rates, both, or their rates alone.
 */
export const AVP_RULES = ['instead', 'on-top', 'information'] as const
export type AvpRule = (typeof AVP_RULES)[number]

export const PAYEE_KINDS = ['office', 'agent'] as const
export type PayeeKind = (typeof PAYEE_KINDS)[number]

/** The currency in which a payee is paid. Minor units are centavos or cents. */
export const CURRENCIES = ['PHP', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/**
 * What changes a balance. Whatever an accountant gets (the export, the journal, a payee's year) says of each kind what it
 * is, so one that is new does not compile until it is said.
 */
export const BALANCE_ENTRY_KINDS = [
  'statement',
  'payment',
  'failed',
  'cancelled',
  'returned',
  'outside',
  'correction',
  'conversion',
  'advance',
  'instalment',
  'tax',
  'received',
  'given back',
  'given up',
  'advance given up',
] as const
export type BalanceEntryKind = (typeof BALANCE_ENTRY_KINDS)[number]

/** Over how many statements an advance is taken back at most. */
export const MOST_INSTALMENTS = 24

/**
 * What an adjustment counts as. `earned`: commission, bonus or clawback. `not income`: a reimbursement, a returned fee, the correction
 * of a payment or petty cash, on which no tax is withheld.
 */
export const COUNTS_AS = ['earned', 'not income'] as const
export type CountsAs = (typeof COUNTS_AS)[number]

/** How a payee is paid outside payment runs. */
export const OUTSIDE_WAYS = ['cash', 'cheque', 'other'] as const
export type OutsideWay = (typeof OUTSIDE_WAYS)[number]

/** How money moves between the network and a payee without a payment run. */
export const MONEY_WAYS = [...OUTSIDE_WAYS, 'transfer'] as const
export type MoneyWay = (typeof MONEY_WAYS)[number]

/** How a payee pays back what they owe. */
export const RECEIVED_WAYS = ['cash', 'transfer'] as const satisfies MoneyWay[]
export type ReceivedWay = (typeof RECEIVED_WAYS)[number]

/**
 * What of an amount goes to each of these, in their order: the first is filled before the second gets any. Less in total than the
 * amount if they are. All in minor units.
 */
export function filledBy(amount: number, open: readonly number[]): number[] {
  let left = amount
  return open.map((most) => {
    const part = Math.min(most, left)
    left -= part
    return part
  })
}

/**
 * A payee's new account is paid this many New York days after it was entered, unless the settings say otherwise. With 3,
 * one entered on the 25th is paid from the 28th, whatever the time of day.
 */
export const WAITING_DAYS = 3
export const MOST_WAITING_DAYS = 30

/** How many days the pay of a period may be held after its end. */
export const MOST_HOLDING_DAYS = 90

/** How many days ahead the execution date of a payment run may be. */
export const MOST_DAYS_AHEAD = 60

/** A pay period. The name follows from its length and its last day, so no two periods share one. */
export type PayPeriod = DateRange & { name: string; length: PayLength }

/** Settings apply from the first day of a period. */
export type SettingsFrom = { fromDay: Day }

/**
 * The period of this length that starts on a day and ends at the next boundary. It is a stub,
 * shorter than others, if the length has no boundary on that day, as after a change of length.
 */
export function payPeriodFrom(start: Day, length: PayLength): PayPeriod {
  const whole = periodOf(start, length)
  return { name: nameOf(whole, length), start, end: whole.end, length }
}

/** The whole period of a length that contains the day. */
export const payPeriodOf = (day: Day, length: PayLength): PayPeriod =>
  payPeriodFrom(periodOf(day, length).start, length)

/**
 * The settings in force on a day: the last that apply by then, otherwise the first. Sorted by when they were saved.
 * An AVP week follows those of its Monday.
 */
export function settingsOn<Settings extends SettingsFrom>(
  settings: readonly [Settings, ...Settings[]],
  day: Day,
): Settings {
  return settings.findLast(({ fromDay }) => fromDay <= day) ?? settings[0]
}

type AvpSettings = SettingsFrom & { avp: AvpRule }

/**
 * What pays for AVP sales in the weeks of a range: each setting with the first of these Mondays to
 * which it applies.
 */
export function avpRulesIn(
  settings: readonly [AvpSettings, ...AvpSettings[]],
  { start, end }: DateRange,
): { monday: Day; avp: AvpRule }[] {
  const rules: { monday: Day; avp: AvpRule }[] = []
  for (let monday = periodOf(start, 'week').start; monday <= end; monday = addDays(monday, 7)) {
    const { avp } = settingsOn(settings, monday)
    if (avp !== rules.at(-1)?.avp) rules.push({ monday, avp })
  }
  return rules
}

/** All periods from the one that starts on `firstDay` to the one that contains `lastDay`; empty if that is earlier. */
export function payPeriodsBetween<Settings extends SettingsFrom & { length: PayLength }>(
  settings: readonly [Settings, ...Settings[]],
  firstDay: Day,
  lastDay: Day,
): PayPeriod[] {
  const periods: PayPeriod[] = []
  for (let start = firstDay; start <= lastDay;) {
    const period = payPeriodFrom(start, settingsOn(settings, start).length)
    periods.push(period)
    start = addDays(period.end, 1)
  }
  return periods
}

/** Whether the text is the form of a period's name: `2026-11-A`, `2026-W48` or `2026-11`. */
export const isPayPeriodName = (text: string): boolean =>
  /^\d{4}-(?:W\d\d|\d\d(?:-[AB])?)$/.test(text)

/** The pay of a week is settled in the period that contains its Sunday. */
export const sundayOf = (monday: Day): Day => addDays(monday, 6)

/** The least that is paid in a currency, in its minor units, unless a payee has a minimum of their own. */
export const minimumIn = (
  currency: Currency,
  { minimumCentavos, minimumCents }: { minimumCentavos: number; minimumCents: number },
): number => (currency === 'PHP' ? minimumCentavos : minimumCents)

/**
 * The first day on which what a period adds to a balance can be paid; null if nothing holds it. What a statement takes is
 * never held.
 * @param added in minor units
 */
export const paidFromOf = (
  { end }: Pick<DateRange, 'end'>,
  holdingDays: number,
  added: number,
): Day | null => (holdingDays > 0 && added > 0 ? addDays(end, holdingDays) : null)

/** What a statement added to a balance that can't be paid yet, in minor units. */
export type HeldPart = { amount: number; from: Day }

/**
 * What of a balance can be paid now, and from when on the rest of it. A negative balance is what it is: nothing of it can be
 * paid. What has lowered the balance since comes out of what is free first.
 * @param held by day
 */
export function freeOf(
  balance: number,
  held: readonly HeldPart[],
): { free: number; later: HeldPart[] } {
  let waiting = held.reduce((sum, { amount }) => sum + amount, 0)
  const freeWith = (without: number) => Math.min(balance, Math.max(0, balance - without))
  const free = freeWith(waiting)
  const later: HeldPart[] = []
  let before = free
  for (const { amount, from } of held) {
    waiting -= amount
    const then = freeWith(waiting)
    if (then > before) later.push({ amount: then - before, from })
    before = then
  }
  return { free, later }
}

/** Whether a balance is paid rather than carried to the next period. Both in minor units of one currency. */
export const isPaidOut = (due: number, minimum: number): boolean => due > 0 && due >= minimum

function nameOf({ start, end }: DateRange, length: PayLength): string {
  switch (length) {
    case 'beWeek':
      return `${start.slice(0, 7)}-${start.endsWith('01') ? 'A' : 'B'}`
    case 'week':
      return weekName(end)
    case 'month':
      return start.slice(0, 7)
  }
}

/** The ISO name of the week that ends on this Sunday: its year is that of its Thursday. */
function weekName(sunday: Day): string {
  const thursday = addDays(sunday, -3)
  const year = thursday.slice(0, 4)
  // 4 January is always in the first week.
  const fourth = `${year}-01-04`
  const firstMonday = addDays(fourth, 1 - weekdayOf(fourth))
  const weeks = (Date.parse(thursday) - Date.parse(firstMonday)) / (7 * 86_400_000)
  return `${year}-W${String(Math.floor(weeks) + 1).padStart(2, '0')}`
}
