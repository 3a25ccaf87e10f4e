import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { addDays, type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { onOneLine, ReasonField } from '../../ui/form/ReasonForm.tsx'
import { Select } from '../../ui/Select.tsx'
import { minorUnitsIn } from '../balance-words.ts'

/** What is typed about money that moves without a payment run, in either direction. */
export interface VoucherValues extends Record<string, unknown> {
  currency: Currency
  amount: string
  way: string
  paidOn: Day
  voucher: string
  reason: string
}

const currencies: Record<Currency, string> = { PHP: 'Pesos', USD: 'Dollars' }

/** For the choice of a balance's currency. */
export const inWords = (currency: Currency) => ({ value: currency, label: currencies[currency] })

/** Where vouchers are written, and which day is there. */
export function useBank({ bank }: Pick<Balance, 'bank'>): { timeZone: string; today: Day } {
  const inNewYork = { timeZone: NEW_YORK, today: useToday() }
  return bank ?? inNewYork
}

/** What is typed as a text, as the calls take it. */
export const voucherBody = ({ amount, voucher, reason }: VoucherValues) => ({
  amount: minorUnitsIn(amount),
  voucher: onOneLine(voucher),
  reason: onOneLine(reason),
})

interface VoucherFieldsProps<Values extends VoucherValues> {
  form: UseFormReturnType<Values>
  bank: { timeZone: string; today: Day }
  ways: Readonly<Record<string, string>>
  /** What its number is of. */
  description: string
}

/** How money moved, when, on which voucher, and why. */
export const VoucherFields = <Values extends VoucherValues>({
  form,
  bank: { timeZone, today },
  ways,
  description,
}: VoucherFieldsProps<Values>) => (
  <>
    <Select
      label="How"
      data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
      {...form.getInputProps('way')}
    />
    <DayPicker
      label={`Day it was paid (${timeZone})`}
      value={form.values.paidOn}
      min={addDays(today, -366)}
      max={today}
      onChange={form.getInputProps('paidOn').onChange}
      error={form.errors['paidOn']}
    />
    <TextInput
      label="Voucher number"
      description={description}
      withAsterisk
      maxLength={40}
      {...form.getInputProps('voucher')}
    />
    <ReasonField description="The payee reads it." {...form.getInputProps('reason')} />
  </>
)
