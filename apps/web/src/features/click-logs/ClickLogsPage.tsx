import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ClickLogs } from '@tallyroom/contract/click-logs'
import { formatCount } from '@tallyroom/domain/money'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { clickLogColumns, clickLogCsvColumns } from './click-log-columns.tsx'
import { ClickLogFilters } from './ClickLogFilters.tsx'
import { clickLogsQuery, refreshClickLogs, searchClickLogs } from './click-logs.api.ts'
import { criteriaOf } from './click-logs-search.ts'

const route = getRouteApi('/app/logs/click-outs')

/** Crawlers leave no clicks, so the list can't show them. */
function CrawlerNote({ crawlers: { visits, start, end } }: Pick<ClickLogs, 'crawlers'>) {
  if (visits === 0) return null
  const days = start === end ? `on ${start}` : `from ${start} to ${end}`
  return (
    <Text size="xs" c="dimmed">
      Not listed: {formatCount(visits)} {visits === 1 ? 'visit' : 'visits'} by crawlers {days}
    </Text>
  )
}

/** Rows of a file; beyond that no spreadsheet is of use. */
const MOST_EXPORTED = 50_000

/** Every click on a tracked link. */
export function ClickLogsPage() {
  const viewer = useMe()
  const { flags } = useBrand()
  const search = route.useSearch()
  const applied = criteriaOf(search, viewer, flags)
  const list = useListState(search, { sortField: 'clickTime', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const { ip: ipAddress, ...others } = applied
  const asked = { ...others, ipAddress, sortField, sortAsc }
  const query = useQuery(clickLogsQuery({ ...asked, page, pageSize }))
  const client = useQueryClient()

  return (
    <ListFrame
      name="Click Logs"
      query={query}
      list={list}
      columns={clickLogColumns({ viewer, flags })}
      rowKey={({ id }) => id}
      rowTone={({ uncounted }) => (uncounted === 'blacklisted' ? 'bad' : undefined)}
      empty="No logs for selected period"
      criteria={
        <ClickLogFilters
          applied={applied}
          showIp={flags.showIp}
          ipError={formErrors(query.error, ['ipAddress'])?.['ipAddress']}
          onSearch={(next) => {
            list.search(next)
            void refreshClickLogs(client)
          }}
          onClear={list.clear}
        />
      }
      summary={
        <>
          <TimeZoneNote />
          {query.data && <CrawlerNote crawlers={query.data.crawlers} />}
        </>
      }
      actions={
        <>
          <ExportCsv
            fileName="click-logs"
            columns={clickLogCsvColumns({ viewer, flags })}
            fetchPage={(part) => searchClickLogs({ ...asked, ...part })}
            disabled={!query.data?.total}
            most={MOST_EXPORTED}
          />
        </>
      }
    />
  )
}
