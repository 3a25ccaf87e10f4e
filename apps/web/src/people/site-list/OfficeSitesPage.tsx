import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { SiteList } from './SiteList.tsx'
import { type SiteListSearch, standardSort } from './site-list-search.ts'

/** The sites that an office may sell: a page, or a tab of the office's. */
export function OfficeSitesPage() {
  const { companyId: id = '', officeName: nameInLink } = useParams({ strict: false })
  const search: SiteListSearch = useSearch({ strict: false })
  const sites = useWholeList(officesEndpoints.officeSites, {
    search,
    ...standardSort,
    params: { id },
  })
  // The name in the URL may be outdated. Show the current one once it is known.
  const office = useQuery({
    ...queryOf(officesEndpoints.office, { params: { id } }),
    enabled: nameInLink !== undefined,
    meta: { ownErrors: true },
  })
  return (
    <SiteList
      {...sites}
      whose={nameInLink === undefined ? undefined : (office.data?.officeName ?? nameInLink)}
      back={{ to: '/app/offices/offices', label: 'Offices' }}
    />
  )
}
