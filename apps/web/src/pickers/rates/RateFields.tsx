import { TextInput, type TextInputProps } from '@mantine/core'
import type { FeeRates } from '@tallyroom/contract/office-fees'
import { amountOf } from '../../ui/form/amount-of.ts'
import type { RateColumn } from './rate-columns.ts'
import { currencyOf } from './rate-text.ts'
import classes from './RatesDrawer.module.css'

interface RateFieldsProps {
  columns: readonly RateColumn[]
  propsOf: (column: RateColumn) => TextInputProps
}

/** A field for each rate. Empty fields leave the rate unchanged. */
export const RateFields = ({ columns, propsOf }: RateFieldsProps) => (
  <div className={classes.fields}>
    {columns.map((column) => (
      <TextInput
        key={column.field}
        label={column.header}
        inputMode={column.unit === 'points' ? 'numeric' : 'decimal'}
        autoComplete="off"
        maxLength={16}
        leftSection={currencyOf(column.unit) && <span aria-hidden>{currencyOf(column.unit)}</span>}
        {...propsOf(column)}
      />
    ))}
  </div>
)

/** Rates as they were typed. */
export type TypedRates = Partial<Record<keyof FeeRates, string>>

/** The rates that were typed, as the API has them. */
export const givenRatesOf = (typed: TypedRates): Partial<FeeRates> =>
  Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text.trim() !== '')
      .map(([field, text]) => [field, amountOf(text)]),
  )
