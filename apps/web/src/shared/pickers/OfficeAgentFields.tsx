import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from './AgentSelect.tsx'
import { OfficeSelect } from './OfficeSelect.tsx'
import { useWithin } from '../within.ts'

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

/** The filters by office and agent, if the viewer may use them and the page leaves a choice. */
export function OfficeAgentFields(props: OfficeAgentFieldsProps) {
  const { draft, onChange, agentsQuery = 'all', width } = props
  const me = useMe()
  const within = useWithin()
  const isAgents = within.agentId !== undefined
  const size = width === undefined ? {} : { width }
  return (
    <>
      {can(me, 'offices.choose') && !isAgents && within.companyId === undefined && (
        <OfficeSelect
          {...size}
          value={draft.companyId}
          onChange={(companyId) => onChange({ companyId })}
        />
      )}
      {can(me, 'agents.choose') && !isAgents && (
        <AgentSelect
          {...size}
          companyId={within.companyId ?? draft.companyId}
          agentsQuery={agentsQuery}
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
        />
      )}
    </>
  )
}
