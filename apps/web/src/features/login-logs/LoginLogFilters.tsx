import { TextInput } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import {
  isValidRange,
  payoutBeWeekHints,
  payoutWeekHints,
  type MaybeRange,
} from '@tallyroom/domain/periods'
import type { ReactNode } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from '../../pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { PeriodSelect } from '../../pickers/PeriodSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
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
  const me = useMe()
  const today = useToday()
  const [draft, change] = useDraft<Draft>(applied)
  const { start, end, ...others } = draft
  const range = { start, end }
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = { ...others, ip: others.ip?.trim() || undefined }
        if (isValidRange(range)) onSearch({ ...criteria, ...range })
        else if (!start && !end) onSearch(criteria)
      }}
      onClear={() => {
        change(NOTHING)
        onClear()
      }}
    >
      {can(me, 'offices.choose') && (
        <OfficeSelect value={draft.companyId} onChange={(companyId) => change({ companyId })} />
      )}
      {can(me, 'agents.choose') && (
        <AgentSelect
          companyId={draft.companyId}
          agentsQuery="all"
          value={draft.agentId}
          onChange={(agentId) => change({ agentId })}
        />
      )}
      {showIp && (
        <TextInput
          label="IP address"
          w={150}
          maw="100%"
          maxLength={64}
          value={draft.ip ?? ''}
          error={draft.ip === applied.ip && ipError}
          onChange={({ currentTarget }) => change({ ip: currentTarget.value })}
        />
      )}
      <PeriodSelect
        hints={[...payoutBeWeekHints(today), ...payoutWeekHints(today)]}
        value={range}
        onChange={(period) => change({ start: period.start, end: period.end })}
      />
      <DateRangePicker
        optional
        width={206}
        value={range}
        onChange={(days) => change({ start: days.start, end: days.end })}
      />
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
