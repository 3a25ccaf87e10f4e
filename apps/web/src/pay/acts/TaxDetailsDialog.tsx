import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { type TaxDetails, taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { TaxCountry } from '@tallyroom/domain/tax-number'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { onOneLine } from '../../ui/form/ReasonForm.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import classes from '../pay.module.css'
import { usePayDialog } from '../use-pay-dialog.ts'

interface DialogProps {
  /** What the form begins with. */
  last: TaxDetails | undefined
  changesFrom: Day
  onClosed: () => void
}

interface Values extends Record<string, unknown> {
  fromDay: Day
  registeredName: string
  country: TaxCountry
  taxNumber: string
  address: string
  /** As another payee, whose tax number it is, too. */
  sameTaxpayer: boolean
}

/** Adds a payee’s tax details from a day on. Those of the days before stay. */
export function TaxDetailsDialog({ payee, ...props }: DialogProps & { payee: Payee }) {
  const { shown, onSaved } = usePayDialog('saved')
  const { form, frame } = useRecordForm({
    endpoint: taxDetailsEndpoints.saveTaxDetails,
    values: valuesOf(props),
    bodyOf: (values) => ({
      kind: payee.kind,
      id: payee.id,
      ...bodyOf(values),
      sameTaxpayer: values.sameTaxpayer,
    }),
    onSaved,
  })
  const { sameTaxpayer } = form.values
  const shared = form.errors['sameTaxpayer']
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Tax details: ${payee.name}`}
      act="Save"
      onClosed={props.onClosed}
    >
      <p className={classes.lead}>
        Who {payee.name} is to the tax office, from a day on. What was entered for the days before
        is kept. The payee sees it.
      </p>
      <DetailsFields form={form} changesFrom={props.changesFrom} />
      {(shared || sameTaxpayer) && (
        <Checkbox
          label="Both are one taxpayer"
          {...form.getInputProps('sameTaxpayer', { type: 'checkbox' })}
        />
      )}
    </RecordDialog>
  )
}

/** Adds the tax details of the network, which pays, from a day on. */
export function PayerDetailsDialog(props: DialogProps) {
  const { shown, onSaved } = usePayDialog('saved')
  const { form, frame } = useRecordForm({
    endpoint: taxDetailsEndpoints.savePayerDetails,
    values: valuesOf(props),
    bodyOf,
    onSaved,
  })
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title="Tax details of the network"
      act="Save"
      onClosed={props.onClosed}
    >
      <p className={classes.lead}>
        Who pays, from a day on, as statements and certificates of those days name it. What was
        entered for the days before is kept.
      </p>
      <DetailsFields form={form} changesFrom={props.changesFrom} />
    </RecordDialog>
  )
}

const valuesOf = ({ last, changesFrom }: DialogProps): Values => ({
  fromDay: changesFrom,
  registeredName: last?.registeredName ?? '',
  country: last?.country ?? 'PH',
  taxNumber: last?.taxNumber ?? '',
  address: last?.address ?? '',
  sameTaxpayer: false,
})

const bodyOf = ({ fromDay, country, registeredName, taxNumber, address }: Values) => ({
  fromDay,
  country,
  registeredName: onOneLine(registeredName),
  taxNumber: onOneLine(taxNumber),
  address: onOneLine(address),
})

function DetailsFields({
  form,
  changesFrom,
}: {
  form: UseFormReturnType<Values>
  changesFrom: Day
}) {
  const today = useToday()
  return (
    <>
      <DayPicker
        label="From (New York)"
        value={form.values.fromDay}
        min={changesFrom}
        max={addDays(today, 366)}
        onChange={(day) => form.setFieldValue('fromDay', day)}
        error={form.errors.fromDay}
      />
      <TextInput
        label="Registered name"
        withAsterisk
        maxLength={140}
        data-autofocus
        {...form.getInputProps('registeredName')}
      />
      <Select label="Tax number of" data={countries} {...form.getInputProps('country')} />
      <TextInput
        label="Tax number"
        description={
          form.values.country === 'PH'
            ? '9 digits, or 12 to 14 with the code of the branch, such as 123-456-789-000.'
            : undefined
        }
        withAsterisk
        maxLength={30}
        {...form.getInputProps('taxNumber')}
      />
      <Textarea
        label="Address"
        withAsterisk
        autosize
        minRows={2}
        maxRows={4}
        maxLength={280}
        {...form.getInputProps('address')}
      />
    </>
  )
}

const countries: { value: TaxCountry; label: string }[] = [
  { value: 'PH', label: 'the Philippines' },
  { value: 'other', label: 'another country' },
]
