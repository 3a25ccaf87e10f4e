import type { MaybeRange, PeriodHint } from '@tallyroom/domain/periods'
import { DateRangePicker } from '../ui/dates/DateRangePicker.tsx'
import { PeriodSelect } from './PeriodSelect.tsx'

interface PeriodFieldsProps {
  /** Periods to choose by name. */
  hints: readonly PeriodHint[]
  draft: MaybeRange
  onChange: (range: MaybeRange) => void
  placeholder?: string
}

/** The days of a log, by the name of a period or one by one; no days mean any. */
export function PeriodFields({ hints, draft, onChange, placeholder }: PeriodFieldsProps) {
  const range = { start: draft.start, end: draft.end }
  return (
    <>
      <PeriodSelect
        hints={hints}
        value={range}
        onChange={({ start, end }) => onChange({ start, end })}
        {...(placeholder !== undefined && { placeholder })}
      />
      <DateRangePicker
        optional
        width={206}
        value={range}
        onChange={({ start, end }) => onChange({ start, end })}
      />
    </>
  )
}
