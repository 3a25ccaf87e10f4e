import type { MaybeRange } from '@tallyroom/domain/periods'
import type { ReactNode } from 'react'
import { criteriaOfDraft } from '../../pickers/log-criteria.ts'
import { OfficeAgentFields } from '../../pickers/OfficeAgentFields.tsx'
import { PeriodFields } from '../../pickers/PeriodFields.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { LoginLogsCriteria } from './login-logs-search.ts'

interface LoginLogFiltersProps {
  applied: LoginLogsCriteria
  /** The brand shows addresses. */
  showIp: boolean
  /** What the server says of the address. */
  ipError: ReactNode
  onSearch: (criteria: LoginLogsCriteria) => void
  onClear: () => void
}

type Draft = Omit<LoginLogsCriteria, 'start' | 'end'> & MaybeRange

export function LoginLogFilters(props: LoginLogFiltersProps) {
  const { applied, showIp, ipError, onSearch, onClear } = props
  const [draft, change] = useDraft<Draft>(applied)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch({ ...criteria, ip: criteria.ip?.trim() || undefined })
      }}
      onClear={() => {
        change(NOTHING)
        onClear()
      }}
    >
      <OfficeAgentFields draft={draft} onChange={change} />
      {showIp && (
        <TextFilter
          label="IP address"
          width={150}
          maxLength={64}
          value={draft.ip}
          error={draft.ip === applied.ip && ipError}
          onChange={(ip) => change({ ip })}
        />
      )}
      <PeriodFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}

const NOTHING: Draft = {
  companyId: undefined,
  agentId: undefined,
  ip: undefined,
  start: undefined,
  end: undefined,
}
