import { moneyText } from '@tallyroom/contract/pay/money-text'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import type { ListColumn } from '../ui/list/columns.ts'
import type { ColumnLook } from '../ui/list/plain-columns.tsx'

/** An amount in a CSV or workbook: pesos or dollars with both decimals. Its currency stands in a column of its own. */
export const csvMoney = (minorUnits: number): { number: string } => ({
  number: fromMinorUnits(minorUnits).toFixed(2),
})

export const csvCurrency = {
  header: 'Currency',
  value: ({ currency }: { currency: Currency }): string => currency,
}

/** An amount of a row, in minor units of its currency. */
export const moneyColumn = <Field extends string>(
  id: Field,
  header: string,
  look: ColumnLook,
): ListColumn<{ currency: Currency } & { [Name in Field]: number }> => ({
  id,
  header,
  numeric: true,
  cell: (row) => moneyText(row[id], row.currency),
  csv: (row) => csvMoney(row[id]),
  ...look,
})

interface OfCurrency<Row> {
  currency: Currency
  own: readonly Row[]
  label: string
  /** A sum over its rows, as text. */
  sum: (amountOf: (row: Row) => number) => string
}

/** What is made of the rows of each currency that has any: a line of totals. */
export const byCurrency = <Row extends { currency: Currency }, Made>(
  rows: readonly Row[],
  make: (of: OfCurrency<Row>) => Made,
): Made[] =>
  CURRENCIES.flatMap((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    if (own.length === 0) return []
    const label = currency === 'PHP' ? 'Total' : 'Total in dollars'
    const sum = (amountOf: (row: Row) => number) =>
      moneyText(
        own.reduce((total, row) => total + amountOf(row), 0),
        currency,
      )
    return [make({ currency, own, label, sum })]
  })
