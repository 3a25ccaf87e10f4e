import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { nameOf, OPTIONS_STALE_MS, type PickerProps } from './picker.ts'
import { useDropUnavailable } from './use-drop-unavailable.ts'

interface AgentSelectProps extends PickerProps {
  /** The office whose agents are offered. Undefined means all offices. */
  companyId?: number | undefined
  agentsQuery?: 'all' | 'onlyAvailable' | 'onlyAvailablePlusSuspended'
}

export function AgentSelect({
  companyId,
  agentsQuery = 'onlyAvailable',
  ...props
}: AgentSelectProps) {
  const agents = useQuery({
    ...queryOf(officesEndpoints.companyAgents, {
      query: { agentsQuery, ...(companyId === undefined ? {} : { companyId: String(companyId) }) },
    }),
    staleTime: OPTIONS_STALE_MS,
    select: (items) =>
      items.map(({ id, username, active }) => ({ id, label: nameOf(username, active) })),
  })
  useDropUnavailable(props.value, agents.data, props.onChange)
  return (
    <EntitySelect
      label="Agent"
      all="All agents"
      error={agents.error?.message}
      {...props}
      options={agents.data}
    />
  )
}
