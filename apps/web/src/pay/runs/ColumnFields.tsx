import { Button, NumberInput, TextInput } from '@mantine/core'
import {
  dateStyles,
  type FileFormat,
  kindWords,
  letterSets,
  type PayFileField,
  type PayFileLayout,
  payFileFields,
} from '@tallyroom/contract/pay/files'
import { detailLabels } from '@tallyroom/contract/pay/payee-details'
import { IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useIsPhone } from '../../lib/phone.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { ANY, letterLabels } from './letter-labels.ts'
import { WidthFields } from './WidthFields.tsx'
import classes from './runs.module.css'

type Column = PayFileLayout['columns'][number]

interface ColumnFieldsProps {
  format: FileFormat
  columns: PayFileLayout['columns']
  onChange: (columns: PayFileLayout['columns']) => void
}

const fieldLabels: Record<PayFileField, string> = {
  reference: 'Reference',
  payee: 'Payee',
  institution: 'Institution’s name',
  institutionCode: 'Institution’s BIC',
  bankName: 'Institution’s name at this bank',
  bankCode: 'Institution’s code at this bank',
  accountNumber: 'Account number',
  accountName: 'Account name',
  amount: 'Amount',
  currency: 'Currency',
  remarks: 'Remarks (the run’s number)',
  payeeKind: 'Kind of payee',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  ...detailLabels,
  date: 'Execution date',
  text: 'The same text',
}

/** The columns of a file, from left to right. */
export function ColumnFields({ format, columns, onChange }: ColumnFieldsProps) {
  const isPhone = useIsPhone()
  /** Above the first row, where rows are aligned; on a phone, above each field. */
  const labelled = (at: number, label: string) => (isPhone || at === 0) && { label }
  const change = (at: number, next: Partial<Column>) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, ...next } : column)))
  return (
    <ol className={classes.list}>
      {columns.map((column, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a column's position is its identity
        <li key={at} className={classes.row} aria-label={`Column ${at + 1}`}>
          <TextInput
            {...labelled(at, 'Header')}
            aria-label={`Header of column ${at + 1}`}
            placeholder="Header"
            maxLength={60}
            value={column.header}
            onChange={(event) => change(at, { header: event.currentTarget.value })}
          />
          <Select
            {...labelled(at, 'Field')}
            aria-label={`Field of column ${at + 1}`}
            data={payFileFields.map((value) => ({ value, label: fieldLabels[value] }))}
            value={column.field}
            onChange={(value) => {
              const field = payFileFields.find((one) => one === value)
              if (!field) return
              change(at, {
                field,
                text: field === 'text' ? '-' : undefined,
                dateStyle: undefined,
                words: undefined,
              })
            }}
          />
          {column.field === 'text' && (
            <TextInput
              {...(isPhone && { label: 'Text' })}
              aria-label={`Text of column ${at + 1}`}
              maxLength={60}
              value={column.text ?? ''}
              onChange={(event) => change(at, { text: event.currentTarget.value })}
            />
          )}
          {column.field === 'payeeKind' &&
            (['office', 'agent'] as const).map((kind) => (
              <TextInput
                key={kind}
                label={`Of an ${kind}`}
                aria-label={`Of an ${kind}, in column ${at + 1}`}
                maxLength={20}
                value={(column.words ?? kindWords)[kind]}
                onChange={(event) =>
                  change(at, {
                    words: { ...kindWords, ...column.words, [kind]: event.currentTarget.value },
                  })
                }
              />
            ))}
          {column.field === 'date' && (
            <Select
              {...(isPhone && { label: 'Date style' })}
              aria-label={`Date style of column ${at + 1}`}
              data={[...dateStyles]}
              value={column.dateStyle ?? dateStyles[0]}
              onChange={(value) => change(at, { dateStyle: value ?? undefined })}
            />
          )}
          <Select
            {...labelled(at, 'Letters')}
            aria-label={`Letters of column ${at + 1}`}
            data={[
              { value: ANY, label: 'Any' },
              ...letterSets.map((value) => ({ value, label: letterLabels[value] })),
            ]}
            value={column.letters ?? ANY}
            onChange={(value) => change(at, { letters: letterSets.find((one) => one === value) })}
          />
          <WidthFields
            of={`column ${at + 1}`}
            format={format}
            value={column}
            onChange={(next) => change(at, next)}
            labelled={(label) => labelled(at, label)}
          />
          {format !== 'fixed' && (
            <NumberInput
              size="xs"
              {...labelled(at, 'Maximum characters')}
              aria-label={`Maximum characters of column ${at + 1}`}
              placeholder="Any length"
              min={1}
              max={200}
              allowDecimal={false}
              value={column.longest ?? ''}
              onChange={(value) => change(at, { longest: value === '' ? null : Number(value) })}
            />
          )}
          <IconButton
            aria-label={`Move column ${at + 1} to the left`}
            disabled={at === 0}
            onClick={() =>
              onChange(columns.with(at, columns[at - 1] ?? column).with(at - 1, column))
            }
          >
            <IconArrowUp size={16} />
          </IconButton>
          <IconButton
            aria-label={`Remove column ${at + 1}`}
            disabled={columns.length === 1}
            onClick={() => onChange(columns.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </li>
      ))}
      <li>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...columns, { header: '', field: 'reference' }])}
        >
          + Add column
        </Button>
      </li>
    </ol>
  )
}
