import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Agent, agentsEndpoints } from '@tallyroom/contract/people/agents'
import { agentLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import type { EntityOption } from '../../ui/EntitySelect.tsx'
import { type FirstPasswordValues, firstPasswordOf } from '../invitations/first-password.ts'
import { fieldsOf, noPassword } from '../../ui/form/fields-of.ts'

/** The fields of the agent form. */
export type AgentValues = typeof newAgentFields & {
  /** Null for viewers who can't choose an office. */
  officeId: number | null
  /** The enabled sites. Null means all sites of the office. */
  siteIds: number[] | null
}

/** How a new agent gets a password. */
const typedPassword: Pick<FirstPasswordValues, 'way'> = { way: 'typed' }

const newAgentFields = {
  firstName: '',
  lastName: '',
  username: '',
  email: '',
  ...noPassword,
  ...typedPassword,
  mustRead: '',
  active: true,
  hidden: false,
  loginBlocked: false,
}

export const newAgentValues: AgentValues = { ...newAgentFields, officeId: null, siteIds: null }

export const agentValues = (agent: Agent): AgentValues =>
  fieldsOf<AgentValues>(newAgentValues, {
    ...agent,
    ...noPassword,
    ...typedPassword,
    siteIds: agent.sites.filter(({ enable }) => enable).map(({ siteId }) => siteId),
  })

export const newAgentOf = ({
  siteIds,
  way,
  password,
  passwordConfirm,
  ...values
}: AgentValues): BodyOf<typeof agentsEndpoints.createAgent> => ({
  ...values,
  ...firstPasswordOf({ way, password, passwordConfirm }),
  ...(siteIds && { siteIds }),
})

interface SavedAgent {
  /** The sites on screen. Others stay unchanged. */
  offered: readonly EntityOption[]
  version: number | undefined
}

export const agentChangeOf = (
  { username: _fixed, way: _new, siteIds, ...values }: AgentValues,
  { offered, version }: SavedAgent,
): BodyOf<typeof agentsEndpoints.updateAgent> => ({
  ...values,
  sites: offered.map(({ id }) => ({ siteId: id, enable: siteIds?.includes(id) ?? true })),
  version,
})

/** Field names for messages. */
export const agentFormLabels = {
  ...agentLabels,
  ...passwordLabels,
  way: 'First password',
} satisfies Record<keyof AgentValues, string>
