import { Button, TextInput } from '@mantine/core'
import { IconArrowUp, IconTrash } from '@tabler/icons-react'
import {
  dateStyles,
  type EdgeField,
  edgeFields,
  type FileFormat,
  type PayFileLayout,
} from '@tallyroom/contract/pay/files/files'
import { useIsPhone } from '../../lib/phone.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { WidthFields } from './WidthFields.tsx'
import classes from '../runs.module.css'

type Line = PayFileLayout['firstLine']

interface EdgeFieldsProps {
  /** Such as *the first line*. */
  of: string
  format: FileFormat
  line: Line
  onChange: (line: Line) => void
}

const fieldLabels: Record<EdgeField, string> = {
  text: 'Text',
  count: 'Number of transfers',
  total: 'Sum of the amounts',
  date: 'Execution date',
  sequence: 'Number of the file in its run',
  run: 'Number of the run',
  currency: 'Currency',
}

/** The values of a file's first or last line, from left to right. */
export function EdgeFields({ of, format, line, onChange }: EdgeFieldsProps) {
  const isPhone = useIsPhone()
  const change = (at: number, next: Partial<Line[number]>) =>
    onChange(line.map((one, index) => (index === at ? { ...one, ...next } : one)))
  return (
    <ol className={classes.list}>
      {line.map((one, at) => {
        const which = `value ${at + 1} of ${of}`
        const labelled = (label: string) => (isPhone || at === 0) && { label }
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a value's position is its identity
          <li key={at} className={classes.row} aria-label={`Value ${at + 1} of ${of}`}>
            <Select
              {...labelled('Field')}
              aria-label={`Field of ${which}`}
              data={edgeFields.map((value) => ({ value, label: fieldLabels[value] }))}
              value={one.field}
              onChange={(value) => {
                const field = edgeFields.find((each) => each === value)
                if (!field) return
                const { width, align, fill } = one
                onChange(line.with(at, { field, width, align, fill }))
              }}
            />
            {one.field === 'text' && (
              <TextInput
                {...labelled('Text')}
                aria-label={`Text of ${which}`}
                maxLength={60}
                placeholder="Empty"
                value={one.text ?? ''}
                onChange={(event) => change(at, { text: event.currentTarget.value })}
              />
            )}
            {one.field === 'date' && (
              <Select
                {...labelled('Date style')}
                aria-label={`Date style of ${which}`}
                data={[...dateStyles]}
                value={one.dateStyle ?? dateStyles[0]}
                onChange={(value) => change(at, { dateStyle: value ?? undefined })}
              />
            )}
            <WidthFields
              of={which}
              format={format}
              value={one}
              onChange={(next) => change(at, next)}
              labelled={labelled}
            />
            <IconButton
              aria-label={`Move ${which} to the left`}
              disabled={at === 0}
              onClick={() => onChange(line.with(at, line[at - 1] ?? one).with(at - 1, one))}
            >
              <IconArrowUp size={16} />
            </IconButton>
            <IconButton
              aria-label={`Remove ${which}`}
              onClick={() => onChange(line.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </IconButton>
          </li>
        )
      })}
      <li>
        <Button
          variant="default"
          size="xs"
          aria-label={`Add value to ${of}`}
          onClick={() => onChange([...line, { field: 'text', text: '' }])}
        >
          + Add value
        </Button>
      </li>
    </ol>
  )
}
