import type { StatsCriteria } from '@tallyroom/contract/figures/stats-table'
import { INVALID_RANGE_MESSAGE, isValidRange } from '@tallyroom/domain/periods'
import { isFiltered } from '../../shared/within.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'

interface NoStatisticsProps {
  criteria: StatsCriteria
  onLoad: (criteria: StatsCriteria) => void
}

/** Shown in a report without rows. */
export function NoStatistics({ criteria, onLoad }: NoStatisticsProps) {
  if (!isValidRange(criteria)) return INVALID_RANGE_MESSAGE
  const { groupBy, start, end, ...filters } = criteria
  return (
    <EmptyList
      text="No statistics for selected period"
      about="Only days with clicks or sales are listed. Choose other days to see theirs."
      onClear={isFiltered(filters) ? () => onLoad({ groupBy, start, end }) : undefined}
    />
  )
}
