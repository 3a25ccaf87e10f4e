import { Button, NumberInput, TextInput } from '@mantine/core'
import {
  dateStyles,
  type FileFormat,
  kindWords,
  letterSets,
  type PayFileField,
  type PayFileLayout,
  payFileFields,
} from '@tallyroom/contract/pay/files/files'
import { detailLabels } from '@tallyroom/contract/pay/accounts/payee-details'
import { IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useIsPhone } from '../../lib/phone.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { ANY, letterLabels } from './letter-labels.ts'
import { WidthFields } from './WidthFields.tsx'
import classes from '../runs.module.css'

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
  const change = (at: number, next: Partial<Column>) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, ...next } : column)))
  return (
    <ol className={classes.list}>
      {columns.map((column, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a column's position is its identity
        <li key={at} className={classes.row} aria-label={`Column ${at + 1}`}>
          <OneColumn
            format={format}
            column={column}
            at={at}
            onChange={(next) => change(at, next)}
          />
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

interface OneColumnProps {
  format: FileFormat
  column: Column
  /** Its index. */
  at: number
  onChange: (next: Partial<Column>) => void
}

/** What a column has, and how it is written. */
function OneColumn({ format, column, at, onChange }: OneColumnProps) {
  const isPhone = useIsPhone()
  /** Above the first row, where rows are aligned; on a phone, above each field. */
  const labelled = (label: string) => (isPhone || at === 0) && { label }
  return (
    <>
      <TextInput
        {...labelled('Header')}
        aria-label={`Header of column ${at + 1}`}
        placeholder="Header"
        maxLength={60}
        value={column.header}
        onChange={(event) => onChange({ header: event.currentTarget.value })}
      />
      <Select
        {...labelled('Field')}
        aria-label={`Field of column ${at + 1}`}
        data={payFileFields.map((value) => ({ value, label: fieldLabels[value] }))}
        value={column.field}
        onChange={(value) => {
          const field = payFileFields.find((one) => one === value)
          if (!field) return
          onChange({
            field,
            text: field === 'text' ? '-' : undefined,
            dateStyle: undefined,
            words: undefined,
          })
        }}
      />
      <OfField column={column} at={at} onChange={onChange} />
      <Select
        {...labelled('Letters')}
        aria-label={`Letters of column ${at + 1}`}
        data={[
          { value: ANY, label: 'Any' },
          ...letterSets.map((value) => ({ value, label: letterLabels[value] })),
        ]}
        value={column.letters ?? ANY}
        onChange={(value) => onChange({ letters: letterSets.find((one) => one === value) })}
      />
      <WidthFields
        of={`column ${at + 1}`}
        format={format}
        value={column}
        onChange={onChange}
        labelled={labelled}
      />
      {format !== 'fixed' && (
        <NumberInput
          size="xs"
          {...labelled('Maximum characters')}
          aria-label={`Maximum characters of column ${at + 1}`}
          placeholder="Any length"
          min={1}
          max={200}
          allowDecimal={false}
          value={column.longest ?? ''}
          onChange={(value) => onChange({ longest: value === '' ? null : Number(value) })}
        />
      )}
    </>
  )
}

/** What only some fields need to be told: the text, the words for kinds of payees, the style of a date. */
function OfField({ column, at, onChange }: Omit<OneColumnProps, 'format'>) {
  const isPhone = useIsPhone()
  switch (column.field) {
    case 'text':
      return (
        <TextInput
          {...(isPhone && { label: 'Text' })}
          aria-label={`Text of column ${at + 1}`}
          maxLength={60}
          value={column.text ?? ''}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      )
    case 'payeeKind':
      return (['office', 'agent'] as const).map((kind) => (
        <TextInput
          key={kind}
          label={`Of an ${kind}`}
          aria-label={`Of an ${kind}, in column ${at + 1}`}
          maxLength={20}
          value={(column.words ?? kindWords)[kind]}
          onChange={(event) =>
            onChange({
              words: { ...kindWords, ...column.words, [kind]: event.currentTarget.value },
            })
          }
        />
      ))
    case 'date':
      return (
        <Select
          {...(isPhone && { label: 'Date style' })}
          aria-label={`Date style of column ${at + 1}`}
          data={[...dateStyles]}
          value={column.dateStyle ?? dateStyles[0]}
          onChange={(value) => onChange({ dateStyle: value ?? undefined })}
        />
      )
    default:
      return undefined
  }
}
