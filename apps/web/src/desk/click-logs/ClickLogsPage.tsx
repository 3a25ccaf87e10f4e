import { Text } from '@mantine/core'
import { type ClickLogs, clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import { formatCount } from '@tallyroom/domain/money'
import { useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { LogFields } from '../../shared/LogFields.tsx'
import { SubIdFilter } from '../../shared/SubIdFilter.tsx'
import { columnsWithin, isFiltered, useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { clickLogColumns } from './click-log-columns.tsx'
import {
  type ClickLogsCriteria,
  type ClickLogsSearchParams,
  criteriaOf,
} from './click-logs-search.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

const OtherLogs = lazy(() => import('../../shared/OtherLogs.tsx'))

/** Crawler visits are only counted, not stored as clicks, so the list can't show them. */
function CrawlerNote({ crawlers: { visits, start, end } }: Pick<ClickLogs, 'crawlers'>) {
  if (visits === 0) return null
  const days = start === end ? `on ${start}` : `from ${start} to ${end}`
  return (
    <Text size="xs" c="dimmed">
      Not listed: {formatCount(visits)} {visits === 1 ? 'visit' : 'visits'} by crawlers{' '}
      <WithDays>{days}</WithDays>
    </Text>
  )
}

/**
 * The first day with details, if the search begins earlier: clicks of archived months are not
 * listed.
 */
function detailsSinceOf(logs: ClickLogs | undefined, start: string | undefined) {
  const day = logs?.detailsSince ?? undefined
  return day !== undefined && (start === undefined || start < day) ? day : undefined
}

/** In rows. Spreadsheets become unusable beyond that. */
const MOST_EXPORTED = 50_000

/**
 * Every click on a tracked link: all that the viewer may see, or those of the object whose tab this
 * is.
 */
export function ClickLogsPage() {
  const viewer = useMe()
  const { flags } = useBrand()
  const within = useWithin()
  const search: ClickLogsSearchParams = useSearch({ strict: false })
  const applied = { ...criteriaOf(search, viewer, flags), ...within }
  const { ip: ipAddress, ...others } = applied
  const { list, query, filters, csv } = usePagedList(clickLogsEndpoints.searchClickLogs, {
    search,
    sortField: 'clickTime',
    sortAsc: false,
    asked: { ...others, ipAddress },
    meta: { ownErrors: true },
  })
  const detailsSince = detailsSinceOf(query.data, applied.start)
  const isBefore =
    detailsSince !== undefined && applied.end !== undefined && applied.end < detailsSince

  const columns = clickLogColumns({ viewer, flags })
  return (
    <ListFrame
      name="Click Logs"
      query={query}
      list={list}
      columns={columnsWithin(columns, within)}
      rowKey={({ id }) => id}
      empty={
        isBefore ? (
          <EmptyList
            text={`Clicks before ${detailsSince} are archived`}
            about="They count in all figures, but their details are not kept here."
          />
        ) : (
          <EmptyList
            text="No logs for selected period"
            about="Each click on a tracked link appears here a moment later."
            onClear={isFiltered(applied, within) ? list.clear : undefined}
            elsewhere={<OtherLogs empty="clicks" criteria={applied} text={applied.clickId} />}
          />
        )
      }
      criteria={
        <ClickLogFilters
          applied={applied}
          showIp={flags.showIp}
          ipError={formErrors(query.error, ['ipAddress'])?.['ipAddress']}
          {...filters}
        />
      }
      summary={
        <>
          <TimeZoneNote />
          {query.data && !applied.clickId && <CrawlerNote crawlers={query.data.crawlers} />}
          {detailsSince && (!isBefore || query.data?.total !== 0) && (
            <Text size="xs" c="dimmed">
              Details of clicks since {detailsSince}. Earlier ones are archived.
            </Text>
          )}
        </>
      }
      actions={<ExportCsv fileName="click-logs" columns={columns} {...csv} most={MOST_EXPORTED} />}
    />
  )
}

interface ClickLogFiltersProps extends Filtering<ClickLogsCriteria> {
  /** A flag of the brand. */
  showIp: boolean
  /** The server's message about the address. */
  ipError: ReactNode
}

function ClickLogFilters({ showIp, ipError, ...filtering }: ClickLogFiltersProps) {
  const { draft, change, field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      {showIp && (
        <TextFilter
          label="IP address"
          width={140}
          maxLength={64}
          error={draft.ip === filtering.applied.ip && ipError}
          {...field('ip')}
        />
      )}
      <LogFields draft={draft} onChange={change} />
      <TextFilter label="Click id" width={150} maxLength={64} {...field('clickId')} />
      <SubIdFilter draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
