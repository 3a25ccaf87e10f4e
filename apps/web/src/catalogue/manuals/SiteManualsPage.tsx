import { IconTrash } from '@tabler/icons-react'
import { type ManualItem, siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import type { ListColumn } from '../../ui/list/columns.ts'
import { textColumn, actionsColumn } from '../../ui/list/plain-columns.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { refreshManuals } from './site-manual-form.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'

const route = getRouteApi('/app/site-manuals')

/** The how-to-sell manuals of all sites, for their editors. */
export function SiteManualsPage() {
  const client = useQueryClient()
  const { list, query, csv } = useWholeList(siteManualsEndpoints.siteManuals, {
    search: route.useSearch(),
    sortField: 'sitename',
    sortAsc: true,
  })
  const columns = columnsOf((manual) => void askToRemove(manual, () => refreshManuals(client)))
  return (
    <ListFrame
      name="Site Manuals"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList about="A manual tells agents how to sell a site. It is shown on their Home.">
          <LinkButton to="/app/site-manuals/create" state={FROM_LIST}>
            Add the first manual
          </LinkButton>
        </EmptyList>
      }
      actions={
        <>
          <ExportCsv fileName="site-manuals" columns={columns} {...csv} />
          <LinkButton to="/app/site-manuals/create" state={FROM_LIST}>
            +Add Site Manual
          </LinkButton>
        </>
      }
    />
  )
}

const columnsOf = (remove: (manual: ManualItem) => void): ListColumn<ManualItem>[] => [
  textColumn('sitename', 'Site Name', { sortField: 'sitename', fixed: true }),
  textColumn('title', 'Title', { sortField: 'title' }),
  actionsColumn(52, (manual) => (
    <>
      <EditLink
        to="/app/site-manuals/edit/$id"
        params={{ id: String(manual.id) }}
        aria-label={`Edit ${manual.sitename}`}
      />
      <RowIcon
        icon={IconTrash}
        label={`Remove ${manual.sitename}`}
        onClick={() => remove(manual)}
      />
    </>
  )),
]

/** Asks for confirmation, then removes the manual. The specification gives the question, letter for letter. */
const askToRemove = ({ id, sitename }: ManualItem, refresh: () => Promise<unknown>) =>
  askToChange(
    {
      label: 'Remove',
      question: `Are your sure to remove "${sitename}" manual?`,
      danger: true,
    },
    { whose: sitename, refresh },
    () => call(siteManualsEndpoints.deleteSiteManual, { params: { id: String(id) } }),
  )
