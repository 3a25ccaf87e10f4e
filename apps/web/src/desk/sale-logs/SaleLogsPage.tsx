import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { Button, Group } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { EVENT_KINDS, EVENT_TYPE, eventTypeLabel } from '@tallyroom/domain/event-types'
import { formatCount } from '@tallyroom/domain/money'
import { formatClock } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { LogFields } from '../../shared/LogFields.tsx'
import { SubIdFilter } from '../../shared/SubIdFilter.tsx'
import { columnsWithin, isFiltered, useWithin } from '../../shared/within.ts'
import { ChoiceFilter } from '../../ui/filters/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { saleLogColumns } from './sale-log-columns.tsx'
import {
  criteriaOf,
  type RecordType,
  recordTypes,
  type SaleLogsCriteria,
  type SaleLogsSearchParams,
} from './sale-logs-search.ts'
import { refreshSaleLogs, saleLogsQuery } from './sale-logs.api.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

const OtherLogs = lazy(() => import('../../shared/OtherLogs.tsx'))

/**
 * Every sale, bonus, paid click and reversal, refreshed every minute: all that the viewer may see,
 * or those of the object whose tab this is.
 */
export function SaleLogsPage() {
  const viewer = useMe()
  const within = useWithin()
  const search: SaleLogsSearchParams = useSearch({ strict: false })
  const applied = { ...criteriaOf(search, viewer), ...within }
  const list = useListState(search, { sortField: 'date', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const recordType = applied.recordType && recordTypes[applied.recordType]
  const { unpaid = false, ...criteria } = applied
  // To an agent, a click that pays nothing reads like a sale that was not paid.
  const withoutUnpaid = viewer.role === 'agent' && !unpaid && recordType !== recordTypes.click
  const asked = { ...criteria, recordType, withoutUnpaid, sortField, sortAsc }
  const query = useQuery(saleLogsQuery({ ...asked, page, pageSize }))
  const client = useQueryClient()
  const [searches, setSearches] = useState(0)

  const { data, isPlaceholderData } = query
  // On other pages, rows that move in from the previous page are not new.
  const isNewestFirst = page === 1 && !sortAsc
  const arrivals = useArrivals(
    JSON.stringify({ asked, page, pageSize, searches }),
    isPlaceholderData ? undefined : data?.items.items.map(({ id }) => id),
  )
  const isNew = (id: string) => isNewestFirst && arrivals.isNew(id)
  const view = {
    viewer,
    earningVisible: data?.earningVisible ?? can(viewer, 'earning.see'),
    payoutVisible: data?.payoutVisible ?? can(viewer, 'payout.see'),
  }

  const columns = saleLogColumns({ ...view, isNew })
  return (
    <ListFrame
      name="Sale Logs"
      query={{ ...query, data: data?.items }}
      list={list}
      columns={columnsWithin(columns, within)}
      rowKey={({ id }) => id}
      rowTone={({ id, reversal }) => (reversal ? 'bad' : isNew(id) ? 'good' : undefined)}
      empty={
        <EmptyList
          text="No logs for selected period"
          about="Each sale, bonus and reversal appears here as soon as its merchant reports it."
          onClear={isFiltered(applied, within) ? list.clear : undefined}
          elsewhere={
            <OtherLogs
              empty="sales"
              criteria={applied}
              text={applied.transactionId ?? applied.email ?? applied.clickId}
            />
          }
        />
      }
      criteria={
        <SaleLogFilters
          applied={applied}
          onSearch={(next) => {
            list.search(next)
            setSearches(searches + 1)
            void refreshSaleLogs(client)
          }}
          onClear={list.clear}
        />
      }
      summary={
        <>
          <RefreshNote
            refreshedAtMs={query.dataUpdatedAt}
            arrived={isNewestFirst ? arrivals.count : 0}
          />
          {viewer.role === 'agent' && (
            <AgentsNote
              leftOut={data?.leftOut ?? 0}
              hasTakenBack={applied.recordType === 'reversal'}
              onShow={() => list.search({ ...applied, unpaid: true })}
              onTakenBack={(chosen) => list.search({ ...applied, recordType: chosen })}
            />
          )}
        </>
      }
      actions={
        <ExportCsv
          fileName="sale-logs"
          columns={columns}
          fetchPage={async (part) =>
            (await call(saleLogsEndpoints.searchSaleLogs, { body: { ...asked, ...part } })).items
          }
          disabled={!data?.items.total}
          most={MOST_EXPORTED}
        />
      }
    />
  )
}

/** In rows. Spreadsheets become unusable beyond that. */
const MOST_EXPORTED = 50_000

function SaleLogFilters(filtering: Filtering<SaleLogsCriteria>) {
  const { draft, change, field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <LogFields draft={draft} onChange={change} />
      <ChoiceFilter
        label="Record type"
        all="All records"
        width={130}
        options={recordTypeOptions}
        {...field('recordType')}
      />
      <TextFilter label="Click id" width={130} maxLength={64} {...field('clickId')} />
      <TextFilter label="Order number" width={130} maxLength={128} {...field('transactionId')} />
      <TextFilter label="Email" width={150} maxLength={254} inputMode="email" {...field('email')} />
      <SubIdFilter draft={draft} onChange={change} />
    </CriteriaRow>
  )
}

const recordTypeOptions: { value: RecordType; label: string }[] = [
  ...EVENT_KINDS.map((value) => ({ value, label: eventTypeLabel(EVENT_TYPE[value]) })),
  { value: 'reversal', label: 'Taken back' },
]

interface AgentsNoteProps {
  /** Paid clicks that pay nothing. */
  leftOut: number
  hasTakenBack: boolean
  onShow: () => void
  onTakenBack: (recordType: RecordType | undefined) => void
}

/** What an agent asks first: which sales were taken back, and what the list leaves out. */
const AgentsNote = ({ leftOut, hasTakenBack, onShow, onTakenBack }: AgentsNoteProps) => (
  <Group gap={8}>
    <Button
      size="compact-sm"
      radius="xl"
      variant={hasTakenBack ? 'light' : 'default'}
      aria-pressed={hasTakenBack}
      onClick={() => onTakenBack(hasTakenBack ? undefined : 'reversal')}
    >
      Taken back
    </Button>
    {leftOut > 0 && (
      <span>
        {formatCount(leftOut)} {leftOut === 1 ? 'click' : 'clicks'} without pay left out.{' '}
        <Button variant="subtle" size="compact-sm" onClick={onShow}>
          Show
        </Button>
      </span>
    )}
  </Group>
)

interface RefreshNoteProps {
  /** 0 before the first answer. */
  refreshedAtMs: number
  /** The number of records on the page that have arrived since the search. */
  arrived: number
}

/** The time zone, the time of the last refresh, and the number of new records. */
const RefreshNote = ({ refreshedAtMs, arrived }: RefreshNoteProps) => (
  <Group gap="0 6px">
    <TimeZoneNote />
    {/* Reserves its space until the first answer. */}
    <span className="tr-figures" style={refreshedAtMs > 0 ? undefined : { visibility: 'hidden' }}>
      Updated {formatClock(refreshedAtMs).slice(11, 19)} · refreshes every minute
    </span>
    <strong role="status">{arrived > 0 && `${arrived} new`}</strong>
  </Group>
)

interface Arrivals {
  /** Identifies the search. Another search starts over. */
  asked: string
  /** The ids in its first answer. */
  known: ReadonlySet<string>
}

/**
 * Tells which rows of a polled list were not in its first answer.
 *
 * @param asked identifies the search.
 * @param ids of the latest answer; undefined while it loads.
 */
function useArrivals(asked: string, ids: readonly string[] | undefined) {
  const [first, setFirst] = useState<Arrivals>()
  if (ids !== undefined && first?.asked !== asked) setFirst({ asked, known: new Set(ids) })
  const isNew = (id: string) => first?.asked === asked && !first.known.has(id)
  return { isNew, count: ids?.filter(isNew).length ?? 0 }
}
