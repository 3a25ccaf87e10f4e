import { type DateRange, matchingHint, type MaybeRange } from '@tallyroom/domain/periods'
import type { HintGroup } from '../../ui/dates/HintList.tsx'
import { Select } from '../../ui/Select.tsx'

interface PeriodSelectProps {
  groups: readonly HintGroup[]
  value: MaybeRange
  onChange: (period: DateRange) => void
}

/** Selects a payout period by name. Shows the period that equals `value`, or none. */
export function PeriodSelect({ groups, value, onChange }: PeriodSelectProps) {
  const hints = groups.flatMap((group) => group.hints)
  return (
    <Select
      label="Period"
      placeholder="Choose payout period"
      w={216}
      // Fits its placeholder.
      miw={208}
      maw="100%"
      searchable
      data={groups.map(({ heading = '', hints: items }) => ({
        group: heading,
        items: items.map(({ label }) => label),
      }))}
      value={matchingHint(value, hints)?.label ?? null}
      onChange={(chosen) => {
        const hint = hints.find((candidate) => candidate.label === chosen)
        if (hint) onChange({ start: hint.start, end: hint.end })
      }}
    />
  )
}
