import { notFoundText } from '@tallyroom/contract/errors'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { can } from '@tallyroom/domain/abilities'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import {
  agentMenu,
  askToChangeAgents,
  askToDeleteAgent,
} from '../../people/agents/agent-actions.ts'
import { AgentStatus } from '../../people/agents/agent-columns.tsx'
import { refreshAgents } from '../../people/agents/agents.api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/forms/use-enter-as.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import { ObjectPage, useObject } from './ObjectPage.tsx'

const route = getRouteApi('/app/agents/$agentId')

const tabs = [
  '/app/agents/$agentId',
  '/app/agents/$agentId/sales',
  '/app/agents/$agentId/clicks',
  '/app/agents/$agentId/links',
  '/app/agents/$agentId/sites',
  '/app/agents/$agentId/sign-ins',
  '/app/agents/$agentId/statements',
  '/app/agents/$agentId/history',
] as const

/** Offices must not see what their agents are paid. */
const withoutPay = tabs.filter((tab) => tab !== '/app/agents/$agentId/statements')

/** An agent's page, for staff, the agent's office and the agent. */
export function AgentPage() {
  const me = useMe()
  const params = route.useParams()
  const isStranger = me.role === 'agent' && String(me.agentId) !== params.agentId
  if (me.role === 'agent' && !isStranger)
    return <ObjectPage name={me.username} facts={me.officeName} tabs={tabs} params={params} />
  return <AnyAgentPage isStranger={isStranger} params={params} />
}

interface AnyAgentPageProps {
  /** The viewer is another agent. */
  isStranger: boolean
  params: { agentId: string }
}

function AnyAgentPage({ isStranger, params }: AnyAgentPageProps) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const enterAs = useEnterAs()
  const { query, refresh } = useObject({
    key: ['agent', params.agentId],
    read: ({ signal }) => {
      if (isStranger) throw new ApiError('NOT_FOUND', notFoundText('agent'))
      return call(agentsEndpoints.agent, { params: { id: params.agentId } }, { signal })
    },
    refreshLists: refreshAgents,
  })
  const back = can(me, 'agents.view')
    ? ({ to: '/app/agents', label: 'Agents' } as const)
    : ({ to: LANDING, label: 'Home' } as const)
  return (
    <FormLoader query={query} fields={2} back={back}>
      {(agent) => (
        <ObjectPage
          name={agent.username}
          facts={
            <>
              <span>{`${agent.firstName} ${agent.lastName}`.trim()}</span>
              {can(me, 'offices.choose') && (
                <OfficeLink id={agent.officeId}>{agent.officeName}</OfficeLink>
              )}
              <AgentStatus agent={agent} />
            </>
          }
          actions={{
            edit: { to: '/app/agents/edit/$agentId', params },
            menu: agentMenu(agent, {
              viewer: me,
              onAction: (action) =>
                void askToChangeAgents(action, {
                  ids: [agent.id],
                  whose: agent.username,
                  refresh,
                }),
              onDelete: () =>
                void askToDeleteAgent(
                  agent,
                  () => refreshAgents(client),
                  () => void navigate({ to: '/app/agents' }),
                ),
              onSignInAs: () => enterAs({ agentId: agent.id }),
              refresh,
            }),
          }}
          tabs={me.role === 'company' ? withoutPay : tabs}
          params={params}
        />
      )}
    </FormLoader>
  )
}
