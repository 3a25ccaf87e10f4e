import { payoutBeWeekHints, type DateRange, type MaybeRange } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { PeriodPicker } from './PeriodPicker.tsx'

interface SemiMonthlyPickerProps {
  label?: string
  value: MaybeRange
  onChange: (period: DateRange) => void
}

/** The 1st to the 15th, or the 16th to the end of a month. */
export function SemiMonthlyPicker({
  label = 'Payout period',
  value,
  onChange,
}: SemiMonthlyPickerProps) {
  const hints = payoutBeWeekHints(useToday())
  return (
    <PeriodPicker
      label={label}
      periodLength="beWeek"
      value={value}
      onChange={onChange}
      hints={hints}
    />
  )
}
