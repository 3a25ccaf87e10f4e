import { matchingHint, type MaybeRange, type PeriodHint } from '@tallyroom/domain/periods'
import { Select } from '../ui/floating/Select.tsx'

interface PeriodSelectProps {
  hints: readonly PeriodHint[]
  value: MaybeRange
  onChange: (period: PeriodHint) => void
  label?: string
  placeholder?: string
}

/** A period by its name; shows the one of exactly the given days, or none. */
export function PeriodSelect(props: PeriodSelectProps) {
  const { hints, value, onChange, label = 'Period', placeholder = 'Choose payout period' } = props
  return (
    <Select
      label={label}
      placeholder={placeholder}
      w={200}
      // As wide as its placeholder.
      miw={178}
      maw="100%"
      searchable
      allowDeselect={false}
      data={hints.map((hint) => hint.label)}
      value={matchingHint(value, hints)?.label ?? null}
      onChange={(chosen) => {
        const hint = hints.find((candidate) => candidate.label === chosen)
        if (hint) onChange(hint)
      }}
    />
  )
}
