import type { LogDraft } from './log-criteria.ts'
import { OfficeAgentFields } from './OfficeAgentFields.tsx'
import { PeriodFields } from './PeriodFields.tsx'
import { SiteSelect } from './SiteSelect.tsx'

interface LogFieldsProps {
  draft: LogDraft
  onChange: (part: LogDraft) => void
}

/** The filters that chat, click and sale logs share, as far as the viewer may use them. */
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
