import type { OfficeChart } from '@tallyroom/contract/figures/office-performance'
import { formatCount } from '@tallyroom/domain/money'
import { lastDayOfMonth } from '@tallyroom/domain/new-york'
import type { ChartPreset, DateRange } from '@tallyroom/domain/periods'
import {
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { scrollerOf } from '../../lib/pages/scroller.ts'
import { officeSales } from '../../lib/office-sales.ts'
import { useMe } from '../../lib/session.ts'
import { Amount } from '../../ui/text/Amount.tsx'
import { Progress } from '../../shared/boards/Progress.tsx'
import { pointName } from '../../ui/chart/chart-style.ts'
import { type ChartPoint, chartSummary, type Extents, extentsOf, salesOf } from './chart-points.ts'
import { officeChartOption } from './office-chart-option.ts'
import { PlainTable } from '../../ui/PlainTable.tsx'
import classes from './OfficeChartsPage.module.css'

const Plot = lazy(() => import('../../ui/chart/Plot.tsx'))

interface OfficeChartCardProps {
  chart: OfficeChart
  points: readonly ChartPoint[]
  /** The common scale of all charts; undefined if each has its own. */
  scale: Extents | undefined
  groupBy: ChartPreset['groupBy']
  /** Shows only the table. */
  asTable: boolean
}

/** One office as a chart, or as a table. Charts are drawn once they scroll into view. */
export function OfficeChartCard({ chart, points, scale, groupBy, asTable }: OfficeChartCardProps) {
  const id = useId()
  const [ref, seen] = useSeen()
  // Hundreds of figures would hold up the choice of the tables.
  const hasTable = useDeferredValue(asTable) && asTable
  const option = useMemo(
    () => officeChartOption(points, groupBy, scale ?? extentsOf(points)),
    [points, groupBy, scale],
  )
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header>
        <h2 id={id}>By office {chart.officeName}</h2>
        <span>{formatCount(salesOf(chart.items))} sales</span>
      </header>
      <div className={classes.body}>
        {hasTable ? (
          <ChartTable chart={chart} points={points} groupBy={groupBy} />
        ) : asTable ? (
          <div className={classes.figures} />
        ) : (
          <div
            ref={ref}
            className={classes.frame}
            role="img"
            aria-label={chartSummary(chart, groupBy)}
          >
            {seen && (
              <Suspense>
                <Plot option={option} />
              </Suspense>
            )}
          </div>
        )}
      </div>
    </section>
  )
}

interface ChartTableProps {
  chart: OfficeChart
  points: readonly ChartPoint[]
  groupBy: ChartPreset['groupBy']
}

/** The points that have begun. */
function ChartTable({ chart: { companyId, officeName }, points, groupBy }: ChartTableProps) {
  const me = useMe()
  const daysOf = (date: string): DateRange => ({
    start: date,
    end: groupBy === 'day' ? date : lastDayOfMonth(date),
  })
  return (
    <div className={classes.figures}>
      <PlainTable
        label={`Figures of ${officeName}`}
        look="lined"
        columns={[
          {
            header: groupBy === 'day' ? 'Day' : 'Month',
            cell: ({ date }) => pointName(date, groupBy),
          },
          {
            header: 'Sales',
            numeric: true,
            cell: ({ date, value }) => (
              <Amount of={officeSales(me, companyId, daysOf(date))} label="Sales">
                {formatCount(value ?? 0)}
              </Amount>
            ),
          },
          {
            header: 'Progress',
            numeric: true,
            cell: ({ growth }) =>
              typeof growth === 'number' ? <Progress percent={growth} /> : (growth ?? '–'),
          },
        ]}
        rows={points.filter(({ value }) => value !== null)}
        rowKey={({ date }) => date}
      />
    </div>
  )
}

/**
 * How far outside the viewport a chart is already drawn, so that scrolling reveals no empty frame.
 */
const AHEAD_PX = 400

/** Whether an element has come into or near the viewport, or is about to be printed. Stays true. */
function useSeen() {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    const element = ref.current
    if (!element || seen) return
    const watched = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { root: scrollerOf(element), rootMargin: `${AHEAD_PX}px` },
    )
    watched.observe(element)
    // The printer does not wait for the next frame.
    const showAll = () => flushSync(() => setSeen(true))
    window.addEventListener('beforeprint', showAll)
    return () => {
      watched.disconnect()
      window.removeEventListener('beforeprint', showAll)
    }
  }, [seen])

  return [ref, seen] as const
}
