import { Button } from '@mantine/core'
import type { SiteStats } from '@tallyroom/contract/statistics'
import { overallTotals } from '@tallyroom/contract/stats-figures'
import type { Day } from '@tallyroom/domain/new-york'
import type { Comparison, DateRange } from '@tallyroom/domain/periods'
import { useSyncExternalStore } from 'react'
import { useToday } from '../../lib/clock.ts'
import { pointName } from '../../ui/chart/chart-style.ts'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { Select } from '../../ui/Select.tsx'
import { Change } from '../../ui/Tile.tsx'
import { Figure, type FigureColumn, OpenedFigure, type OpensFigure } from './stats-columns.tsx'
import classes from './Overview.module.css'
import {
  comparisonsOf,
  comparisonWords,
  daysOfBar,
  tileFigures,
  trendOf,
} from './overview-figures.ts'
import type { StatsReport } from './stats-search.ts'

interface OverviewProps {
  report: StatsReport
  range: DateRange
  /** Undefined before the first answer. */
  stats: SiteStats | undefined
  isStale: boolean
  figures: readonly FigureColumn[]
  /** The id of the figure that the chart draws. */
  measure: string | undefined
  onMeasure: (id: string) => void
  /** In a short window, whose weekly reports begin with the chart folded. */
  isChartOpen: boolean
  onChart: (isOpen: boolean) => void
  compare: Comparison
  onCompare: (compare: Comparison) => void
  /** What a total opens. */
  opens: OpensFigure
  /** Called with the days of a bar that was clicked. */
  onPick: (days: DateRange) => void
}

/**
 * The totals with their change, and one of them by day: the sums of the table below. Import it with
 * `lazy` into a frame of fixed height.
 */
export default function Overview(props: OverviewProps) {
  const { report, range, stats, isStale, figures, compare, onCompare, opens, onPick } = props
  const today = useToday()
  const isFoldable = useIsShort() && report.isWeekly
  const isFolded = isFoldable && !props.isChartOpen
  const tiles = tileFigures(figures)
  const chosen = tiles.find(({ id }) => id === props.measure) ?? tiles[0]
  const isWhole = report.isWeekly ? compare !== 'none' : compare === 'previous-whole'
  // The first answer determines which tiles there are.
  if (!chosen || !stats) return null
  const words = comparisonWords(range, stats.compared, today, isWhole)
  const overall = overallTotals(stats.overall)
  const compared = stats.compared && overallTotals(stats.compared.overall)
  const unit = stats.points?.unit ?? 'day'
  const points = trendOf(stats.points?.items ?? [], chosen)

  return (
    <div
      className={classes.overview}
      data-stale={isStale || undefined}
      data-folded={isFolded || undefined}
    >
      <div className={classes.tiles} data-uneven={words.isUneven || undefined}>
        {tiles.map((column) => (
          <div
            key={column.id}
            className={classes.tile}
            data-chosen={(!isFolded && column === chosen) || undefined}
          >
            <button
              type="button"
              aria-label={`Chart ${column.header}`}
              aria-pressed={!isFolded && column === chosen}
              onClick={() => props.onMeasure(column.id)}
            >
              {column.header}
            </button>
            {compare !== 'none' && (
              <Change
                now={column.value(overall) ?? 0}
                before={compared && (column.value(compared) ?? 0)}
                against={words.before ?? ''}
              />
            )}
            <span className={classes.value}>
              <Figure column={column} amounts={overall} opens={opens(column)} />
            </span>
          </div>
        ))}
      </div>
      {isFolded ? (
        <FoldButton onClick={() => props.onChart(true)}>Show chart</FoldButton>
      ) : (
        <TrendChart
          label={`${chosen.header} by ${unit}`}
          points={points}
          format={chosen.format}
          nowLabel={words.now}
          beforeLabel={words.before}
          unit={unit}
          onPick={(day: Day) => onPick(daysOfBar(day, unit, range))}
          linked={(figure, day, of) => {
            const within = of === 'bar' ? range : (stats.compared ?? range)
            return (
              <OpenedFigure
                opens={opens(chosen, undefined, daysOfBar(day, unit, within))}
                label={`${chosen.header}, ${pointName(day, unit)},`}
              >
                {figure}
              </OpenedFigure>
            )
          }}
          controls={
            <div className={classes.controls}>
              {isFoldable && (
                <FoldButton onClick={() => props.onChart(false)}>Hide chart</FoldButton>
              )}
              <Select
                size="xs"
                w={170}
                aria-label="Compare with"
                allowDeselect={false}
                data={comparisonsOf(report)}
                value={compare}
                onChange={(next) => next !== null && onCompare(next)}
              />
            </div>
          }
        />
      )}
    </div>
  )
}

const FoldButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button size="compact-xs" variant="subtle" color="gray" onClick={onClick}>
    {children}
  </Button>
)

/** Too short for a pay schedule, a chart and rows. `StatsPage.module.css` repeats it. */
const short = window.matchMedia('screen and (height < 950px) and (width > 62em)')

const subscribe = (notify: () => void) => {
  short.addEventListener('change', notify)
  return () => short.removeEventListener('change', notify)
}

const useIsShort = () => useSyncExternalStore(subscribe, () => short.matches)
