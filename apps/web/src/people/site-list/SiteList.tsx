import type { siteListSchema } from '@tallyroom/contract/people/site-list'
import type { z } from 'zod'
import { LinkText, type WayBack } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { textColumn, statusColumn } from '../../ui/list/plain-columns.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import type { WholeList } from '../../ui/export/use-whole-list.ts'
import { SiteLink } from '../../shared/SiteLink.tsx'

type ListedSite = z.output<(typeof siteListSchema)['response']>[number]

interface SiteListProps extends Pick<WholeList<ListedSite>, 'query' | 'list' | 'csv'> {
  /** The list of agents or offices. */
  back: WayBack
  /** The name of the agent or office. Undefined on a tab of its page. */
  whose: string | undefined
}

/** A read-only list of sites. */
export const SiteList = ({ query, list, csv, back, whose }: SiteListProps) => (
  <ListFrame
    name="Sites"
    query={query}
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
    actions={<ExportCsv fileName="sites" columns={columns} {...csv} />}
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
  textColumn('abbr', 'Abbreviation', { sortField: 'abbr' }),
  statusColumn,
]
