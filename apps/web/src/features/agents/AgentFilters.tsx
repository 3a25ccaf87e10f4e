import { Select, TextInput } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { AgentsCriteria, StatusFilter } from './agents-search.ts'
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
      <TextInput
        label="Username"
        maxLength={100}
        value={draft.username ?? ''}
        onChange={({ currentTarget }) => change({ username: currentTarget.value })}
      />
      {can(me, 'offices.choose') && (
        <OfficeFilter value={draft.companyId} onChange={(companyId) => change({ companyId })} />
      )}
      <Select
        label="Status"
        placeholder="All"
        w={140}
        maw="100%"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Status' }}
        data={statusOptions}
        value={draft.status ?? null}
        onChange={(status) => change({ status: status ?? undefined })}
      />
    </CriteriaRow>
  )
}

const statusOptions: { value: StatusFilter; label: string }[] = [
  { value: 'activated', label: 'Activated' },
  { value: 'suspended', label: 'Suspended' },
]
