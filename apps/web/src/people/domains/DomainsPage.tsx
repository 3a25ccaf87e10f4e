import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { askToChangeDomain, refreshDomains } from './domain-actions.ts'
import { domainColumns } from './domain-columns.tsx'

const route = getRouteApi('/app/offices/domains')

/** The host names of offices' links. */
export function DomainsPage() {
  const { list, rows, query, csv } = useWholeList(
    preferredDomainsEndpoints.preferredDomainsWithCompanies,
    { search: route.useSearch(), sortField: 'domain', sortAsc: true },
  )
  const client = useQueryClient()
  const columns = domainColumns(
    (domain) =>
      void askToChangeDomain(domain, {
        all: rows ?? [],
        refresh: () => refreshDomains(client),
      }),
  )
  return (
    <ListFrame
      name="Domains"
      query={query}
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
          <ExportCsv fileName="domains" columns={columns} {...csv} />
          <LinkButton to="/app/offices/domains/create" state={FROM_LIST}>
            + Add Preferred Domain
          </LinkButton>
        </>
      }
    />
  )
}
