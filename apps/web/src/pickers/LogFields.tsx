import type { LogDraft } from './log-criteria.ts'
import { OfficeAgentFields } from './OfficeAgentFields.tsx'
import { PeriodFields } from './PeriodFields.tsx'
import { SiteSelect } from './SiteSelect.tsx'

interface LogFieldsProps {
  draft: LogDraft
  onChange: (part: LogDraft) => void
}

/** The fields that all logs of selling have in common, each for those who may choose by it. */
export function LogFields({ draft, onChange }: LogFieldsProps) {
  return (
    <>
      <OfficeAgentFields width={144} draft={draft} onChange={onChange} />
      <SiteSelect
        withSuspended
        width={144}
        value={draft.siteId}
        onChange={(siteId) => onChange({ siteId })}
      />
      <PeriodFields draft={draft} onChange={onChange} />
    </>
  )
}
