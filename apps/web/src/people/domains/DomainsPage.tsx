import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { pageOfWhole, partsOfWhole } from '../../ui/list/whole-list.ts'
import { askToChangeDomain } from './domain-actions.ts'
import { domainColumns } from './domain-columns.tsx'
import { domainsQuery, refreshDomains } from './preferred-domains.api.ts'

const route = getRouteApi('/app/offices/domains')

/** The host names of offices' links. */
export function DomainsPage() {
  const list = useListState(route.useSearch(), { sortField: 'domain', sortAsc: true })
  const query = useQuery(domainsQuery(list))
  const client = useQueryClient()
  const columns = domainColumns(
    (domain) =>
      void askToChangeDomain(domain, {
        all: query.data ?? [],
        refresh: () => refreshDomains(client),
      }),
  )
  return (
    <ListFrame
      name="Domains"
      query={pageOfWhole(query, list)}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList
          text="No domains yet"
          about="Tracked links begin with a domain of yours that points to this server."
        >
          <LinkButton to="/app/offices/domains/create" state={FROM_LIST}>
            Add the first domain
          </LinkButton>
        </EmptyList>
      }
      actions={
        <>
          <ExportCsv
            fileName="domains"
            columns={columns}
            fetchPage={partsOfWhole(query.data)}
            disabled={!query.data?.length}
          />
          <LinkButton to="/app/offices/domains/create" state={FROM_LIST}>
            + Add Preferred Domain
          </LinkButton>
        </>
      }
    />
  )
}
