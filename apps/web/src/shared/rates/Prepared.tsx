import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { NEW_YORK } from '@tallyroom/domain/new-york'
import { currencyOf, rateText, type RateUnit } from './rate-text.ts'
import classes from './Prepared.module.css'

/** `₱480.00 from Dec 1`: the next prepared value that differs from the current one. */
export function Prepared({
  rates,
  present,
  field,
  unit,
  inline = false,
}: {
  rates: readonly DatedRate[]
  present: number
  field: keyof FeeRates
  unit: RateUnit
  /** Renders inline, within a line of text. */
  inline?: boolean
}) {
  const next = rates.find((rate) => !rate.enable || rate[field] !== present)
  if (!next?.validFrom) return null
  const value = next.enable ? `${currencyOf(unit)}${rateText(next[field] ?? 0, unit)}` : 'default'
  return (
    <span className={inline ? classes.inline : classes.below}>
      <span>{value}</span> <span>from {dayText(next.validFrom)}</span>
    </span>
  )
}

/** `Dec 1`, in New York. */
export const dayText = (instant: string) => shortDay.format(new Date(instant))
const shortDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: NEW_YORK,
})
