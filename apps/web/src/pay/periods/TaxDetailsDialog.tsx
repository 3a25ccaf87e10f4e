import { Textarea, TextInput } from '@mantine/core'
import type { Payee } from '@tallyroom/contract/pay/statement'
import { type TaxDetails, taxDetailsEndpoints } from '@tallyroom/contract/pay/tax-details'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { TaxCountry } from '@tallyroom/domain/tax-number'
import { useQueryClient } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { onOneLine } from '../../ui/form/ReasonForm.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { refreshPay } from './pay.api.ts'
import classes from './pay.module.css'

interface TaxDetailsDialogProps {
  payee: Payee
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
}

/** Adds tax details from a day on. Those of the days before stay. */
export function TaxDetailsDialog({ payee, last, changesFrom, onClosed }: TaxDetailsDialogProps) {
  const client = useQueryClient()
  const shown = useOpened()
  const [, close] = shown
  const today = useToday()
  const values: Values = {
    fromDay: changesFrom,
    registeredName: last?.registeredName ?? '',
    country: last?.country ?? 'PH',
    taxNumber: last?.taxNumber ?? '',
    address: last?.address ?? '',
  }
  const { form, frame } = useRecordForm({
    endpoint: taxDetailsEndpoints.saveTaxDetails,
    values,
    bodyOf: ({ registeredName, taxNumber, address, ...typed }) => ({
      kind: payee.kind,
      id: payee.id,
      ...typed,
      registeredName: onOneLine(registeredName),
      taxNumber: onOneLine(taxNumber),
      address: onOneLine(address),
    }),
    onSaved: () => {
      toastSaved()
      close()
      void refreshPay(client)
    },
  })
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Tax details: ${payee.name}`}
      act="Save"
      onClosed={onClosed}
    >
      <p className={classes.lead}>
        Who {payee.name} is to the tax office, from a day on. What was entered for the days before
        is kept. The payee sees it.
      </p>
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
      <Select
        label="Tax number of"
        data={countries}
        allowDeselect={false}
        {...form.getInputProps('country')}
      />
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
    </RecordDialog>
  )
}

const countries: { value: TaxCountry; label: string }[] = [
  { value: 'PH', label: 'the Philippines' },
  { value: 'other', label: 'another country' },
]
