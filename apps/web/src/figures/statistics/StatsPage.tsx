import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { subOfView } from '@tallyroom/contract/figures/stats-table'
import { isValidRange, weeksOf } from '@tallyroom/domain/periods'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useIsShort, useIsSmall } from '../../lib/phone.ts'
import { storedValue } from '../../lib/stored.ts'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { MoreLine } from '../../ui/list/MoreLine.tsx'
import { PrintButtons } from '../../ui/export/PrintButtons.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { rowKeyOf } from './amounts.ts'
import { CriteriaPanel } from './CriteriaPanel.tsx'
import { DrillTrail } from './drill.tsx'
import { NoStatistics } from './NoStatistics.tsx'
import { criteriaSummary, statsCall, type StatsCall, useCriteriaNames } from './statistics.api.ts'
import {
  payrollAvpReport,
  payrollReport,
  sitesAvpReport,
  sitesReport,
  type StatsReport,
  type StatsSearch,
} from './stats-search.ts'
import { totalsRows } from './totals-rows.tsx'
import { useStats } from './use-stats.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './StatsPage.module.css'
import { WeekSchedules } from './WeekSchedules.tsx'

const Overview = lazy(() => import('./Overview.tsx'))
const EarnedStrip = lazy(() => import('./EarnedStrip.tsx'))
const PayRule = lazy(() => import('./PayRule.tsx'))

interface StatsPageProps {
  report: StatsReport
  search: StatsSearch
  /** The endpoint that answers. */
  ask: StatsCall
}

const chartOpen = storedValue('tallyroom.chart-open', (text) => text === 'true')

/** Whether the chart is shown, remembered in this browser. At first it is folded where it would leave few rows. */
function useIsChartOpen(): boolean {
  const isShort = useIsShort()
  return useSyncExternalStore(chartOpen.subscribe, chartOpen.get) ?? !isShort
}

/** All four statistics pages: criteria, breadcrumb, table, totals and print version. */
function StatsPage({ report, search, ask }: StatsPageProps) {
  const stats = useStats(report, search, ask)
  const { criteria, list, query, request, range, answer, shown, rows, figures, opens } = stats
  const { load, choose } = stats
  const names = useCriteriaNames(criteria)
  const { compare = 'previous', print = false } = search
  const isChartOpen = useIsChartOpen()
  // In the line of the criteria where a line of its own would cost a row.
  const isSmall = useIsSmall()
  const earned = range && <EarnedStrip report={report} range={range} criteria={shown} />

  const unsettled = report.isWeekly ? (
    <span>
      For information only: whether tiers pay instead of rates or on top of them is not set yet.
    </span>
  ) : undefined

  return (
    <ListFrame
      name={report.title}
      numbered
      query={rows}
      list={list}
      columns={stats.columns}
      rowKey={(row) => Object.values(rowKeyOf(row)).join(' ')}
      empty={<NoStatistics criteria={criteria} onLoad={load} />}
      criteria={
        !print && (
          <CriteriaPanel report={report} applied={criteria} busy={query.isFetching} onLoad={load} />
        )
      }
      above={
        !print &&
        range &&
        !query.isError && (
          <div className={classes.overview} data-open={isChartOpen || undefined}>
            <Suspense>
              <Overview
                report={report}
                range={isValidRange(shown) ? shown : range}
                stats={answer?.stats}
                isStale={rows.isPlaceholderData}
                figures={figures}
                measure={search.measure}
                onMeasure={(measure) => {
                  chartOpen.set(true)
                  choose({ measure })
                }}
                isChartOpen={isChartOpen}
                onChart={chartOpen.set}
                compare={compare}
                onCompare={(next) => choose({ compare: next === 'previous' ? undefined : next })}
                opens={opens}
                onPick={(days) =>
                  stats.pick({ ...shown, ...(report.isWeekly ? weeksOf(days) : days) })
                }
              />
            </Suspense>
          </div>
        )
      }
      summary={
        <>
          {!isSmall && (
            <MoreLine about="what is paid">
              <Suspense>{earned}</Suspense>
            </MoreLine>
          )}
          <MoreLine
            more={
              report.isWeekly &&
              range && (
                <div className={classes.schedules}>
                  <WeekSchedules start={range.start} end={range.end} />
                </div>
              )
            }
          >
            {isSmall && <Suspense>{earned}</Suspense>}
            <DrillTrail report={report} trail={stats.trail} current={criteria} names={names} />
            <span>
              <WithDays>{criteriaSummary(criteria, names)}</WithDays>
            </span>
            {range && report !== sitesReport && (
              <Suspense fallback={unsettled}>
                <PayRule report={report} range={range} unsettled={unsettled} />
              </Suspense>
            )}
            {(subOfView(shown.groupBy) ?? shown.sub) && <SubNote />}
            <TimeZoneNote />
            {!search.print && <span>Every amount opens.</span>}
          </MoreLine>
        </>
      }
      actions={
        <>
          <ExportMenu
            save={async (format, options) => {
              if (!range) return
              const { start, end } = range
              await ask.save(
                { ...request, start, end, page: 1, compare: 'none', points: false },
                format,
                options,
              )
            }}
            disabled={!answer?.stats.page.total || query.isFetching}
          />
          <PrintButtons on={print} onToggle={() => choose({ print: print ? undefined : true })} />
        </>
      }
      totals={answer ? totalsRows(shown.groupBy, answer.stats, figures, opens, list.sortField) : []}
      shrunk={print}
    />
  )
}

/** What figures by sub id are, where a reader might expect something else. */
const SubNote = () => (
  <span>
    Uniques are those of the link, at the sub id of the click that was unique. Of archived clicks,
    sub ids are not known.
  </span>
)

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
