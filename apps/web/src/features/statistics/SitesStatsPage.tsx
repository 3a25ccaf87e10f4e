import { Button } from '@mantine/core'
import { DEFAULT_PAGE_SIZE } from '@tallyroom/contract/list'
import type { StatsRow } from '@tallyroom/contract/statistics'
import { INVALID_RANGE_MESSAGE, isValidRange } from '@tallyroom/domain/periods'
import { IconArrowsMinimize, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame, type ListQuery } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { CriteriaPanel } from './CriteriaPanel.tsx'
import { criteriaSummary, useCriteriaNames } from './criteria-names.ts'
import { drillInto, drillSearch, readTrail } from './drill.ts'
import { DrillTrail } from './DrillTrail.tsx'
import {
  criteriaOf,
  isSameCriteria,
  searchOf,
  sortOf,
  type SiteStatsCriteria,
} from './site-stats-search.ts'
import { fetchSiteStats, siteStatsQuery } from './statistics.api.ts'
import { csvColumns, expectedFlags, figureColumns, statsColumns } from './stats-columns.tsx'
import { totalsRows } from './totals-rows.tsx'
import classes from './SitesStatsPage.module.css'
import { statsViews } from './views.ts'

const route = getRouteApi('/app/stats/sites')

/** Sites Statistics: clicks, sales and bonuses by day, office, agent or both. */
export function SitesStatsPage() {
  const me = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const criteria = criteriaOf(search, me)
  const { groupBy } = criteria
  const trail = readTrail(search.trail, criteria)
  const names = useCriteriaNames(criteria)
  const list = useListState({ ...search, ...sortOf(search, groupBy, me) }, statsViews[groupBy].sort)
  const { page, pageSize, sortField, sortAsc } = list
  const request = { ...criteria, page, pageSize, sortField, sortAsc }
  const query = useQuery(siteStatsQuery(request))
  const hasCriteria = isValidRange(criteria)
  const answer = hasCriteria && !query.isError ? query.data : undefined
  const shown = answer?.criteria ?? criteria
  const figures = figureColumns(shown.groupBy, answer?.stats ?? expectedFlags(me))

  const rows: ListQuery<StatsRow> = hasCriteria
    ? {
        data: answer?.stats.page,
        error: query.error,
        isPlaceholderData: query.isFetching && answer !== undefined,
        refetch: query.refetch,
      }
    : NOTHING_ASKED

  const load = (next: SiteStatsCriteria) => {
    const isSame = isSameCriteria(next, criteria)
    if (isSame && page === 1) return void query.refetch()
    const isSameTable = next.groupBy === groupBy && next.siteId === criteria.siteId
    list.search({
      ...searchOf(next),
      print: search.print,
      trail: isSame ? search.trail : undefined,
      ...(!isSameTable && { sortField: undefined, sortAsc: undefined }),
    })
  }
  /** What stays as it is on the way from view to view. */
  const kept = {
    print: search.print,
    pageSize: pageSize === DEFAULT_PAGE_SIZE ? undefined : pageSize,
  }

  return (
    <ListFrame
      name="Sites Statistics"
      numbered
      query={rows}
      list={list}
      columns={statsColumns({
        groupBy: shown.groupBy,
        viewer: me,
        figures,
        drill: (choice) => {
          const target = drillInto(shown, choice, me)
          return target && { ...drillSearch(target, shown, trail), ...kept }
        },
      })}
      rowKey={({ date, companyId, agentId }) => [date, companyId, agentId].join(' ')}
      empty={hasCriteria ? 'No statistics for selected period' : INVALID_RANGE_MESSAGE}
      criteria={
        !search.print && <CriteriaPanel applied={criteria} busy={query.isFetching} onLoad={load} />
      }
      summary={
        <>
          <DrillTrail trail={trail} current={criteria} names={names} />
          <div className={classes.summary}>
            {criteriaSummary(criteria, names)}
            <TimeZoneNote />
          </div>
        </>
      }
      actions={
        <>
          {hasCriteria && (
            <ExportCsv
              fileName={`sites-statistics-${criteria.start}-${criteria.end}`}
              columns={csvColumns(shown.groupBy, me, figures)}
              fetchPage={(part) => fetchSiteStats({ ...criteria, sortField, sortAsc, ...part })}
              disabled={!answer?.stats.page.total || query.isFetching}
            />
          )}
          {search.print && (
            <Button
              variant="default"
              leftSection={<IconPrinter size={15} />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )}
          <Button
            variant={search.print ? 'light' : 'default'}
            aria-pressed={search.print ?? false}
            leftSection={<IconArrowsMinimize size={15} />}
            onClick={() =>
              void navigate({
                search: { ...search, print: search.print ? undefined : true },
                replace: true,
              })
            }
          >
            Print version
          </Button>
        </>
      }
      totals={answer ? totalsRows(shown.groupBy, answer.stats, figures) : []}
      shrunk={search.print ?? false}
    />
  )
}

/** Without a valid range the table is cleared. */
const NOTHING_ASKED: ListQuery<StatsRow> = {
  data: { items: [], total: 0 },
  error: null,
  isPlaceholderData: false,
  refetch: () => {},
}
