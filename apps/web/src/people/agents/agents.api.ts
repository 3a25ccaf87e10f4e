import { agentsEndpoints, type TypedToDelete } from '@tallyroom/contract/people/agents'
import { approvalEndpoints } from '@tallyroom/contract/people/approval'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'
import { nameOf } from '../../shared/pickers/picker.ts'
import type { EntityOption } from '../../ui/EntitySelect.tsx'

const { searchAgents: search, deleteAgent: remove } = agentsEndpoints

/** The sites that an agent of the office may sell. Without an office: those of the viewer's own. */
export const offeredSitesQuery = (officeId: number | null) =>
  queryOptions({
    queryKey: [officesEndpoints.officeSites.path, 'offered', officeId] as const,
    queryFn: async ({ signal }): Promise<EntityOption[]> => {
      const sites =
        officeId === null
          ? await call(sitesEndpoints.sites, { query: { withSuspended: '1' } }, { signal })
          : await call(
              officesEndpoints.officeSites,
              { params: { id: String(officeId) }, query: { sortField: 'sitename' } },
              { signal },
            )
      return sites
        .filter((site) => !('hidden' in site && site.hidden))
        .map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) }))
    },
  })

/** The name of an office that no select offers, because it is hidden or does not exist. */
export const officeNameQuery = (companyId: number) =>
  queryOptions({
    ...queryOf(officesEndpoints.office, { params: { id: String(companyId) } }),
    select: ({ officeName, hidden }) => (hidden ? `${officeName} (Hidden)` : officeName),
    meta: { ownErrors: true },
  })

export type AgentStatusChange =
  | { active: boolean }
  | { hidden: boolean }
  | { loginBlocked: boolean }
  | { fraudFlagged: false }

/** @param typed what the agent is owed and owes, in minor units */
export const deleteAgent = (agentId: number, typed: Partial<Record<keyof TypedToDelete, string>>) =>
  call(remove, { params: { id: String(agentId) }, query: typed })

/** Refetches the lists, and the selects that offer agents. */
export const refreshAgents = refreshOf(
  search,
  officesEndpoints.searchOffices,
  officesEndpoints.companyAgents,
  approvalEndpoints.unapproved,
  approvalEndpoints.unapprovedCount,
)
