import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { ChoiceFilter } from '../../ui/list/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { StatusFilter } from '../../ui/list/StatusFilter.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { SitesCriteria } from './sites-search.ts'

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
      <TextFilter
        label="Site name"
        maxLength={128}
        value={draft.sitename}
        onChange={(sitename) => change({ sitename })}
      />
      <ChoiceFilter
        label="Site type"
        options={SITE_CATEGORIES}
        value={draft.type}
        onChange={(type) => change({ type })}
      />
      <StatusFilter value={draft.status} onChange={(status) => change({ status })} />
    </CriteriaRow>
  )
}
