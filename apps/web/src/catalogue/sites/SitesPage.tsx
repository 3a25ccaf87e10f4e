import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { ChoiceFilter } from '../../ui/filters/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { StatusFilter } from '../../ui/filters/StatusFilter.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { askToChangeSite } from './site-actions.tsx'
import { siteColumns } from './site-columns.tsx'
import { type SitesCriteria, wireCriteria } from './sites-search.ts'
import { refreshSites } from './sites.api.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

const route = getRouteApi('/app/sites/sites')

/** All sites. Superadmins can change them. */
export function SitesPage() {
  const me = useMe()
  const search = route.useSearch()
  const { sitename, type, status } = search
  const criteria = wireCriteria({ sitename, type, status })
  const { list, query, filters, csv } = usePagedList(sitesEndpoints.searchSites, {
    search,
    sortField: 'sitename',
    sortAsc: true,
    asked: { criteria },
  })
  const client = useQueryClient()
  const refresh = () => refreshSites(client)
  const mayManage = can(me, 'sites.manage')

  const columns = siteColumns({
    onAction: mayManage ? (action, site) => void askToChangeSite(action, site, refresh) : undefined,
  })
  const addButton = (label: string) =>
    mayManage && (
      <LinkButton to="/app/sites/create" state={FROM_LIST}>
        {label}
      </LinkButton>
    )
  return (
    <ListFrame
      name="Sites"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList
          text={criteria.length > 0 ? 'No sites match' : 'No sites yet'}
          about="A site is a merchant’s shop or service. Agents link to it, and the merchant reports each sale."
          onClear={criteria.length > 0 ? list.clear : undefined}
        >
          {addButton('Add the first site')}
        </EmptyList>
      }
      criteria={<SiteFilters applied={{ sitename, type, status }} {...filters} />}
      actions={
        <>
          <ExportCsv fileName="sites" columns={columns} {...csv} />
          {addButton('+Add Site')}
        </>
      }
    />
  )
}

function SiteFilters(filtering: Filtering<SitesCriteria>) {
  const { field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <TextFilter label="Site name" maxLength={128} {...field('sitename')} />
      <ChoiceFilter label="Site type" options={SITE_CATEGORIES} {...field('type')} />
      <StatusFilter {...field('status')} />
    </CriteriaRow>
  )
}
