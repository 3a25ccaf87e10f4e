import { TextInput } from '@mantine/core'
import { type Balance, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Currency, OutsideWay } from '@tallyroom/domain/pay'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { amountText, minorUnitsIn } from '../balance-words.ts'
import classes from '../pay.module.css'
import {
  useBank,
  inWords,
  voucherBody,
  VoucherFields,
  type VoucherValues,
} from './VoucherFields.tsx'
import { usePayDialog } from '../use-pay-dialog.ts'

interface OutsideDialogProps {
  balance: Balance
  onClosed: () => void
}

interface Values extends VoucherValues {
  way: OutsideWay
  instalments: string
}

const ways: Record<OutsideWay, string> = { cash: 'Cash', cheque: 'Cheque', other: 'Another way' }

/** Asks what a payee was paid without a payment run. A second person approves it. */
export function OutsideDialog({ balance, onClosed }: OutsideDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const bank = useBank(balance)
  const { payee, balances } = balance
  const payable = balances.filter(({ left }) => left > 0)
  const [first = { currency: balance.currency, left: 0 }] = payable
  const values: Values = {
    currency: first.currency,
    amount: first.left > 0 ? amountText(first.left) : '',
    way: 'cash',
    paidOn: bank.today,
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
    bodyOf: ({ instalments, ...typed }) => ({
      kind: payee.kind,
      id: payee.id,
      ...typed,
      ...voucherBody(typed),
      instalments: advanceIn(typed) > 0 ? Number(instalments) : null,
    }),
    onSaved,
  })
  const { currency } = form.values
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
          data={payable.map((one) => inWords(one.currency))}
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
      <VoucherFields
        form={form}
        bank={bank}
        ways={ways}
        description="Of the receipt that the payee signed, or of the cheque."
      />
    </RecordDialog>
  )
}
