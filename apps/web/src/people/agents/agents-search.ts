import { sortFields } from '@tallyroom/contract/list-choices'
import type { AgentsSearch } from '@tallyroom/contract/people/agents'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { contains, equals } from '../../lib/criteria.ts'
import { searchChoice, searchInt, searchText } from '../../lib/pages/search.ts'
import { COLUMN_SETS } from '../../shared/sellers/column-set.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'
import { searchStatus, statusEquals } from '../../ui/filters/status-search.ts'

/** The list's state in the URL. */
export const agentsPageSearchSchema = z.object({
  ...listSearch(sortFields.agents),
  /** Part of a name or email. */
  username: searchText(100),
  companyId: searchInt(1, MAX_ID),
  status: searchStatus,
  /** Which columns: those of accounts, or those of sellers. */
  show: searchChoice(COLUMN_SETS),
})

export type AgentsPageSearch = z.output<typeof agentsPageSearchSchema>

export type AgentsCriteria = Omit<CriteriaIn<AgentsPageSearch>, 'show'>

/** The criteria in the URL that the viewer may use. */
export const criteriaOf = (
  { username, companyId, status }: AgentsPageSearch,
  viewer: AbilityHolder,
): AgentsCriteria => ({
  username,
  companyId: can(viewer, 'offices.choose') ? companyId : undefined,
  status,
})

/** In the format of the API. */
export const wireCriteria = ({
  username,
  companyId,
  status,
}: AgentsCriteria): AgentsSearch['criteria'] => [
  ...contains('text', username),
  ...equals('companyId', companyId),
  ...statusEquals(status),
]
