import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import type { PaySettings } from '@tallyroom/contract/pay/terms/settings'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { amountOf } from '../../ui/form/amount-of.ts'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { onOneLine, ReasonField } from '../../ui/form/ReasonForm.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import classes from '../pay.module.css'
import { usePayDialog } from '../use-pay-dialog.ts'

interface LimitsDialogProps {
  limits: PaySettings['adjustmentLimits']
  onClosed: () => void
}

/** Proposes other limits, which a second person has to approve. */
export function LimitsDialog({ limits, onClosed }: LimitsDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const { form, frame } = useRecordForm({
    endpoint: payProposalsEndpoints.proposePayLimits,
    values: {
      adjustmentCentavos: fromMinorUnits(limits.PHP).toFixed(2),
      adjustmentCents: fromMinorUnits(limits.USD).toFixed(2),
      reason: '',
    },
    bodyOf,
    onSaved,
  })
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title="Change the limits"
      act="Ask a second person"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        Two people change a limit: the new ones act once somebody else has approved them, on what is
        entered afterwards. With 0, every adjustment waits.
      </p>
      <AmountInput
        label="Adjustments in pesos"
        currency="₱"
        data-autofocus
        {...form.getInputProps('adjustmentCentavos')}
      />
      <AmountInput
        label="Adjustments in dollars"
        currency="$"
        {...form.getInputProps('adjustmentCents')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </RecordDialog>
  )
}

interface Values extends Record<string, unknown> {
  adjustmentCentavos: string
  adjustmentCents: string
  reason: string
}

const bodyOf = ({ adjustmentCentavos, adjustmentCents, reason }: Values) => ({
  adjustmentCentavos: unitsOf(adjustmentCentavos),
  adjustmentCents: unitsOf(adjustmentCents),
  reason: onOneLine(reason),
})

/** NaN if it is not an amount: the server’s schema refuses that. */
const unitsOf = (typed: string): number => toMinorUnits(amountOf(typed)) ?? Number.NaN
