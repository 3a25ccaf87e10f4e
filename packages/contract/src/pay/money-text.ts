import { formatDollars, formatPesos, fromMinorUnits } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'

/** `₱1,148.00` or `-$12.50`. @param amount minor units */
export const moneyText = (amount: number, currency: Currency): string =>
  (amount < 0 ? '-' : '') +
  (currency === 'PHP' ? formatPesos : formatDollars)(fromMinorUnits(amount))
