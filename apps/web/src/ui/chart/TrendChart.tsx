import { Button } from '@mantine/core'
import type { Day } from '@tallyroom/domain/new-york'
import type { PointUnit } from '@tallyroom/domain/periods'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type PlainColumn, PlainTable } from '../PlainTable.tsx'
import classes from './chart.module.css'
import { pointName } from './chart-style.ts'
import { trendOption, trendSummary, type TrendPoint } from './trend-option.ts'

const Plot = lazy(() => import('./Plot.tsx'))

interface TrendChartProps {
  /**
   * One point per day, in order, or per week or month, dated on its first day. Memoized, because
   * new ones redraw the chart.
   */
  points: readonly TrendPoint[]
  /** Defined outside of the component, or memoized. */
  format: (value: number) => string
  /** What is drawn: `Payout by day`. */
  label: string
  /** Names the bars: `16–22 Nov`. */
  nowLabel?: string | undefined
  /** Names the ghosts: `9–15 Nov`. */
  beforeLabel?: string | undefined
  unit?: PointUnit
  /** Called with the day whose bar was clicked. */
  onPick?: ((day: Day) => void) | undefined
  /**
   * A figure of the table, as a link to its explanation. `day` is the first day of its bar or
   * ghost.
   */
  linked?: ((figure: string, day: Day, of: 'bar' | 'ghost') => ReactNode) | undefined
  /** Shown beside the legend: the choice of the compared period. */
  controls?: ReactNode
}

/** A measure by day as bars, the compared period as ghosts behind them, or both as a table. */
export function TrendChart({
  points,
  format,
  label,
  nowLabel = 'Now',
  beforeLabel = 'Before',
  unit = 'day',
  onPick,
  linked = plain,
  controls,
}: TrendChartProps) {
  const option = useMemo(() => trendOption(points, format, unit), [points, format, unit])
  const [asTable, setAsTable] = useState(false)
  const compares = points.some(({ before }) => before !== undefined)
  const beforeColumn: PlainColumn<TrendPoint> = {
    header: 'Before',
    numeric: true,
    className: classes.before,
    cell: ({ before, beforeDay }) =>
      before === undefined || beforeDay === undefined
        ? '–'
        : linked(format(before), beforeDay, 'ghost'),
  }
  const pick = (day: Day | undefined) => day !== undefined && onPick?.(day)
  return (
    <section className={classes.trend} aria-label={label}>
      <div className={classes.legend}>
        <span>
          <i /> {nowLabel}
        </span>
        {compares && (
          <span>
            <i data-ghost /> {beforeLabel}
          </span>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-pressed={asTable}
          onClick={() => setAsTable((shown) => !shown)}
        >
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
        {controls && <div>{controls}</div>}
      </div>
      {!asTable && (
        <div className={classes.frame} role="img" aria-label={trendSummary(points, format, label)}>
          <Suspense>
            <Plot option={option} onPick={onPick && ((place) => pick(points[place]?.day))} />
          </Suspense>
        </div>
      )}
      {asTable && (
        <PlainTable
          label={label}
          look="bare"
          className={classes.figures}
          columns={[
            {
              header: HEADINGS[unit],
              namesRow: true,
              cell: ({ day }) => (day === undefined ? '–' : pointName(day, unit)),
            },
            {
              header: compares ? 'Now' : label,
              numeric: true,
              cell: ({ day, value }) =>
                value === null || day === undefined ? '–' : linked(format(value), day, 'bar'),
            },
            ...(compares ? [beforeColumn] : []),
          ]}
          rows={points}
          rowKey={({ day, beforeDay }) => day ?? beforeDay ?? ''}
        />
      )}
    </section>
  )
}

const plain = (figure: string) => figure

const HEADINGS: Record<PointUnit, string> = { day: 'Day', week: 'Week', month: 'Month' }
