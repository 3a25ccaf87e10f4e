import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { monthInWords, periodOf } from '@tallyroom/domain/periods'

const MOST_NAMED = 4

/** What closing a month, YYYY-MM, does to the pay periods up to its end that are not closed; undefined without any. */
export function unclosedText(month: string, unclosed: readonly string[]): string | undefined {
  if (unclosed.length === 0) return undefined
  const next = monthInWords(addDays(periodOf(`${month}-01`, 'month').end, 1))
  return unclosed.length === 1
    ? `${unclosed[0]} isn’t closed: what it pays will be booked in ${next}, for good. Close it first, in Pay → Periods.`
    : `${namesOf(unclosed)} aren’t closed: what they pay will be booked in ${next}, for good. Close them first, in Pay → Periods.`
}

const namesOf = (names: readonly string[]): string =>
  names.length > MOST_NAMED
    ? `${formatCount(names.length)} pay periods up to ${names.at(-1)}`
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
