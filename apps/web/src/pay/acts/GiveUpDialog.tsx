import { type Balance, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { minorUnitsIn } from '../balance-words.ts'
import { payeeParams } from '../pay-words.ts'
import classes from '../pay.module.css'
import { usePayDialog } from '../use-pay-dialog.ts'

interface GiveUpDialogProps {
  payee: Balance['payee']
  left: NonNullable<Balance['toGiveUp']>
  onClosed: () => void
}

const values = { unpaidCentavos: '', unpaidCents: '', owedCentavos: '', owedCents: '' }

/** Gives up what is left of somebody who was deleted, once its amounts are typed. */
export function GiveUpDialog({ payee, left, onClosed }: GiveUpDialogProps) {
  const { shown, onSaved } = usePayDialog('saved')
  const { form, frame } = useRecordForm({
    endpoint: balancesEndpoints.giveUpBalance,
    params: payeeParams(payee),
    values,
    bodyOf: (typed) => ({
      unpaidCentavos: unitsIn(typed.unpaidCentavos),
      unpaidCents: unitsIn(typed.unpaidCents),
      owedCentavos: unitsIn(typed.owedCentavos),
      owedCents: unitsIn(typed.owedCents),
    }),
    onSaved,
  })
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Give up: ${payee.name}`}
      act="Give it up"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        Their balance ends, and nothing of it is paid afterwards. The books have it on an account of
        its own. If they pay back later what they owe, enter it as money received.
      </p>
      {left.map(({ currency, balance, owed }) => {
        const [unpaidField, owedField] =
          currency === 'PHP'
            ? (['unpaidCentavos', 'owedCentavos'] as const)
            : (['unpaidCents', 'owedCents'] as const)
        const sign = currency === 'PHP' ? '₱' : '$'
        return (
          <div key={currency}>
            {balance !== 0 && (
              <AmountInput
                label="Balance"
                description={`Type ${moneyText(balance, currency)}. A minus is what they owe.`}
                currency={sign}
                withAsterisk
                {...form.getInputProps(unpaidField)}
              />
            )}
            {owed !== 0 && (
              <AmountInput
                label="Owed of advances"
                description={`Type ${moneyText(owed, currency)}.`}
                currency={sign}
                withAsterisk
                {...form.getInputProps(owedField)}
              />
            )}
          </div>
        )
      })}
    </RecordDialog>
  )
}

const unitsIn = (text: string): number => (text.trim() === '' ? 0 : minorUnitsIn(text))
