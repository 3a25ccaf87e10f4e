import type { OfficeChart } from '@tallyroom/contract/office-performance'
import { formatCount } from '@tallyroom/domain/money'
import type { ChartPreset } from '@tallyroom/domain/periods'
import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Progress } from '../../ui/boards/Progress.tsx'
import { chartSummary, hasProgress, pointName, pointsOf, salesOf } from './chart-points.ts'
import classes from './OfficeChartsPage.module.css'

const OfficePlot = lazy(() => import('./OfficePlot.tsx'))

interface OfficeChartCardProps {
  chart: OfficeChart
  preset: ChartPreset
  asTable: boolean
}

/** One office as a chart or a table. Charts are drawn once they scroll into view. */
export function OfficeChartCard({ chart, preset, asTable }: OfficeChartCardProps) {
  const id = useId()
  const { groupBy } = preset
  const [ref, seen] = useSeen()
  const points = useMemo(() => pointsOf(chart, preset, groupBy), [chart, preset, groupBy])
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header>
        <h2 id={id}>By office {chart.officeName}</h2>
        <span>{formatCount(salesOf(chart.items))} sales</span>
      </header>
      {asTable ? (
        <ChartTable chart={chart} groupBy={groupBy} />
      ) : (
        <div
          ref={ref}
          className={classes.frame}
          role="img"
          aria-label={chartSummary(chart, groupBy)}
        >
          {seen && (
            <Suspense>
              <OfficePlot points={points} groupBy={groupBy} />
            </Suspense>
          )}
        </div>
      )}
    </section>
  )
}

const ChartTable = ({
  chart,
  groupBy,
}: {
  chart: OfficeChart
  groupBy: ChartPreset['groupBy']
}) => (
  <div
    className={classes.figures}
    // Focusable, so that long tables can be scrolled by keyboard.
    tabIndex={0}
    role="region"
    aria-label={`Figures of ${chart.officeName}`}
  >
    <table>
      <thead>
        <tr>
          <th scope="col">{groupBy === 'day' ? 'Day' : 'Month'}</th>
          <th scope="col">Sales</th>
          <th scope="col">Progress</th>
        </tr>
      </thead>
      <tbody>
        {chart.items.map((item) => (
          <tr key={item.date}>
            <td>{pointName(item.date, groupBy)}</td>
            <td>{formatCount(item.value)}</td>
            <td>{hasProgress(item) ? <Progress percent={item.progress} /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** How far outside of the view a chart is drawn already, so that scrolling meets no empty frame. */
const AHEAD_PX = 400

/** Whether an element has come into view, or near it, or is to be printed. It stays so. */
function useSeen() {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    const element = ref.current
    if (!element || seen) return
    const watched = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { root: element.closest('main'), rootMargin: `${AHEAD_PX}px` },
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
