import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../lib/session.ts'
import { AgentSelect } from './AgentSelect.tsx'
import { OfficeSelect } from './OfficeSelect.tsx'

interface Whose {
  companyId?: number | undefined
  agentId?: number | undefined
}

interface OfficeAgentFieldsProps {
  draft: Whose
  onChange: (part: Whose) => void
  agentsQuery?: 'all' | 'onlyAvailablePlusSuspended'
  /** Of each field, in pixels. */
  width?: number
}

/** The filters by office and agent, as far as the viewer may use them. */
export function OfficeAgentFields(props: OfficeAgentFieldsProps) {
  const { draft, onChange, agentsQuery = 'all', width } = props
  const me = useMe()
  const size = width === undefined ? {} : { width }
  return (
    <>
      {can(me, 'offices.choose') && (
        <OfficeSelect
          {...size}
          value={draft.companyId}
          onChange={(companyId) => onChange({ companyId })}
        />
      )}
      {can(me, 'agents.choose') && (
        <AgentSelect
          {...size}
          companyId={draft.companyId}
          agentsQuery={agentsQuery}
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
        />
      )}
    </>
  )
}
