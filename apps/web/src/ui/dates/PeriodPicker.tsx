import type { Day } from '@tallyroom/domain/new-york'
import {
  isValidRange,
  periodOf,
  rangeInShort,
  type DateRange,
  type MaybeRange,
  type PeriodHint,
} from '@tallyroom/domain/periods'
import type { ReactNode } from 'react'
import { useToday } from '../../lib/clock.ts'
import { Calendar, DateField } from './DateField.tsx'
import { HintList } from './HintList.tsx'

export interface PeriodPickerProps {
  label: string
  periodLength: 'week' | 'beWeek'
  /** The period's first and last day. */
  value: MaybeRange
  onChange: (period: DateRange) => void
  hints: readonly PeriodHint[]
  /** Days outside can't be picked. */
  min?: Day | undefined
  max?: Day | undefined
  error?: ReactNode
}

/** Picks a whole week or half-month by any of its days. */
export function PeriodPicker(props: PeriodPickerProps) {
  const today = useToday()
  const { label, periodLength, value, onChange, hints, min, max, error } = props
  return (
    <DateField
      label={label}
      text={value.start && value.end ? `${value.start} – ${value.end}` : ''}
      words={isValidRange(value) ? rangeInShort(value, today) : undefined}
      placeholder="Choose a period"
      error={error}
    >
      {(close) => {
        const choose = ({ start, end }: DateRange) => {
          onChange({ start, end })
          close()
        }
        return (
          <>
            <HintList groups={[{ hints }]} value={value} onChoose={choose} />
            <Calendar
              label={label}
              range={value}
              focus={value.start}
              min={min}
              max={max}
              onPick={(day) => choose(periodOf(day, periodLength))}
            />
          </>
        )
      }}
    </DateField>
  )
}
