import '@mantine/dates/styles.layer.css'
import { DatePicker } from '@mantine/dates'
import type { Day } from '@tallyroom/domain/new-york'
import { pickableDays, type MaybeRange } from '@tallyroom/domain/periods'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import classes from './dates.module.css'

export interface RangeCalendarProps {
  label: string
  /** The highlighted days. */
  range: MaybeRange
  /** The calendar shows this day's month. */
  focus: string | null | undefined
  onPick: (day: Day) => void
  /** Days before `min` and after `max` can't be picked, nor days more than ten years away. */
  min?: Day | undefined
  max?: Day | undefined
}

/** A month of New York days with a highlighted range. */
export default function RangeCalendar(props: RangeCalendarProps) {
  const { label, range, focus, onPick, min, max } = props
  const today = useToday()
  const [month, setMonth] = useShownMonth(focus ?? today)
  const pickable = pickableDays(today)
  const { start, end } = range
  return (
    <DatePicker
      aria-label={label}
      size="sm"
      weekendDays={[]}
      ariaLabels={CONTROLS}
      value={null}
      onChange={(day) => day && onPick(day)}
      date={month}
      onDateChange={setMonth}
      minDate={later(min, pickable.start)}
      maxDate={earlier(max, pickable.end)}
      getDayProps={(day) => ({
        inRange: Boolean(start && end && start < day && day < end),
        firstInRange: day === start && start !== end,
        lastInRange: day === end && start !== end,
        selected: day === start || day === end,
        // The browser's day may differ from New York's.
        'data-new-york-today': day === today || undefined,
        className: classes.day,
      })}
    />
  )
}

const CONTROLS = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
}

/** The visible month. The user can page freely; it follows the value when that changes. */
function useShownMonth(focus: Day) {
  const [shown, setShown] = useState({ focus, month: focus })
  const current = shown.focus === focus ? shown : { focus, month: focus }
  return [current.month, (month: Day) => setShown({ focus, month })] as const
}

const later = (a: Day | undefined, b: Day) => (a && a > b ? a : b)
const earlier = (a: Day | undefined, b: Day) => (a && a < b ? a : b)
