import type { ReactNode } from 'react'
import { criteriaOfDraft, NO_LOG_CRITERIA, type LogDraft } from '../../pickers/log-criteria.ts'
import { LogFields } from '../../pickers/LogFields.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { ClickLogsCriteria } from './click-logs-search.ts'

interface ClickLogFiltersProps {
  applied: ClickLogsCriteria
  /** The brand shows addresses. */
  showIp: boolean
  /** What the server says of the address. */
  ipError: ReactNode
  onSearch: (criteria: ClickLogsCriteria) => void
  onClear: () => void
}

type Draft = LogDraft & { ip?: string | undefined }

export function ClickLogFilters(props: ClickLogFiltersProps) {
  const { applied, showIp, ipError, onSearch, onClear } = props
  const [draft, change] = useDraft<Draft>(applied)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch({ ...criteria, ip: criteria.ip?.trim() || undefined })
      }}
      onClear={() => {
        change({ ...NO_LOG_CRITERIA, ip: undefined })
        onClear()
      }}
    >
      {showIp && (
        <TextFilter
          label="IP address"
          width={140}
          maxLength={64}
          value={draft.ip}
          error={draft.ip === applied.ip && ipError}
          onChange={(ip) => change({ ip })}
        />
      )}
      <LogFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
