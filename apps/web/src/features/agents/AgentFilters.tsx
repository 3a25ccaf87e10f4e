import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { StatusFilter } from '../../ui/list/StatusFilter.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { AgentsCriteria } from './agents-search.ts'
import { OfficeFilter } from './OfficeFilter.tsx'

interface AgentFiltersProps {
  applied: AgentsCriteria
  onSearch: (criteria: AgentsCriteria) => void
  onClear: () => void
}

export function AgentFilters({ applied, onSearch, onClear }: AgentFiltersProps) {
  const me = useMe()
  const [draft, change] = useDraft(applied)
  return (
    <CriteriaRow
      onSearch={() => onSearch({ ...draft, username: draft.username?.trim() || undefined })}
      onClear={() => {
        change({ username: undefined, companyId: undefined, status: undefined })
        onClear()
      }}
    >
      <TextFilter
        label="Name or email"
        maxLength={100}
        value={draft.username}
        onChange={(username) => change({ username })}
      />
      {can(me, 'offices.choose') && (
        <OfficeFilter value={draft.companyId} onChange={(companyId) => change({ companyId })} />
      )}
      <StatusFilter value={draft.status} onChange={(status) => change({ status })} />
    </CriteriaRow>
  )
}
