import { Button } from '@mantine/core'
import { type BlackListIp, ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { askToChange, type Asked } from '../../ui/dialogs/ask-to-change.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import type { ListColumn } from '../../ui/list/columns.ts'
import { instantColumn, textColumn, actionsColumn } from '../../ui/list/plain-columns.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { deleteIps, refreshBlackList } from './ip-blacklist.api.ts'
import { useFilters } from '../../ui/filters/use-filters.ts'
import { contains } from '../../lib/criteria.ts'

const route = getRouteApi('/app/settings/black-list-ip')

/** Addresses and ranges whose clicks are not counted, and from which only superadmins can sign in. */
export function IpBlacklistPage() {
  const search = route.useSearch()
  const { ip } = search
  const { list, query, filters, csv } = usePagedList(ipBlacklistEndpoints.searchBlackListIp, {
    search,
    sortField: 'ip',
    sortAsc: true,
    asked: { criteria: contains('ip', ip) },
  })
  const { field, row } = useFilters({ applied: { ip }, ...filters })
  const client = useQueryClient()
  const refresh = () => refreshBlackList(client)

  const columns = columnsWith(
    (entry) =>
      void askToDeleteIps({ whose: entry.ip, refresh }, () =>
        call(ipBlacklistEndpoints.deleteBlackListIp, { params: { id: String(entry.id) } }),
      ),
  )
  return (
    <ListFrame
      name="Black List Ip"
      query={query}
      list={list}
      columns={columns}
      // Bulk calls take addresses, not ids.
      rowKey={(entry) => entry.ip}
      empty={
        <EmptyList
          text="No data"
          about="Clicks from addresses on this list are not counted, and only superadmins can sign in from them."
          onClear={ip ? list.clear : undefined}
        >
          <LinkButton to="/app/settings/black-list-ip/create" state={FROM_LIST}>
            Add the first IP
          </LinkButton>
        </EmptyList>
      }
      criteria={
        <CriteriaRow {...row}>
          <TextFilter label="IP" placeholder="part of IP" maxLength={100} {...field('ip')} />
        </CriteriaRow>
      }
      summary={<TimeZoneNote />}
      actions={
        <>
          <ExportCsv fileName="black-list-ip" columns={columns} {...csv} />
          <LinkButton to="/app/settings/black-list-ip/delete" variant="default" state={FROM_LIST}>
            - Delete IP
          </LinkButton>
          <LinkButton to="/app/settings/black-list-ip/create" state={FROM_LIST}>
            + Add IP
          </LinkButton>
        </>
      }
      bulkActions={(keys, done) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            void askToDeleteIps(
              { whose: keys.length === 1 ? '1 IP' : `${keys.length} IPs`, refresh, onDone: done },
              () => deleteIps(keys),
            )
          }
        >
          Delete
        </Button>
      )}
    />
  )
}

const askToDeleteIps = (asked: Asked, action: () => Promise<unknown>) =>
  askToChange({ label: 'Delete', question: 'Are you sure to delete selected IP?' }, asked, action)

const columnsWith = (onDelete: (entry: BlackListIp) => void): ListColumn<BlackListIp>[] => [
  textColumn('ip', 'IP', { sortField: 'ip', fixed: true }),
  instantColumn('addedAt', 'Added', { sortField: 'addedAt' }, formatDateTime),
  actionsColumn(24, (entry) => (
    <RowIcon icon={IconTrash} label={`Delete ${entry.ip}`} onClick={() => onDelete(entry)} />
  )),
]
