import { officesEndpoints } from '@tallyroom/contract/offices'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useListState, wireSort } from '../../ui/list/list-state.ts'
import { SiteList } from './SiteList.tsx'
import { standardSort } from './site-list-search.ts'

const route = getRouteApi('/app/offices/$companyId/$officeName/sites')

/** The sites that an office may sell. */
export function OfficeSitesPage() {
  const { companyId: id, officeName: nameInLink } = route.useParams()
  const list = useListState(route.useSearch(), standardSort)
  const sites = useQuery(
    queryOf(
      officesEndpoints.officeSites,
      { params: { id }, query: wireSort(list) },
      { keepPrevious: true },
    ),
  )
  // The name in the URL may be outdated. Show the current one once it is known.
  const office = useQuery({
    ...queryOf(officesEndpoints.office, { params: { id } }),
    meta: { ownErrors: true },
  })
  return (
    <SiteList
      query={sites}
      list={list}
      whose={office.data?.officeName ?? nameInLink}
      back={{ to: '/app/offices/offices', label: 'Offices' }}
    />
  )
}
