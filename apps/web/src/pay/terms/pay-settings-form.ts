import type { AnswerOf, BodyOf } from '@tallyroom/contract/endpoint'
import type { PaySettings, paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { formatCount, fromMinorUnits, signedPesos, toMinorUnits } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { type AvpRule, payPeriodOf } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import { amountOf } from '../../ui/form/amount-of.ts'

type SettingsBody = BodyOf<typeof paySettingsEndpoints.savePaySettings>

/** The fields of the form of pay settings. */
export interface PaySettingsValues extends Record<string, unknown> {
  payees: SettingsBody['payees']
  periodLength: SettingsBody['periodLength']
  avp: AvpRule | ''
  minimumCentavos: string
  minimumCents: string
  holdingDays: string
  waitingDays: string
  bankTimeZone: string
  firstDay: string
}

/** What was saved last, even if it acts later. While pay is off, there are defaults for all but AVP. */
export function valuesOf(
  { now, next, firstDay, waitingDays, bankTimeZone }: PaySettings,
  today: string,
): PaySettingsValues {
  const saved = next ?? now
  const amount = (units: number | undefined) => fromMinorUnits(units ?? 0).toFixed(2)
  return {
    payees: saved?.payees ?? 'offices',
    periodLength: saved?.periodLength ?? 'beWeek',
    avp: saved?.avp ?? '',
    minimumCentavos: amount(saved?.minimumCentavos),
    minimumCents: amount(saved?.minimumCents),
    holdingDays: String(saved?.holdingDays ?? 0),
    waitingDays: String(waitingDays),
    bankTimeZone,
    firstDay: firstDay ?? payPeriodOf(today, 'beWeek').start,
  }
}

/** Missing values are left for the schema to reject. */
export const bodyOf = (values: PaySettingsValues): SettingsBody => ({
  payees: values.payees,
  periodLength: values.periodLength,
  avp: values.avp as AvpRule,
  minimumCentavos: unitsOf(values.minimumCentavos),
  minimumCents: unitsOf(values.minimumCents),
  holdingDays: daysOf(values.holdingDays),
  waitingDays: daysOf(values.waitingDays),
  bankTimeZone: values.bankTimeZone,
  firstDay: values.firstDay,
})

const daysOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed))

/** `1 sale since 16 Nov, ₱250.00 by rates, was recorded before now and will not be paid here.`; nothing of none. */
export function leftOutText(
  { sales, payout }: AnswerOf<typeof paySettingsEndpoints.payLeftOut>,
  { firstDay, isOn }: { firstDay: Day; isOn: boolean },
): string | undefined {
  if (sales === 0 && payout === 0) return undefined
  const day = daysInWords({ start: firstDay, end: firstDay })
  const isOne = sales === 1
  const what = `${formatCount(sales)} ${isOne ? 'sale' : 'sales'} since ${day}, ${signedPesos(payout)} by rates`
  return `${what}, ${isOne ? 'was' : 'were'} recorded before ${isOn ? 'pay was switched on' : 'now'} and ${isOn ? (isOne ? 'is not' : 'are not') : 'will not be'} paid here.`
}

/** What a number of days means, by the month of a day: until when a period’s pay is held. */
export function holdingText(typed: string, day: string): string {
  const days = daysOf(typed)
  if (!Number.isInteger(days) || days < 0) return 'New York days'
  if (days === 0) return 'A period can be paid as soon as it is closed.'
  const { end } = payPeriodOf(day, 'month')
  const from = addDays(end, days)
  return `A period that ends on ${daysInWords({ start: end, end })} is paid from ${daysInWords({ start: from, end: from })}, New York.`
}

/** What a number of days means, by an example: from when a new account is paid. */
export function waitingText(typed: string, today: string): string {
  const days = daysOf(typed)
  if (!Number.isInteger(days) || days < 0) return 'New York days'
  if (days === 0) return 'An account is paid as soon as it is confirmed.'
  const day = addDays(today, days)
  const paid = daysInWords({ start: day, end: day })
  return `An account that is entered today is paid from ${paid}, New York. Applies to accounts entered from now on.`
}

const unitsOf = (typed: string): number => {
  const amount = amountOf(typed.trim() === '' ? '0' : typed)
  return Number.isNaN(amount) ? amount : (toMinorUnits(amount) ?? Number.NaN)
}
