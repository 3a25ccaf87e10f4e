import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../shared/OfficeSelect.tsx'
import { useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { StatusFilter } from '../../ui/list/StatusFilter.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { type Filtering, useDraft } from '../../ui/list/use-draft.ts'
import type { AgentsCriteria } from './agents-search.ts'
import { officeNameQuery } from './agents.api.ts'

export function AgentFilters({ applied, onSearch, onClear }: Filtering<AgentsCriteria>) {
  const me = useMe()
  const within = useWithin()
  const [draft, change, clear] = useDraft(applied, onClear)
  return (
    <CriteriaRow
      onSearch={() => onSearch({ ...draft, username: draft.username?.trim() || undefined })}
      onClear={clear}
    >
      <TextFilter
        label="Name or email"
        maxLength={100}
        value={draft.username}
        onChange={(username) => change({ username })}
      />
      {can(me, 'offices.choose') && within.companyId === undefined && (
        <OfficeFilter value={draft.companyId} onChange={(companyId) => change({ companyId })} />
      )}
      <StatusFilter value={draft.status} onChange={(status) => change({ status })} />
    </CriteriaRow>
  )
}

interface OfficeFilterProps {
  value: number | undefined
  onChange: (companyId: number | undefined) => void
}

/** Filters a list by office. A hidden office is not offered, but is shown when the URL names it. */
function OfficeFilter({ value, onChange }: OfficeFilterProps) {
  const named = useQuery({ ...officeNameQuery(value ?? 0), enabled: value !== undefined })
  return (
    <OfficeSelect
      value={value}
      onChange={onChange}
      {...(value !== undefined && {
        present: { id: value, label: named.data ?? `Office ${value}` },
      })}
    />
  )
}
