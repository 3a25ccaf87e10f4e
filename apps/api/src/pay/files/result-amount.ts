import { MAX_MINOR_UNITS } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'

/**
 * What an amount in a bank's file can mean, in minor units: one number, or two if a point or comma before three digits may
 * separate thousands as well as decimals. None if it is no amount, or one of another currency. Generous, because a result
 * only counts if its amount is that of its line.
 *
 * @param isMinor whether amounts without decimals are centavos or cents
 */
export function amountsIn(
  written: string,
  { currency, isMinor }: { currency: Currency; isMinor: boolean },
): number[] {
  const { digits, isNegative } = withoutSigns(written, currency)
  if (digits === undefined) return []
  const units = isMinor && /^\d+$/.test(digits) ? [Number(digits)] : readings(digits)
  return [...new Set(units)]
    .filter((one) => one <= MAX_MINOR_UNITS)
    .map((one) => (isNegative && one > 0 ? -one : one))
}

/** What stands before or after an amount, by the currency that it says. */
const CURRENCY_WORDS: Record<Currency, RegExp> = {
  PHP: /^(?:₱|php|p)\.?|(?:₱|php)$/i,
  USD: /^(?:us\$|\$|usd)|(?:us\$|\$|usd)$/i,
}

/** The digits with their separators, and whether a minus, parentheses or DR make them negative. */
function withoutSigns(
  written: string,
  currency: Currency,
): { digits: string | undefined; isNegative: boolean } {
  let text = written.normalize('NFKC').trim()
  let isNegative = false
  // A sign may stand before or after the currency.
  for (let before = ''; before !== text;) {
    before = text
    const inside = /^\((.*)\)$/.exec(text)?.[1]
    if (inside !== undefined || /^[-−–]|[-−–]$|\bdr\.?$/i.test(text)) isNegative = true
    text = (inside ?? text)
      .replace(/^[-+−–]|[-−–]$|\b(?:cr|dr)\.?$/i, '')
      .trim()
      .replace(CURRENCY_WORDS[currency], '')
      .trim()
  }
  return { digits: /^[\d.,'’\s]*\d$/.test(text) ? text : undefined, isNegative }
}

/** Each way to read digits with separators as whole units and hundredths. */
function readings(digits: string): number[] {
  const parts = digits.split(/[.,'’\s]/)
  const separators = digits.replaceAll(/\d/g, '').split('')
  const last = separators.at(-1)
  const places = parts.at(-1) ?? ''
  const whole = groupsOf(parts, separators)
  const decimal =
    (last === '.' || last === ',') &&
    separators.indexOf(last) === separators.length - 1 &&
    /^\d{1,2}0*$/.test(places)
      ? groupsOf(parts.slice(0, -1), separators.slice(0, -1))
      : undefined
  return [
    ...(whole === undefined ? [] : [Number(whole) * 100]),
    ...(decimal === undefined ? [] : [Number(decimal) * 100 + hundredths(places)]),
  ]
}

const hundredths = (places: string): number => Number(places.slice(0, 2).padEnd(2, '0'))

/** Digits whose separators are all the same and group them by three; undefined if they do not. */
function groupsOf(parts: readonly string[], separators: readonly string[]): string | undefined {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return first === '' ? '0' : first
  const isGrouped =
    /^\d{1,3}$/.test(first) &&
    rest.every((part) => part.length === 3) &&
    new Set(separators).size === 1
  return isGrouped ? parts.join('') : undefined
}
