import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { StatusFilter } from '../../ui/filters/StatusFilter.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import type { AgentsCriteria } from './agents-search.ts'
import { officeNameQuery } from './agents.api.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

export function AgentFilters(filtering: Filtering<AgentsCriteria>) {
  const me = useMe()
  const within = useWithin()
  const { field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <TextFilter label="Name or email" maxLength={100} {...field('username')} />
      {can(me, 'offices.choose') && within.companyId === undefined && (
        <OfficeFilter {...field('companyId')} />
      )}
      <StatusFilter {...field('status')} />
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
