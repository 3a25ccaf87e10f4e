import { agentsEndpoints } from '@tallyroom/contract/agents'
import { approvalEndpoints } from '@tallyroom/contract/approval'
import { officesEndpoints } from '@tallyroom/contract/offices'
import type { QueryClient } from '@tanstack/react-query'

const shown = [
  approvalEndpoints.unapproved,
  approvalEndpoints.unapprovedCount,
  agentsEndpoints.searchAgents,
  officesEndpoints.companyAgents,
]

/** The list, its count and whatever shows agents are read again. */
export const refreshUnapproved = (client: QueryClient) =>
  Promise.all(shown.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
