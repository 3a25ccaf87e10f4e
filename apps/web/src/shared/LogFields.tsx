import type { DraftOf } from '../ui/filters/use-filters.ts'
import type { LogCriteria } from './log-criteria.ts'
import { OfficeAgentFields } from './pickers/OfficeAgentFields.tsx'
import { PeriodFields } from './pickers/PeriodFields.tsx'
import { SiteSelect } from './pickers/SiteSelect.tsx'
import { useWithin } from './within.ts'

interface LogFieldsProps {
  draft: DraftOf<LogCriteria>
  onChange: (part: DraftOf<LogCriteria>) => void
}

/** The filters that chat, click and sale logs share, as far as the viewer may use them. */
export function LogFields({ draft, onChange }: LogFieldsProps) {
  const { siteId } = useWithin()
  return (
    <>
      <OfficeAgentFields width={144} draft={draft} onChange={onChange} />
      {siteId === undefined && (
        <SiteSelect
          withSuspended
          width={144}
          value={draft.siteId}
          onChange={(id) => onChange({ siteId: id })}
        />
      )}
      <PeriodFields draft={draft} onChange={onChange} />
    </>
  )
}
