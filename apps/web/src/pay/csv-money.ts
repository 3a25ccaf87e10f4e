import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'

/** An amount in a CSV: pesos or dollars as a number, for spreadsheets. Its currency stands in a column of its own. */
export const csvMoney = (minorUnits: number): number => fromMinorUnits(minorUnits)

export const csvCurrency = {
  header: 'Currency',
  value: ({ currency }: { currency: Currency }): string => currency,
}
