import { sortFields } from '@tallyroom/contract/list-choices'
import type { AgentsSearch } from '@tallyroom/contract/agents'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { contains, equals } from '../../lib/criteria.ts'
import { searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'
import { searchStatus, statusEquals, type StatusChoice } from '../../ui/list/status-search.ts'

/** What the list keeps in the URL. */
export const agentsPageSearchSchema = z.object({
  ...listSearch(sortFields.agents),
  username: searchText(100),
  companyId: searchInt(1, MAX_ID),
  status: searchStatus,
})

export type AgentsPageSearch = z.output<typeof agentsPageSearchSchema>

/** What is missing filters nothing. */
export interface AgentsCriteria {
  /** Part of a name or e-mail. */
  username?: string | undefined
  companyId?: number | undefined
  status?: StatusChoice | undefined
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
  ...contains('text', username),
  ...equals('companyId', companyId),
  ...statusEquals(status),
]
