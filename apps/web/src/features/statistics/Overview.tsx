import type { SiteStats } from '@tallyroom/contract/statistics'
import { overallTotals } from '@tallyroom/contract/stats-figures'
import type { Day } from '@tallyroom/domain/new-york'
import type { Comparison, DateRange } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { Select } from '../../ui/Select.tsx'
import { Change } from '../../ui/Tile.tsx'
import { Figure, type FigureColumn, type OpensFigure } from './stats-columns.tsx'
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
  compare: Comparison
  onCompare: (compare: Comparison) => void
  /** What a total opens. */
  opens: OpensFigure
  /** Called with the days of a bar that was clicked. */
  onPick: (days: DateRange) => void
}

/**
 * The totals with their change, and one of them by day: what the table below adds up to. Import it with `lazy` into a
 * frame of fixed height.
 */
export default function Overview(props: OverviewProps) {
  const { report, range, stats, isStale, figures, compare, onCompare, opens, onPick } = props
  const today = useToday()
  const tiles = tileFigures(figures)
  const chosen = tiles.find(({ id }) => id === props.measure) ?? tiles[0]
  const isWhole = report.isWeekly ? compare !== 'none' : compare === 'previous-whole'
  // Which tiles there are, the first answer says.
  if (!chosen || !stats) return null
  const words = comparisonWords(range, stats.compared, today, isWhole)
  const overall = overallTotals(stats.overall)
  const compared = stats.compared && overallTotals(stats.compared.overall)
  const unit = stats.points?.unit ?? 'day'
  const points = trendOf(stats.points?.items ?? [], chosen)

  return (
    <div className={classes.overview} data-stale={isStale || undefined}>
      <div className={classes.tiles} data-uneven={words.isUneven || undefined}>
        {tiles.map((column) => (
          <div
            key={column.id}
            className={classes.tile}
            data-chosen={column === chosen || undefined}
          >
            <button
              type="button"
              aria-label={`Chart ${column.header}`}
              aria-pressed={column === chosen}
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
      <TrendChart
        label={`${chosen.header} by ${unit}`}
        points={points}
        format={chosen.format}
        nowLabel={words.now}
        beforeLabel={words.before}
        unit={unit}
        onPick={(day: Day) => onPick(daysOfBar(day, unit, range))}
        controls={
          <Select
            size="xs"
            w={170}
            aria-label="Compare with"
            allowDeselect={false}
            data={comparisonsOf(report)}
            value={compare}
            onChange={(next) => next !== null && onCompare(next)}
          />
        }
      />
    </div>
  )
}
