import { TextInput } from '@mantine/core'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { type TaxRate, taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { onOneLine, ReasonField } from '../../ui/form/ReasonForm.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import classes from '../pay.module.css'
import { minorUnitsIn } from '../balance-words.ts'
import { usePayDialog } from '../use-pay-dialog.ts'

interface TaxRateDialogProps {
  payee: Payee
  /** What the form begins with. */
  last: TaxRate | undefined
  changesFrom: Day
  onClosed: () => void
}

interface Values extends Record<string, unknown> {
  fromDay: Day
  rate: '0' | '500' | '1000' | 'other'
  rateBp: string
  code: string
  reason: string
}

const rates = [
  { value: '0', label: 'None' },
  { value: '500', label: '5 %' },
  { value: '1000', label: '10 %' },
  { value: 'other', label: 'Another rate' },
] as const

/** Proposes at which rate tax is withheld from a payee, which a second person has to approve. */
export function TaxRateDialog({ payee, last, changesFrom, onClosed }: TaxRateDialogProps) {
  const { shown, onSaved } = usePayDialog('waits')
  const today = useToday()
  const usual = rates.find(({ value }) => value === String(last?.rateBp ?? 1000))?.value
  const values: Values = {
    fromDay: changesFrom,
    rate: usual ?? 'other',
    rateBp: usual ? '' : String((last?.rateBp ?? 0) / 100),
    code: last?.code ?? '',
    reason: '',
  }
  const { form, frame } = useRecordForm({
    endpoint: taxDetailsEndpoints.proposeTaxRate,
    values,
    bodyOf: ({ fromDay, rate, rateBp, code, reason }) => ({
      kind: payee.kind,
      id: payee.id,
      fromDay,
      rateBp: rate === 'other' ? minorUnitsIn(rateBp.replace('%', '')) : Number(rate),
      code: rate === '0' ? null : code.trim().toUpperCase(),
      reason: onOneLine(reason),
    }),
    onSaved,
  })
  const { fromDay, rate } = form.values
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Withholding tax: ${payee.name}`}
      act="Ask a second person"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        Statements withhold this tax from what was earned, and you pay it to the tax office. The
        rate and code are not checked against the law: ask your accountant. A period withholds at
        the rate in force on its last day.
      </p>
      <DayPicker
        label="From (New York)"
        value={fromDay}
        min={changesFrom}
        max={addDays(today, 366)}
        onChange={(day) => form.setFieldValue('fromDay', day)}
        error={form.errors.fromDay}
      />
      <Select
        label="Rate"
        data={[...rates]}
        {...form.getInputProps('rate')}
        {...(rate === 'other' ? {} : { error: form.errors['rateBp'] })}
      />
      {rate === 'other' && (
        <TextInput
          label="Rate in percent"
          description="Up to 50, with at most two decimal places."
          inputMode="decimal"
          withAsterisk
          {...form.getInputProps('rateBp')}
        />
      )}
      {rate !== '0' && (
        <TextInput
          label="Code"
          description="Of the kind of income, as the tax office calls it, such as WI515."
          withAsterisk
          maxLength={10}
          {...form.getInputProps('code')}
        />
      )}
      <ReasonField {...form.getInputProps('reason')} />
    </RecordDialog>
  )
}
