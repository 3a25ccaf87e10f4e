import { Checkbox, TextInput } from '@mantine/core'
import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import type { Currency } from '@tallyroom/domain/pay'
import { Select } from '../../ui/Select.tsx'
import { choicesOf, mappedIn, wordsIn } from './result-file-words.ts'
import classes from '../runs.module.css'

interface ResultColumnFieldsProps {
  columns: ResultColumns
  /** Of the file. Columns that it lacks are offered as long as they are mapped. */
  headings: readonly string[]
  /** Of the run. */
  currency: Currency
  onChange: (columns: ResultColumns) => void
}

/** Maps the columns of a result file, and the words of its status. */
export function ResultColumnFields({
  columns,
  headings,
  currency,
  onChange,
}: ResultColumnFieldsProps) {
  const change = (next: Partial<ResultColumns>) => onChange({ ...columns, ...next })
  const choices = choicesOf([...headings, ...mappedIn(columns)])
  const column = (label: string, name: 'reference' | 'status') => (
    <Select
      label={label}
      withAsterisk
      allowDeselect
      data={choices}
      value={columns[name] || null}
      onChange={(value) => change({ [name]: value ?? '' })}
    />
  )
  const optional = (label: string, name: 'amount' | 'reason' | 'bankReference') => (
    <Select
      label={label}
      clearable
      placeholder="None"
      data={choices}
      value={columns[name]}
      onChange={(value) => change({ [name]: value })}
    />
  )
  const words = (label: string, name: 'paid' | 'failed' | 'pending') => (
    <TextInput
      label={label}
      description="Separated by commas"
      withAsterisk={name !== 'pending'}
      maxLength={400}
      defaultValue={columns[name].join(', ')}
      onBlur={({ currentTarget: { value } }) => change({ [name]: wordsIn(value) })}
    />
  )
  return (
    <>
      <div className={classes.row}>
        {column('Reference', 'reference')}
        {column('Status', 'status')}
      </div>
      <div className={classes.row}>
        {words('Means paid', 'paid')}
        {words('Means failed or come back', 'failed')}
        {words('Means still under way', 'pending')}
      </div>
      <Checkbox
        label="A status only begins with one of these words"
        checked={columns.beginsWith}
        onChange={({ currentTarget: { checked } }) => change({ beginsWith: checked })}
      />
      <div className={classes.row}>
        {optional('Amount', 'amount')}
        {optional('Reason', 'reason')}
        {optional('Bank’s reference', 'bankReference')}
        {columns.amount !== null && (
          <Select
            label="Amounts are in"
            allowDeselect
            data={[
              { value: 'same', label: 'As in our file' },
              { value: 'major', label: currency === 'PHP' ? 'Pesos' : 'Dollars' },
              { value: 'minor', label: currency === 'PHP' ? 'Centavos' : 'Cents' },
            ]}
            value={columns.minorUnits === null ? 'same' : columns.minorUnits ? 'minor' : 'major'}
            onChange={(value) => change({ minorUnits: MINOR[value ?? 'same'] ?? null })}
          />
        )}
      </div>
    </>
  )
}

const MINOR: Record<string, boolean> = { major: false, minor: true }
