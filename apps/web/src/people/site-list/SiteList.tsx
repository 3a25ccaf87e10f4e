import type { siteListSchema } from '@tallyroom/contract/people/site-list'
import { statusLabel } from '@tallyroom/domain/labels'
import type { z } from 'zod'
import { LinkText, type WayBack } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import type { ListState } from '../../ui/list/list-state.ts'
import { pageOfWhole, partsOfWhole, type WholeQuery } from '../../ui/list/whole-list.ts'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { StatusText } from '../../ui/StatusText.tsx'
import type { SiteListSearch } from './site-list-search.ts'

type ListedSite = z.output<(typeof siteListSchema)['response']>[number]

interface SiteListProps {
  query: WholeQuery<ListedSite>
  list: ListState<SiteListSearch>
  /** The list of agents or offices. */
  back: WayBack
  /** The name of the agent or office. Undefined on a tab of its page. */
  whose: string | undefined
}

/** A read-only list of sites. */
export const SiteList = ({ query, list, back, whose }: SiteListProps) => (
  <ListFrame
    name="Sites"
    query={pageOfWhole(query, list)}
    list={list}
    columns={columns}
    rowKey={({ id }) => String(id)}
    empty={
      <EmptyList
        text="No sites yet"
        about="Sites appear here once they are chosen on the edit page."
      />
    }
    back={back}
    summary={
      whose !== undefined && (
        <>
          <LinkText to={back.to} underlined>
            {back.label}
          </LinkText>{' '}
          / {whose}
        </>
      )
    }
    actions={
      <ExportCsv
        fileName="sites"
        columns={columns}
        fetchPage={partsOfWhole(query.data)}
        disabled={!query.data?.length}
      />
    }
  />
)

const columns: ListColumn<ListedSite>[] = [
  {
    id: 'sitename',
    header: 'Site Name',
    sortField: 'sitename',
    fixed: true,
    cell: ({ id, sitename }) => <SiteLink id={id}>{sitename}</SiteLink>,
    csv: ({ sitename }) => sitename,
  },
  {
    id: 'abbr',
    header: 'Abbreviation',
    sortField: 'abbr',
    cell: ({ abbr }) => abbr,
    csv: ({ abbr }) => abbr,
  },
  {
    id: 'status',
    header: 'Status',
    sortField: 'status',
    card: 'title',
    cell: (site) => <StatusText status={site} />,
    csv: statusLabel,
  },
]
