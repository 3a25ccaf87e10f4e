import {
  criteriaOfDraft,
  NO_LOG_CRITERIA,
  type LogCriteria,
  type LogDraft,
} from '../../pickers/log-criteria.ts'
import { LogFields } from '../../pickers/LogFields.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'

interface ChatLogFiltersProps {
  applied: LogCriteria
  onSearch: (criteria: LogCriteria) => void
  onClear: () => void
}

export function ChatLogFilters({ applied, onSearch, onClear }: ChatLogFiltersProps) {
  const [draft, change] = useDraft<LogDraft>(applied)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch(criteria)
      }}
      onClear={() => {
        change(NO_LOG_CRITERIA)
        onClear()
      }}
    >
      <LogFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
