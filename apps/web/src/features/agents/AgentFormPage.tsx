import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { AgentCreateForm } from './AgentCreateForm.tsx'
import { AgentEditForm } from './AgentEditForm.tsx'
import { agentFormQuery } from './agents.api.ts'

const createRoute = getRouteApi('/app/agents/create')
const editRoute = getRouteApi('/app/agents/edit/$agentId')

export function CreateAgentPage() {
  const { companyId } = createRoute.useSearch()
  return <AgentCreateForm officeId={companyId} />
}

export function EditAgentPage() {
  const { agentId } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(agentFormQuery(agentId))}
      fields={9}
      back={{ to: '/app/agents', label: 'Agents' }}
    >
      {(agent) => <AgentEditForm key={agentId} agent={agent} />}
    </FormLoader>
  )
}
