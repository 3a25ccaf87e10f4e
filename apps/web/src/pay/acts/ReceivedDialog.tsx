import { type Balance, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { ReceivedWay } from '@tallyroom/domain/pay'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { amountText, minorUnitsIn, owedIn, receivedText } from '../balance-words.ts'
import classes from '../pay.module.css'
import {
  useBank,
  inWords,
  voucherBody,
  VoucherFields,
  type VoucherValues,
} from './VoucherFields.tsx'
import { usePayDialog } from '../use-pay-dialog.ts'

interface ReceivedDialogProps {
  balance: Balance
  onClosed: () => void
}

interface Values extends VoucherValues {
  way: ReceivedWay
}

const ways: Record<ReceivedWay, string> = { cash: 'Cash', transfer: 'Bank transfer' }

/** Asks what a payee paid back, and says what it ends. A second person approves it. */
export function ReceivedDialog({ balance, onClosed }: ReceivedDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const bank = useBank(balance)
  const { payee } = balance
  const owed = owedIn(balance)
  const [first = { currency: balance.currency, amount: 0 }] = owed
  const values: Values = {
    currency: first.currency,
    amount: amountText(first.amount),
    way: 'cash',
    paidOn: bank.today,
    voucher: '',
    reason: '',
  }
  const { form, frame } = useRecordForm({
    endpoint: balancesEndpoints.receiveMoney,
    values,
    bodyOf: (typed) => ({
      kind: payee.kind,
      id: payee.id,
      ...typed,
      ...voucherBody(typed),
    }),
    onSaved,
  })
  const { currency } = form.values
  const most = owed.find((one) => one.currency === currency)?.amount ?? 0
  const amount = minorUnitsIn(form.values.amount)
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Money received: ${payee.name}`}
      act="Ask a second person"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        What {payee.name} paid back to the network. It ends advances, the oldest first, and the rest
        of it raises the balance, once somebody else has approved it. It stands on no statement:
        nothing was earned.
      </p>
      {owed.length > 1 && (
        <Select
          label="Owed in"
          data={owed.map((one) => inWords(one.currency))}
          {...form.getInputProps('currency')}
          onChange={(next) => {
            const owes = owed.find((one) => one.currency === next)
            if (owes) form.setValues({ currency: owes.currency, amount: amountText(owes.amount) })
          }}
        />
      )}
      <AmountInput
        label="Amount"
        description={`${payee.name} owes ${moneyText(most, currency)}.`}
        currency={currency === 'PHP' ? '₱' : '$'}
        withAsterisk
        data-autofocus
        {...form.getInputProps('amount')}
      />
      {amount > 0 && amount <= most && (
        <p className={classes.dim}>{receivedText(balance, { amount, currency })}</p>
      )}
      <VoucherFields
        form={form}
        bank={bank}
        ways={ways}
        description="Of the receipt that the payee got, or the bank’s reference."
      />
    </RecordDialog>
  )
}
