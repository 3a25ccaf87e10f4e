import { isDay } from '@tallyroom/domain/new-york'
import {
  endWeekHints,
  startWeekHints,
  weekHints,
  INVALID_RANGE_MESSAGE,
  isValidRange,
  periodOf,
  type MaybeRange,
} from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { PeriodPicker } from './PeriodPicker.tsx'

interface WeekRangePickerProps {
  /** From the first week's Monday to the last week's Sunday. */
  value: MaybeRange
  onChange: (range: MaybeRange) => void
}

/** Picks a range of whole weeks. Neither field offers a week beyond the other. */
export function WeekRangePicker({ value, onChange }: WeekRangePickerProps) {
  const hints = weekHints(useToday())
  const { start, end } = value
  const error = isValidRange(value) ? undefined : INVALID_RANGE_MESSAGE
  return (
    <>
      <PeriodPicker
        label="Period Start"
        periodLength="week"
        value={isDay(start) ? periodOf(start, 'week') : {}}
        onChange={(week) => onChange({ ...value, start: week.start })}
        hints={isDay(end) ? startWeekHints(hints, end) : hints}
        max={isDay(end) ? end : undefined}
        error={error}
      />
      <PeriodPicker
        label="Period End"
        periodLength="week"
        value={isDay(end) ? periodOf(end, 'week') : {}}
        onChange={(week) => onChange({ ...value, end: week.end })}
        hints={isDay(start) ? endWeekHints(hints, start) : hints}
        min={isDay(start) ? start : undefined}
        error={error}
      />
    </>
  )
}
