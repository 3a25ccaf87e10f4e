import { weekHints, type DateRange, type MaybeRange } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { PeriodPicker } from './PeriodPicker.tsx'

interface WeekPickerProps {
  value: MaybeRange
  onChange: (week: DateRange) => void
}

/** One week, Monday to Sunday. */
export function WeekPicker({ value, onChange }: WeekPickerProps) {
  const hints = weekHints(useToday())
  return (
    <PeriodPicker
      label="Period"
      periodLength="week"
      value={value}
      onChange={onChange}
      hints={hints}
    />
  )
}
