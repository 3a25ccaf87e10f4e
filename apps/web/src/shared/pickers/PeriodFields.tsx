import { payoutBeWeekHints, payoutWeekHints, type MaybeRange } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { PeriodSelect } from './PeriodSelect.tsx'

interface PeriodFieldsProps {
  draft: MaybeRange
  onChange: (range: MaybeRange) => void
}

/** Filters a log by payout period or by single days. Without days, the log is not filtered. */
export function PeriodFields({ draft, onChange }: PeriodFieldsProps) {
  const today = useToday()
  return (
    <>
      <PeriodSelect
        groups={[
          { heading: 'Half-months', hints: payoutBeWeekHints(today) },
          { heading: 'Weeks', hints: payoutWeekHints(today) },
        ]}
        value={draft}
        onChange={onChange}
      />
      <DateRangePicker optional width={206} value={draft} onChange={onChange} />
    </>
  )
}
