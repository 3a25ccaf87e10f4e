import { agentsEndpoints } from '@tallyroom/contract/agents'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useListState, wireSort } from '../../ui/list/list-state.ts'
import { SiteList } from './SiteList.tsx'
import { standardSort } from './site-list-search.ts'

const route = getRouteApi('/app/agents/$agentId/$name/sites')

/** The sites that an agent may sell. */
export function AgentSitesPage() {
  const { agentId: id, name: nameInLink } = route.useParams()
  const list = useListState(route.useSearch(), standardSort)
  const sites = useQuery(
    queryOf(
      agentsEndpoints.agentSites,
      { params: { id }, query: wireSort(list) },
      { keepPrevious: true },
    ),
  )
  // The name in the URL may be outdated. Show the current one once it is known.
  const agent = useQuery({
    ...queryOf(agentsEndpoints.agent, { params: { id } }),
    meta: { ownErrors: true },
  })
  return (
    <SiteList
      query={sites}
      list={list}
      whose={agent.data?.username ?? nameInLink}
      back={{ to: '/app/agents', label: 'Agents' }}
    />
  )
}
