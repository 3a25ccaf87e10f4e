import { firstGiven, type GivenFields, keysOf } from './field-names.ts'

/** What the merchant says that the customer paid or gets back. It changes no rate. */
export type Reported = {
  /** In ten-thousandths of the currency's unit; negative if sent so. */
  amountE4: number | undefined
  /** As sent, in capitals: three to five letters. */
  currency: string | undefined
  quantity: number | undefined
  /** An amount that can't be read, as sent: `1,000` may be one or a thousand. It is not the same as none. */
  unreadable: string | undefined
  /** Of a reversal: the merchant's own number of the refund. */
  refundNumber: string | undefined
}

/** @param isBack whether it takes money back: then the amount is what goes back, which may be beside the order's. */
export function readReported(fields: GivenFields, isBack: boolean): Reported {
  const value = (names: readonly string[]) => firstGiven(fields, names)?.values[0]
  const amount = (isBack ? value(REFUND_NAMES) : undefined) ?? value(AMOUNT_NAMES)
  const amountE4 = amount === undefined ? undefined : readAmountE4(amount)
  const quantity = value(['quantity', 'qty'])
  const currency = value(CURRENCY_NAMES)?.toUpperCase()
  return {
    amountE4,
    currency: currency !== undefined && /^[A-Z]{3,5}$/.test(currency) ? currency : undefined,
    quantity: quantity !== undefined && /^-?\d{1,6}$/.test(quantity) ? Number(quantity) : undefined,
    unreadable: amountE4 === undefined ? amount : undefined,
    refundNumber: isBack ? value(REFUND_NUMBERS)?.slice(0, 128).toWellFormed() : undefined,
  }
}

/** What was paid comes before what the merchant pays for it. */
const AMOUNT_NAMES =
  'amount sale_amount order_amount sum total order_total total_cost total_amount total_price price revenue value payout'.split(
    ' ',
  )

const REFUND_NAMES = ['refund_amount', 'amount_refunded', 'refunded_amount', 'refund_total']

const REFUND_NUMBERS = ['refund_id', 'refund_number', 'refund_no', 'credit_note', 'credit_note_id']

const CURRENCY_NAMES = ['currency', 'currency_code', 'cr', 'cur']

/** Whether a parameter with this `fieldKey` says how much was paid or goes back, and in which currency. */
export const isOfAmount = (key: string): boolean =>
  [AMOUNT_NAMES, REFUND_NAMES, CURRENCY_NAMES].some((names) => keysOf(names).includes(key))

/**
 * An amount in ten-thousandths: `19.99`, `1,234.50`, `33,95` or `$-5`. Undefined if it is none, if it has too many
 * digits, or if it is unclear whether its comma separates thousands, as in `1,234`.
 */
export function readAmountE4(text: string): number | undefined {
  const [, before = '', number = '', after = ''] =
    /^([^\d.,]{0,8})(\d[\d., ']{0,20}|[.,]\d{1,8})([^\d.,]{0,8})$/.exec(text.trim()) ?? []
  const digits = number.replaceAll(/[ ']/g, '')
  const point = digits.search(/[.,](?=\d*$)/)
  const fraction = point === -1 ? '' : digits.slice(point + 1)
  const whole = point === -1 ? digits : digits.slice(0, point)
  const isUnclear = digits[point] === ',' && fraction.length === 3 && !/[.,]/.test(whole)
  const isGrouped = /^\d*$|^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(whole)
  if (number === '' || isUnclear || !isGrouped || fraction.length > 8) return undefined
  const e4 = Number(`${whole.replaceAll(/[.,]/g, '') || '0'}${fraction.padEnd(4, '0').slice(0, 4)}`)
  const isNegative =
    /[-\u2212\u2013]/.test(before + after) || (before.includes('(') && after.includes(')'))
  return Number.isSafeInteger(e4) && e4 < 1e15 ? (isNegative ? -e4 : e4) : undefined
}
