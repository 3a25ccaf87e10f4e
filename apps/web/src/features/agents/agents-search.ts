import type { AgentsSearch } from '@tallyroom/contract/agents'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const sortFields = [
  'username',
  'officeName',
  'regTime',
  'lastLoginTime',
  'loginCount',
  'status',
  'sitesCount',
] as const satisfies AgentsSearch['sortField'][]

const statuses = ['activated', 'suspended'] as const
export type StatusFilter = (typeof statuses)[number]

/** What the list keeps in the URL. */
export const agentsPageSearchSchema = z.object({
  ...listSearch(sortFields),
  username: searchText(100),
  companyId: searchInt(1, MAX_ID),
  status: searchChoice(statuses),
})

export type AgentsPageSearch = z.output<typeof agentsPageSearchSchema>

/** What is missing filters nothing. */
export interface AgentsCriteria {
  /** Part of a username. */
  username?: string | undefined
  companyId?: number | undefined
  status?: StatusFilter | undefined
}

/** The criteria that the URL names, as far as the viewer may choose them. */
export const criteriaOf = (
  { username, companyId, status }: AgentsPageSearch,
  viewer: AbilityHolder,
): AgentsCriteria => ({
  username,
  companyId: can(viewer, 'offices.choose') ? companyId : undefined,
  status,
})

/** As the wire takes them. */
export const wireCriteria = ({
  username,
  companyId,
  status,
}: AgentsCriteria): AgentsSearch['criteria'] => [
  ...(username
    ? [{ field: 'username' as const, operator: 'LIKE' as const, value: `%${username}%` }]
    : []),
  ...(companyId === undefined
    ? []
    : [{ field: 'companyId' as const, operator: '=' as const, value: companyId }]),
  ...(status
    ? [{ field: 'active' as const, operator: '=' as const, value: status === 'activated' }]
    : []),
]
