import type { Day } from '@tallyroom/domain/new-york'
import type { ReactNode } from 'react'
import { Calendar, DateField } from './DateField.tsx'

interface DayPickerProps {
  label: string
  value: Day | null
  onChange: (day: Day) => void
  min?: Day
  max?: Day
  error?: ReactNode
}

/** One New York day. */
export const DayPicker = ({ label, value, onChange, min, max, error }: DayPickerProps) => (
  <DateField label={label} text={value ?? ''} placeholder="Choose a day" error={error} width={150}>
    {(close) => (
      <Calendar
        label={label}
        range={{ start: value, end: value }}
        focus={value}
        min={min}
        max={max}
        onPick={(day) => {
          onChange(day)
          close()
        }}
      />
    )}
  </DateField>
)
