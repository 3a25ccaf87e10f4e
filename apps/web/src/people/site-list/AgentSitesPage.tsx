import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { SiteList } from './SiteList.tsx'
import { type SiteListSearch, standardSort } from './site-list-search.ts'

/** The sites that an agent may sell: a page, or a tab of the agent's. */
export function AgentSitesPage() {
  const { agentId: id = '', name: nameInLink } = useParams({ strict: false })
  const search: SiteListSearch = useSearch({ strict: false })
  const sites = useWholeList(agentsEndpoints.agentSites, {
    search,
    ...standardSort,
    params: { id },
  })
  // The name in the URL may be outdated. Show the current one once it is known.
  const agent = useQuery({
    ...queryOf(agentsEndpoints.agent, { params: { id } }),
    enabled: nameInLink !== undefined,
    meta: { ownErrors: true },
  })
  return (
    <SiteList
      {...sites}
      whose={nameInLink === undefined ? undefined : (agent.data?.username ?? nameInLink)}
      back={{ to: '/app/agents', label: 'Agents' }}
    />
  )
}
