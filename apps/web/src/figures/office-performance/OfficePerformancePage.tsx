import { can } from '@tallyroom/domain/abilities'
import { equalDays } from '@tallyroom/domain/compared-range'
import {
  INVALID_RANGE_MESSAGE,
  isValidRange,
  type MaybeRange,
  payoutBeWeekHints,
  payoutWeekHints,
} from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useToday } from '../../lib/clock.ts'
import { officeSales } from '../../lib/office-sales.ts'
import { useMe } from '../../lib/session.ts'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { MoreLine } from '../../ui/list/MoreLine.tsx'
import { PrintButtons } from '../../ui/export/PrintButtons.tsx'
import { TableFrame } from '../../ui/list/TableFrame.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { performanceQuery, savePerformance } from './office-performance.api.ts'
import type { PerformanceSearch } from './office-performance-search.ts'
import { performanceColumns, performanceTotals } from './performance-columns.tsx'

const route = getRouteApi('/app/stats/office-performance')

/** Office Performance: each office's sales in two periods, and the difference. */
export function OfficePerformancePage() {
  const me = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { start1, end1, start2, end2, print = false } = search
  const [draft, change] = useDraft({ start1, end1, start2, end2 })
  const period1 = { start: start1, end: end1 }
  const period2 = { start: start2, end: end2 }
  const isValid = isValidRange(period1) && isValidRange(period2)
  const list = useListState(search, { sortField: 'name', sortAsc: true })
  const { sortField, sortAsc } = list
  const query = useQuery(performanceQuery({ period1, period2, sortField, sortAsc }))
  const today = useToday()
  const isUnfinished = isValidRange(period1) && period1.start <= today && today <= period1.end
  const toDate =
    isUnfinished && isValidRange(period2) ? equalDays(period2, period1, today) : undefined
  const rows = isValid ? (query.isError ? undefined : query.data) : []

  const load = () => {
    if (!areValid(draft)) return
    if (JSON.stringify(draft) === JSON.stringify({ start1, end1, start2, end2 }))
      void query.refetch()
    else void navigate({ search: { ...search, ...draft } })
  }

  const salesOf = (companyId: number | undefined, number: 1 | 2) => {
    const period = number === 1 ? period1 : period2
    return isValidRange(period) ? officeSales(me, companyId, period) : undefined
  }

  return (
    <TableFrame
      criteria={
        !print && (
          <CriteriaRow searchLabel="Load statistics" busy={query.isFetching} onSearch={load}>
            <PayoutPeriodPicker
              label="Period 1"
              value={{ start: draft.start1, end: draft.end1 }}
              onChange={({ start, end }) =>
                change({ start1: start ?? undefined, end1: end ?? undefined })
              }
            />
            <PayoutPeriodPicker
              label="Period 2"
              value={{ start: draft.start2, end: draft.end2 }}
              onChange={({ start, end }) =>
                change({ start2: start ?? undefined, end2: end ?? undefined })
              }
            />
          </CriteriaRow>
        )
      }
      summary={
        <MoreLine>
          {isValid && (
            <>
              <span>
                Period 1: {start1} – {end1}
              </span>
              <span>
                Period 2: {start2} – {end2}
              </span>
            </>
          )}
          <TimeZoneNote />
        </MoreLine>
      }
      actions={
        <>
          <ExportMenu
            save={savePerformance({ period1, period2, sortField, sortAsc })}
            disabled={!rows?.length || query.isFetching}
          />
          <PrintButtons
            on={print}
            onToggle={() =>
              void navigate({
                search: { ...search, print: print ? undefined : true },
                replace: true,
              })
            }
          />
        </>
      }
    >
      <DataTable
        caption="Office Performance"
        columns={performanceColumns(rows ?? [], salesOf, toDate)}
        rows={rows}
        rowKey={({ id }) => String(id)}
        empty={
          isValid ? (
            <EmptyList
              text="No data for period"
              about="No office has sold anything in either period."
            />
          ) : (
            INVALID_RANGE_MESSAGE
          )
        }
        stale={query.isPlaceholderData}
        failure={query}
        sort={{ field: sortField, asc: sortAsc }}
        onSort={list.sortBy}
        totals={
          can(me, 'offices.choose')
            ? performanceTotals(rows ?? [], salesOf, toDate !== undefined)
            : []
        }
        rowTone={({ progress }) => (progress > 0 ? 'good' : 'bad')}
        firstNumber={1}
        shrunk={print}
      />
    </TableFrame>
  )
}

interface PayoutPeriodPickerProps {
  label: string
  value: MaybeRange
  onChange: (range: MaybeRange) => void
}

/** Any days; the payout periods of the last year come first. */
function PayoutPeriodPicker({ label, value, onChange }: PayoutPeriodPickerProps) {
  const today = useToday()
  return (
    <DateRangePicker
      label={label}
      value={value}
      onChange={onChange}
      extraHints={[
        { heading: 'Payout half-months', hints: payoutBeWeekHints(today) },
        { heading: 'Payout weeks', hints: payoutWeekHints(today) },
      ]}
    />
  )
}

const areValid = ({ start1, end1, start2, end2 }: PerformanceSearch): boolean =>
  isValidRange({ start: start1, end: end1 }) && isValidRange({ start: start2, end: end2 })
