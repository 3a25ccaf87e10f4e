import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { askToChangeSite } from './site-actions.tsx'
import { siteColumns, siteCsvColumns } from './site-columns.tsx'
import { SiteFilters } from './SiteFilters.tsx'
import { refreshSites, searchSites, sitesQuery } from './sites.api.ts'
import { wireCriteria } from './sites-search.ts'

const route = getRouteApi('/app/sites/sites')

/** All sites; a superadmin changes them. */
export function SitesPage() {
  const me = useMe()
  const search = route.useSearch()
  const { sitename, type, status } = search
  const list = useListState(search, { sortField: 'sitename', sortAsc: true })
  const { page, pageSize, sortField, sortAsc } = list
  const criteria = wireCriteria({ sitename, type, status })
  const query = useQuery(sitesQuery({ criteria, page, pageSize, sortField, sortAsc }))
  const client = useQueryClient()
  const refresh = () => refreshSites(client)
  const mayManage = can(me, 'sites.manage')

  return (
    <ListFrame
      name="Sites"
      query={query}
      list={list}
      columns={siteColumns({
        onAction: mayManage
          ? (action, site) => void askToChangeSite(action, site, refresh)
          : undefined,
      })}
      rowKey={({ id }) => String(id)}
      empty={
        criteria.length > 0 ? (
          'No sites match'
        ) : (
          <EmptyList text="No sites yet">
            {mayManage && (
              <LinkButton to="/app/sites/create" state={FROM_LIST}>
                Add the first site
              </LinkButton>
            )}
          </EmptyList>
        )
      }
      criteria={
        <SiteFilters
          applied={{ sitename, type, status }}
          onSearch={(next) => {
            list.search(next)
            void refresh()
          }}
          onClear={list.clear}
        />
      }
      actions={
        <>
          <ExportCsv
            fileName="sites"
            columns={siteCsvColumns}
            fetchPage={(part) => searchSites({ criteria, sortField, sortAsc, ...part })}
            disabled={!query.data?.total}
          />
          {mayManage && (
            <LinkButton to="/app/sites/create" state={FROM_LIST}>
              +Add Site
            </LinkButton>
          )}
        </>
      }
    />
  )
}
