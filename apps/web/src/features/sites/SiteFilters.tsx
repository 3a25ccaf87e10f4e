import { Select, TextInput } from '@mantine/core'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { SitesCriteria, StatusFilter } from './sites-search.ts'

interface SiteFiltersProps {
  applied: SitesCriteria
  onSearch: (criteria: SitesCriteria) => void
  onClear: () => void
}

export function SiteFilters({ applied, onSearch, onClear }: SiteFiltersProps) {
  const [draft, change] = useDraft(applied)
  return (
    <CriteriaRow
      onSearch={() => onSearch({ ...draft, sitename: draft.sitename?.trim() || undefined })}
      onClear={() => {
        change({ sitename: undefined, type: undefined, status: undefined })
        onClear()
      }}
    >
      <TextInput
        label="Site name"
        maxLength={128}
        value={draft.sitename ?? ''}
        onChange={({ currentTarget }) => change({ sitename: currentTarget.value })}
      />
      <Select
        label="Site type"
        placeholder="All"
        w={140}
        maw="100%"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Site type' }}
        data={[...SITE_CATEGORIES]}
        value={draft.type ?? null}
        onChange={(type) => change({ type: type ?? undefined })}
      />
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
