import { TextInput } from '@mantine/core'
import { type BalanceItem, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { CURRENCY_NAMES, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { convert, otherThan } from '@tallyroom/domain/conversion'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import classes from '../pay.module.css'
import { rateBodyOf } from '../rate-body.ts'
import { usePayDialog } from '../use-pay-dialog.ts'

interface ConversionDialogProps {
  item: BalanceItem
  onClosed: () => void
}

/** Asks for the rate at which a former balance is converted. A second person approves it. */
export function ConversionDialog({ item, onClosed }: ConversionDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const { payee, currency, balance } = item
  const other = otherThan(currency)
  const { form, frame } = useRecordForm({
    endpoint: balancesEndpoints.convertBalance,
    values: { pesosE4: '', source: '' },
    bodyOf: (typed) => ({ kind: payee.kind, id: payee.id, currency, ...rateBodyOf(typed) }),
    onSaved,
  })
  const { pesosE4 } = rateBodyOf(form.values)
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Convert ${moneyText(balance, currency)} of ${payee.name}`}
      act="Ask a second person"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        The whole balance is converted once somebody else has approved it. It stands on no
        statement: nothing was earned.
      </p>
      <AmountInput
        label="Pesos for a dollar"
        description={
          form.isValid() && pesosE4 > 0
            ? `${moneyText(balance, currency)} becomes ${moneyText(convert(balance, currency, pesosE4), other)} in ${CURRENCY_NAMES[other]}.`
            : 'Up to four decimals.'
        }
        currency="₱"
        placeholder="58.25"
        withAsterisk
        data-autofocus
        {...form.getInputProps('pesosE4')}
      />
      <TextInput
        label="Source"
        description="The payee reads it."
        placeholder="Reference rate of the central bank, 16 Nov"
        withAsterisk
        maxLength={200}
        {...form.getInputProps('source')}
      />
    </RecordDialog>
  )
}
