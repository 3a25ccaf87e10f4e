import { TextInput } from '@mantine/core'
import { type Balance, balancesEndpoints } from '@tallyroom/contract/pay/balances'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { addDays, type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type Currency, OUTSIDE_WAYS, type OutsideWay } from '@tallyroom/domain/pay'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { onOneLine, ReasonField } from '../../ui/form/ReasonForm.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { amountText, minorUnitsIn } from '../balance-words.ts'
import classes from '../pay.module.css'
import { usePayDialog } from '../use-pay-dialog.ts'

interface OutsideDialogProps {
  balance: Balance
  onClosed: () => void
}

interface Values extends Record<string, unknown> {
  currency: Currency
  amount: string
  way: OutsideWay
  paidOn: Day
  voucher: string
  reason: string
  instalments: string
}

const ways: Record<OutsideWay, string> = { cash: 'Cash', cheque: 'Cheque', other: 'Another way' }
const currencies: Record<Currency, string> = { PHP: 'Pesos', USD: 'Dollars' }

/** Asks what a payee was paid without a payment run. A second person approves it. */
export function OutsideDialog({ balance, onClosed }: OutsideDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const inNewYork = { timeZone: NEW_YORK, today: useToday() }
  // Vouchers are written where the bank is.
  const { timeZone, today } = balance.bank ?? inNewYork
  const { payee, balances } = balance
  const payable = balances.filter(({ left }) => left > 0)
  const [first = { currency: balance.currency, left: 0 }] = payable
  const values: Values = {
    currency: first.currency,
    amount: first.left > 0 ? amountText(first.left) : '',
    way: 'cash',
    paidOn: today,
    voucher: '',
    reason: '',
    instalments: '1',
  }
  const leftIn = (currency: Currency): number =>
    payable.find((one) => one.currency === currency)?.left ?? 0
  /** What of the amount would be more than is owed. */
  const advanceIn = ({ amount, currency }: Pick<Values, 'amount' | 'currency'>): number =>
    currency === balance.currency ? Math.max(minorUnitsIn(amount) - leftIn(currency), 0) : 0
  const { form, frame } = useRecordForm({
    endpoint: balancesEndpoints.payOutside,
    values,
    bodyOf: ({ amount, voucher, reason, instalments, ...typed }) => ({
      kind: payee.kind,
      id: payee.id,
      ...typed,
      amount: minorUnitsIn(amount),
      voucher: onOneLine(voucher),
      reason: onOneLine(reason),
      instalments: advanceIn({ amount, currency: typed.currency }) > 0 ? Number(instalments) : null,
    }),
    onSaved,
  })
  const { currency, paidOn } = form.values
  const left = leftIn(currency)
  const advance = advanceIn(form.values)
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Paid outside: ${payee.name}`}
      act="Ask a second person"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        What {payee.name} was paid without a payment run. It is taken from the balance once somebody
        else has approved it, and stands on no statement: nothing was earned.
      </p>
      {payable.length > 1 && (
        <Select
          label="Balance in"
          data={payable.map((one) => ({
            value: one.currency,
            label: currencies[one.currency],
          }))}
          {...form.getInputProps('currency')}
        />
      )}
      <AmountInput
        label="Amount"
        description={`${moneyText(left, currency)} is owed that no payment run pays.${currency === balance.currency ? ' More than that is an advance.' : ''}`}
        currency={currency === 'PHP' ? '₱' : '$'}
        withAsterisk
        data-autofocus
        {...form.getInputProps('amount')}
      />
      {advance > 0 && (
        <TextInput
          label="Taken back over how many statements"
          description={`${moneyText(advance, currency)} is an advance: an equal share of it is taken back by each, at most what the statement adds to the balance. The rest stays owed.`}
          inputMode="numeric"
          withAsterisk
          {...form.getInputProps('instalments')}
        />
      )}
      <Select
        label="How"
        data={OUTSIDE_WAYS.map((value) => ({ value, label: ways[value] }))}
        {...form.getInputProps('way')}
      />
      <DayPicker
        label={`Day it was paid (${timeZone})`}
        value={paidOn}
        min={addDays(today, -366)}
        max={today}
        onChange={(day) => form.setFieldValue('paidOn', day)}
        error={form.errors.paidOn}
      />
      <TextInput
        label="Voucher number"
        description="Of the receipt that the payee signed, or of the cheque."
        withAsterisk
        maxLength={40}
        {...form.getInputProps('voucher')}
      />
      <ReasonField description="The payee reads it." {...form.getInputProps('reason')} />
    </RecordDialog>
  )
}
