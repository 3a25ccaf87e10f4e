import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Agent, agentsEndpoints } from '@tallyroom/contract/people/agents'
import { agentLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import type { EntityOption } from '../../ui/EntitySelect.tsx'

/** The fields of the agent form. */
export type AgentValues = {
  /** Null for viewers who can't choose an office. */
  officeId: number | null
  firstName: string
  lastName: string
  username: string
  password: string
  passwordConfirm: string
  mustRead: string
  active: boolean
  hidden: boolean
  loginBlocked: boolean
  /** The enabled sites. Null means all sites of the office. */
  siteIds: number[] | null
}

export const newAgentValues: AgentValues = {
  officeId: null,
  firstName: '',
  lastName: '',
  username: '',
  password: '',
  passwordConfirm: '',
  mustRead: '',
  active: true,
  hidden: false,
  loginBlocked: false,
  siteIds: null,
}

export const agentValues = (agent: Agent): AgentValues => ({
  officeId: agent.officeId,
  firstName: agent.firstName,
  lastName: agent.lastName,
  username: agent.username,
  password: '',
  passwordConfirm: '',
  mustRead: agent.mustRead,
  active: agent.active,
  hidden: agent.hidden,
  loginBlocked: agent.loginBlocked,
  siteIds: agent.sites.filter(({ enable }) => enable).map(({ siteId }) => siteId),
})

export const newAgentOf = ({
  siteIds,
  ...values
}: AgentValues): BodyOf<typeof agentsEndpoints.createAgent> => ({
  ...values,
  ...(siteIds && { siteIds }),
})

interface SavedAgent {
  /** The sites on screen. Others stay unchanged. */
  offered: readonly EntityOption[]
  version: number | undefined
}

export const agentChangeOf = (
  { username: _fixed, siteIds, ...values }: AgentValues,
  { offered, version }: SavedAgent,
): BodyOf<typeof agentsEndpoints.updateAgent> => ({
  ...values,
  sites: offered.map(({ id }) => ({ siteId: id, enable: siteIds?.includes(id) ?? true })),
  version,
})

/** Field names for messages. */
export const agentFormLabels = { ...agentLabels, ...passwordLabels } satisfies Record<
  keyof AgentValues,
  string
>
