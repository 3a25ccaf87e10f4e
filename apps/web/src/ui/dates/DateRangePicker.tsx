import { TextInput } from '@mantine/core'
import { isDay } from '@tallyroom/domain/new-york'
import {
  dateHints,
  matchingHint,
  INVALID_RANGE_MESSAGE,
  isValidRange,
  rangeInShort,
  type MaybeRange,
} from '@tallyroom/domain/periods'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { Calendar, DateField } from './DateField.tsx'
import classes from './dates.module.css'
import { HintList, type HintGroup } from './HintList.tsx'

interface DateRangePickerProps {
  label?: string
  /** New York days, both inclusive; either may be missing while being edited. */
  value: MaybeRange
  onChange: (range: MaybeRange) => void
  /** More named periods above the standard list: those that the page is about. */
  firstHints?: readonly HintGroup[]
  /** More named periods below the standard list, such as payout periods. */
  extraHints?: readonly HintGroup[]
  width?: number
  /** Allows an empty range, which means any day. */
  optional?: boolean
}

/** Picks two days, or a named period. Shows at once if the range is invalid; the page decides what to do then. */
export function DateRangePicker(props: DateRangePickerProps) {
  const {
    label = 'Date range',
    value,
    onChange,
    firstHints = [],
    extraHints = [],
    width = 236,
    optional = false,
  } = props
  const { start, end } = value
  const today = useToday()
  const standard = {
    ...(firstHints.length > 0 && { heading: 'Other periods' }),
    hints: dateHints(today),
  }
  const groups = [...firstHints, standard, ...extraHints]
  const valid = isValidRange(value) || (optional && !start && !end)
  const hint = matchingHint(
    value,
    groups.flatMap(({ hints }) => hints),
  )
  const text = [start, end].map((day) => day || '…').join(' – ')

  return (
    <DateField
      // Leaves out a hint that is named by its days, which the field shows anyway.
      label={hint && hint.label !== text ? `${label}: ${hint.label}` : label}
      text={start || end ? text : ''}
      words={isValidRange(value) ? rangeInShort(value, today) : undefined}
      placeholder={optional ? 'Any day' : 'Choose dates'}
      error={valid ? undefined : INVALID_RANGE_MESSAGE}
      width={width}
    >
      {(close) => (
        <>
          <HintList
            groups={groups}
            value={value}
            onChoose={(chosen) => {
              onChange({ start: chosen.start, end: chosen.end })
              close()
            }}
          />
          <div>
            <DayInput label="Start" day={start} onChange={(day) => onChange({ start: day, end })} />
            <Calendar
              label="Start"
              range={value}
              focus={dayOrNull(start)}
              max={dayOrNull(end) ?? undefined}
              onPick={(day) => onChange({ start: day, end })}
            />
          </div>
          <div>
            <DayInput label="End" day={end} onChange={(day) => onChange({ start, end: day })} />
            <Calendar
              label="End"
              range={value}
              focus={dayOrNull(end)}
              min={dayOrNull(start) ?? undefined}
              onPick={(day) => onChange({ start, end: day })}
            />
          </div>
          {!valid && (
            <div className={classes.invalid} role="alert">
              {INVALID_RANGE_MESSAGE}
            </div>
          )}
        </>
      )}
    </DateField>
  )
}

interface DayInputProps {
  label: string
  day: string | null | undefined
  onChange: (day: string | null) => void
}

/** A day typed as YYYY-MM-DD. The value is null while the text is not a day. */
function DayInput({ label, day, onChange }: DayInputProps) {
  const [draft, setDraft] = useState<{ text: string; for: typeof day } | null>(null)
  const text = draft && draft.for === day ? draft.text : (day ?? '')
  return (
    <TextInput
      label={label}
      placeholder="YYYY-MM-DD"
      mb={8}
      value={text}
      error={text !== '' && !isDay(text)}
      onChange={({ currentTarget: { value } }) => {
        const next = isDay(value) ? value : null
        setDraft({ text: value, for: next })
        onChange(next)
      }}
    />
  )
}

const dayOrNull = (text: string | null | undefined) => (isDay(text) ? text : null)
