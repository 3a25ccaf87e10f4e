import { payoutBeWeekHints, type DateRange, type MaybeRange } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { PeriodPicker } from './PeriodPicker.tsx'

interface SemiMonthlyPickerProps {
  value: MaybeRange
  onChange: (period: DateRange) => void
}

/** The 1st to the 15th, or the 16th to the end of a month. */
export function SemiMonthlyPicker({ value, onChange }: SemiMonthlyPickerProps) {
  const hints = payoutBeWeekHints(useToday())
  return (
    <PeriodPicker
      label="Payout period"
      periodLength="beWeek"
      value={value}
      onChange={onChange}
      hints={hints}
    />
  )
}
