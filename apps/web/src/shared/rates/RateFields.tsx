import { TextInput, type TextInputProps } from '@mantine/core'
import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { amountOf } from '../../ui/form/amount-of.ts'
import { MarginMark } from '../MarginMark.tsx'
import type { RateColumn } from './rate-columns.ts'
import { currencyOf, rateText } from './rate-text.ts'
import classes from './RatesDrawer.module.css'

interface RateFieldsProps {
  columns: readonly RateColumn[]
  typed: TypedRates
  /** What empty fields leave as it is. Undefined while it is loading. */
  unchanged: DatedRate | undefined
  /** Said of empty fields. */
  aboutEmpty?: string
  propsOf: (column: RateColumn) => TextInputProps
}

/** A field for each rate, and a warning if they pay more than they earn. */
export function RateFields({
  columns,
  typed,
  unchanged,
  aboutEmpty = 'Leave empty to keep the current value.',
  propsOf,
}: RateFieldsProps) {
  const valueOf = (field: keyof FeeRates) => givenRatesOf(typed)[field] ?? unchanged?.[field]
  return (
    <>
      <div className={classes.fields}>
        {columns.map((column) => (
          <TextInput
            key={column.field}
            label={column.header}
            placeholder={unchanged && rateText(unchanged[column.field] ?? 0, column.unit)}
            inputMode={column.unit === 'points' ? 'numeric' : 'decimal'}
            autoComplete="off"
            maxLength={16}
            leftSection={
              currencyOf(column.unit) && <span aria-hidden>{currencyOf(column.unit)}</span>
            }
            {...propsOf(column)}
          />
        ))}
      </div>
      <p className={classes.about}>{aboutEmpty}</p>
      <MarginMark earning={valueOf('earning')} payout={valueOf('payout')} />
      {columns.some(({ bonus }) => bonus) && (
        <MarginMark of="Bonus" earning={valueOf('bonusEarning')} payout={valueOf('bonusPayout')} />
      )}
    </>
  )
}

/** Rates as they were typed. */
export type TypedRates = Partial<Record<keyof FeeRates, string>>

/** The rates that were typed, as the API has them. */
export const givenRatesOf = (typed: TypedRates): Partial<FeeRates> =>
  Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text.trim() !== '')
      .map(([field, text]) => [field, amountOf(text)]),
  )
