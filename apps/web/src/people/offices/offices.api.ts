import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { refreshOf } from '../../lib/queries.ts'

const { searchOffices: search, companies, companyAgents } = officesEndpoints

export type OfficeStatusChange = { active: boolean } | { hidden: boolean }

/** Refetches the list, and the selects that offer offices or their agents. */
export const refreshOffices = refreshOf(
  search,
  companies,
  companyAgents,
  agentsEndpoints.searchAgents,
)
