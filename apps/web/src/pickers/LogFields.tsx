import { can } from '@tallyroom/domain/abilities'
import { payoutBeWeekHints, payoutWeekHints } from '@tallyroom/domain/periods'
import { useToday } from '../lib/clock.ts'
import { useMe } from '../lib/session.ts'
import { DateRangePicker } from '../ui/dates/DateRangePicker.tsx'
import { AgentSelect } from './AgentSelect.tsx'
import type { LogDraft } from './log-criteria.ts'
import { OfficeSelect } from './OfficeSelect.tsx'
import { PeriodSelect } from './PeriodSelect.tsx'
import { SiteSelect } from './SiteSelect.tsx'

interface LogFieldsProps {
  draft: LogDraft
  onChange: (part: LogDraft) => void
}

/** The fields that all logs of selling have in common, each for those who may choose by it. */
export function LogFields({ draft, onChange }: LogFieldsProps) {
  const me = useMe()
  const today = useToday()
  const range = { start: draft.start, end: draft.end }
  return (
    <>
      {can(me, 'offices.choose') && (
        <OfficeSelect
          width={144}
          value={draft.companyId}
          onChange={(companyId) => onChange({ companyId })}
        />
      )}
      {can(me, 'agents.choose') && (
        <AgentSelect
          width={144}
          companyId={draft.companyId}
          agentsQuery="all"
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
        />
      )}
      <SiteSelect
        withSuspended
        width={144}
        value={draft.siteId}
        onChange={(siteId) => onChange({ siteId })}
      />
      <PeriodSelect
        hints={[...payoutBeWeekHints(today), ...payoutWeekHints(today)]}
        value={range}
        onChange={({ start, end }) => onChange({ start, end })}
      />
      <DateRangePicker
        optional
        width={206}
        value={range}
        onChange={({ start, end }) => onChange({ start, end })}
      />
    </>
  )
}
