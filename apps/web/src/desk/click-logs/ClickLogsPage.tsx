import { Text } from '@mantine/core'
import { type ClickLogs, clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import { formatCount } from '@tallyroom/domain/money'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/form-errors.ts'
import { refreshOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { criteriaOfDraft, type LogDraft } from '../../shared/log-criteria.ts'
import { LogFields } from '../../shared/LogFields.tsx'
import { columnsWithin, isFiltered, useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { type Filtering, useDraft } from '../../ui/list/use-draft.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { clickLogColumns } from './click-log-columns.tsx'
import {
  type ClickLogsCriteria,
  type ClickLogsSearchParams,
  criteriaOf,
} from './click-logs-search.ts'
import { WithDays } from '../../ui/WithDays.tsx'

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
  const { list, query, csv } = usePagedList(clickLogsEndpoints.searchClickLogs, {
    search,
    sortField: 'clickTime',
    sortAsc: false,
    asked: { ...others, ipAddress },
    meta: { ownErrors: true },
  })
  const client = useQueryClient()
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

/** Refetches the list, so that new entries show. */
const refreshClickLogs = refreshOf(clickLogsEndpoints.searchClickLogs)

interface ClickLogFiltersProps extends Filtering<ClickLogsCriteria> {
  /** A flag of the brand. */
  showIp: boolean
  /** The server's message about the address. */
  ipError: ReactNode
}

type Draft = LogDraft & Pick<ClickLogsCriteria, 'ip' | 'clickId'>

function ClickLogFilters(props: ClickLogFiltersProps) {
  const { applied, showIp, ipError, onSearch, onClear } = props
  const [draft, change, clear] = useDraft<Draft>(applied, onClear)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (!criteria) return
        const { ip, clickId } = criteria
        onSearch({
          ...criteria,
          ip: ip?.trim() || undefined,
          clickId: clickId?.trim() || undefined,
        })
      }}
      onClear={clear}
    >
      {showIp && (
        <TextFilter
          label="IP address"
          width={140}
          maxLength={64}
          value={draft.ip}
          error={draft.ip === applied.ip && ipError}
          onChange={(ip) => change({ ip })}
        />
      )}
      <LogFields draft={draft} onChange={change} />
      <TextFilter
        label="Click id"
        width={150}
        maxLength={64}
        value={draft.clickId}
        onChange={(clickId) => change({ clickId })}
      />
    </CriteriaRow>
  )
}
