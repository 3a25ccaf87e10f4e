import type { Day } from '@tallyroom/domain/new-york'
import type { MaybeRange } from '@tallyroom/domain/periods'
import { laterComponent } from '../../lib/later.ts'

export interface RangeCalendarProps {
  label: string
  /** Shaded on the calendar. */
  range: MaybeRange
  /** Which of its days this calendar is about: that month is shown. */
  focus: string | null | undefined
  onPick: (day: Day) => void
  /** Days before `min` and after `max` can't be picked; nor can years more than ten away. */
  min?: Day | undefined
  max?: Day | undefined
}

/** A month of New York days with a range drawn on it. */
export const RangeCalendar = laterComponent<RangeCalendarProps>(() =>
  import('./RangeCalendarNow.tsx').then(({ RangeCalendarNow }) => RangeCalendarNow),
)
