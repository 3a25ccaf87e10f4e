import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { RefreshNote } from './RefreshNote.tsx'
import { saleLogColumns, saleLogCsvColumns } from './sale-log-columns.tsx'
import { SaleLogFilters } from './SaleLogFilters.tsx'
import { refreshSaleLogs, saleLogsQuery, searchSaleLogs } from './sale-logs.api.ts'
import { criteriaOf, recordTypes } from './sale-logs-search.ts'
import { useArrivals } from './use-arrivals.ts'

const route = getRouteApi('/app/logs/sale-logs')

/** Every sale, bonus, paid click and reversal, read again each minute. */
export function SaleLogsPage() {
  const viewer = useMe()
  const search = route.useSearch()
  const applied = criteriaOf(search, viewer)
  const list = useListState(search, { sortField: 'date', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const recordType = applied.recordType && recordTypes[applied.recordType]
  const asked = { ...applied, recordType, sortField, sortAsc }
  const query = useQuery(saleLogsQuery({ ...asked, page, pageSize }))
  const client = useQueryClient()
  const [searches, setSearches] = useState(0)

  const { data, isPlaceholderData } = query
  // On other pages rows move in from the page before, which does not make them new.
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

  return (
    <ListFrame
      name="Sale Logs"
      query={{ ...query, data: data?.items }}
      list={list}
      columns={saleLogColumns({ ...view, isNew })}
      rowKey={({ id }) => id}
      rowTone={({ id, reversal, fraud }) =>
        reversal || fraud ? 'bad' : isNew(id) ? 'good' : undefined
      }
      empty="No logs for selected period"
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
        <RefreshNote
          refreshedAtMs={query.dataUpdatedAt}
          arrived={isNewestFirst ? arrivals.count : 0}
        />
      }
      actions={
        <>
          <ExportCsv
            fileName="sale-logs"
            columns={saleLogCsvColumns(view)}
            fetchPage={async (part) => (await searchSaleLogs({ ...asked, ...part })).items}
            disabled={!data?.items.total}
            most={MOST_EXPORTED}
          />
        </>
      }
    />
  )
}

/** Rows of a file; beyond that no spreadsheet is of use. */
const MOST_EXPORTED = 50_000
