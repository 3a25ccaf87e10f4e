import { exportsEndpoints } from '@tallyroom/contract/exports'
import { statisticsEndpoints, type StatsRow } from '@tallyroom/contract/statistics'
import { criteriaOf, type StatsCriteria } from '@tallyroom/contract/stats-criteria'
import { groupings } from '@tallyroom/contract/stats-table'
import { can } from '@tallyroom/domain/abilities'
import { isValidRange, weeksOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { ListFrame, type ListQuery } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { PrintButtons } from '../../ui/list/PrintButtons.tsx'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { amountOf, clicksOf, rowKeyOf } from './amounts.ts'
import { CriteriaPanel } from './CriteriaPanel.tsx'
import { drillInto, drillSearch, DrillTrail, readTrail } from './drill.tsx'
import { NoStatistics } from './NoStatistics.tsx'
import {
  criteriaSummary,
  statsCall,
  statsQuery,
  type StatsCall,
  useCriteriaNames,
} from './statistics.api.ts'
import {
  expectedFlags,
  type OpensFigure,
  figureColumns,
  statsColumns,
  tierColumns,
} from './stats-columns.tsx'
import {
  isSameCriteria,
  payrollAvpReport,
  payrollReport,
  searchOf,
  sitesAvpReport,
  sitesReport,
  sortOf,
  type StatsReport,
  type StatsSearch,
} from './stats-search.ts'
import { totalsRows } from './totals-rows.tsx'
import { WithDays } from '../../ui/WithDays.tsx'
import classes from './StatsPage.module.css'
import { WeekSchedules } from './WeekSchedules.tsx'

const Overview = lazy(() => import('./Overview.tsx'))
const PayRule = lazy(() => import('./PayRule.tsx'))

interface StatsPageProps {
  report: StatsReport
  search: StatsSearch
  /** The endpoint that answers. */
  ask: StatsCall
}

/** All four statistics pages: criteria, breadcrumb, table, totals and print version. */
function StatsPage({ report, search, ask }: StatsPageProps) {
  const me = useMe()
  const navigate = useNavigate()
  const criteria = criteriaOf(search, report, me)
  const { groupBy } = criteria
  const trail = readTrail(search.trail, criteria)
  const names = useCriteriaNames(criteria)
  const list = useListState(
    { ...search, ...sortOf(search, groupBy, report, me) },
    groupings[groupBy].sort,
  )
  const { page, pageSize, sortField, sortAsc } = list
  const { compare = 'previous', print = false } = search
  const request = { ...criteria, page, pageSize, sortField, sortAsc }
  const asked = { compare: print ? 'none' : compare, points: !print } as const
  const query = useQuery(statsQuery(ask, { ...request, ...asked }))
  const [isChartOpen, setIsChartOpen] = useState(false)
  const hasCriteria = isValidRange(criteria)
  const answer = hasCriteria && !query.isError ? query.data : undefined
  const shown = answer?.criteria ?? criteria
  const figures = figureColumns(report, shown.groupBy, answer?.stats ?? expectedFlags(me))

  const rows: ListQuery<StatsRow> = hasCriteria
    ? {
        data: answer?.stats.page,
        error: query.error,
        isPlaceholderData: query.isFetching && answer !== undefined,
        refetch: query.refetch,
      }
    : NOTHING_ASKED

  /** The parameters that new criteria keep. */
  const kept = { print: search.print, compare: search.compare, measure: search.measure }
  const load = (next: StatsCriteria) => {
    const isSame = isSameCriteria(next, criteria)
    if (isSame && page === 1) return void query.refetch()
    const isSameTable = next.groupBy === groupBy && next.siteId === criteria.siteId
    list.search({
      ...searchOf(next, report),
      ...kept,
      trail: isSame ? search.trail : undefined,
      ...(!isSameTable && { sortField: undefined, sortAsc: undefined }),
    })
  }
  const drill = (target: StatsCriteria) => ({
    ...drillSearch(target, shown, trail, report),
    ...kept,
    pageSize: search.pageSize,
  })
  const choose = (part: Pick<StatsSearch, 'compare' | 'measure' | 'print'>) =>
    void navigate({ to: '.', search: { ...search, ...part }, replace: true })
  const opens: OpensFigure = ({ sortField: column }, row, days) => ({
    amount: amountOf(report, { ...shown, ...days }, column, row),
    clicks: can(me, 'logs.click-outs') ? clicksOf({ ...shown, ...days }, column, row) : undefined,
  })

  const unsettled = report.isWeekly ? (
    <span className={classes.rule}>
      For information only: whether tiers pay instead of rates or on top of them is not set yet.
    </span>
  ) : undefined

  return (
    <>
      <ListFrame
        name={report.title}
        numbered
        query={rows}
        list={list}
        columns={statsColumns({
          groupBy: shown.groupBy,
          viewer: me,
          facts: tierColumns(report, shown.groupBy),
          figures,
          drill: (column, row) => {
            const target = drillInto(shown, column, row, report, me)
            return target && drill(target)
          },
          opens,
        })}
        rowKey={(row) => Object.values(rowKeyOf(row)).join(' ')}
        empty={<NoStatistics criteria={criteria} onLoad={load} />}
        criteria={
          !print && (
            <>
              <div className={classes.criteria}>
                <CriteriaPanel
                  report={report}
                  applied={criteria}
                  busy={query.isFetching}
                  onLoad={load}
                />
                {report.isWeekly && hasCriteria && (
                  <WeekSchedules start={criteria.start} end={criteria.end} />
                )}
              </div>
              {hasCriteria && !query.isError && (
                <div
                  className={classes.overview}
                  data-weekly={report.isWeekly || undefined}
                  data-open={isChartOpen || undefined}
                >
                  <Suspense>
                    <Overview
                      report={report}
                      range={isValidRange(shown) ? shown : criteria}
                      stats={answer?.stats}
                      isStale={rows.isPlaceholderData}
                      figures={figures}
                      measure={search.measure}
                      onMeasure={(measure) => {
                        setIsChartOpen(true)
                        choose({ measure })
                      }}
                      isChartOpen={isChartOpen}
                      onChart={setIsChartOpen}
                      compare={compare}
                      onCompare={(next) =>
                        choose({ compare: next === 'previous' ? undefined : next })
                      }
                      opens={opens}
                      onPick={(days) => {
                        const target = { ...shown, ...(report.isWeekly ? weeksOf(days) : days) }
                        if (!isSameCriteria(target, shown))
                          void navigate({ to: '.', search: drill(target) })
                      }}
                    />
                  </Suspense>
                </div>
              )}
            </>
          )
        }
        summary={
          <>
            <DrillTrail report={report} trail={trail} current={criteria} names={names} />
            <div className={classes.summary}>
              <WithDays>{criteriaSummary(criteria, names)}</WithDays>
              {!search.print && <span>Every amount opens.</span>}
              <TimeZoneNote />
              {hasCriteria && report !== sitesReport && (
                <Suspense fallback={unsettled}>
                  <PayRule report={report} range={criteria} unsettled={unsettled} />
                </Suspense>
              )}
            </div>
          </>
        }
        actions={
          <>
            <ExportMenu
              save={async (format, options) => {
                const { start, end } = criteria
                const range = { start, end }
                if (!isValidRange(range)) return
                await ask.save(
                  { ...request, ...range, page: 1, compare: 'none', points: false },
                  format,
                  options,
                )
              }}
              disabled={!answer?.stats.page.total || query.isFetching}
            />
            <PrintButtons on={print} onToggle={() => choose({ print: print ? undefined : true })} />
          </>
        }
        totals={answer ? totalsRows(shown.groupBy, answer.stats, figures, opens, sortField) : []}
        shrunk={print}
      />
    </>
  )
}

/** Without a valid range the table is cleared. */
const NOTHING_ASKED: ListQuery<StatsRow> = {
  data: { items: [], total: 0 },
  error: null,
  isPlaceholderData: false,
  refetch: () => {},
}

const sitesRoute = getRouteApi('/app/stats/sites')
const sitesCall = statsCall(statisticsEndpoints.siteStats, exportsEndpoints.exportSiteStats)

/** Sites Statistics: clicks, sales and bonuses, grouped by the choice in View By. */
export const SitesStatsPage = () => (
  <StatsPage report={sitesReport} search={sitesRoute.useSearch()} ask={sitesCall} />
)

const avpRoute = getRouteApi('/app/stats/sites-avp')
const avpCall = statsCall(statisticsEndpoints.avpStats, exportsEndpoints.exportAvpStats)

/** Sites AVP Statistics: weekly figures with each agent's tier. */
export const SitesAvpPage = () => (
  <StatsPage report={sitesAvpReport} search={avpRoute.useSearch()} ask={avpCall} />
)

const payrollRoute = getRouteApi('/app/stats/sites-payout')
const payrollCall = statsCall(statisticsEndpoints.payroll, exportsEndpoints.exportPayroll)

/** Payroll: what sales and bonuses pay. */
export const PayrollPage = () => (
  <StatsPage report={payrollReport} search={payrollRoute.useSearch()} ask={payrollCall} />
)

const payrollAvpRoute = getRouteApi('/app/stats/sites-payout-avp')
const payrollAvpCall = statsCall(statisticsEndpoints.payrollAvp, exportsEndpoints.exportPayrollAvp)

/** Payroll AVP: what weekly sales pay by the agents' tiers. */
export const PayrollAvpPage = () => (
  <StatsPage report={payrollAvpReport} search={payrollAvpRoute.useSearch()} ask={payrollAvpCall} />
)
