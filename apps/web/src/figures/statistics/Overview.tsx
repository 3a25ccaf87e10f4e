import { ActionIcon } from '@mantine/core'
import type { SiteStats } from '@tallyroom/contract/figures/statistics'
import { overallTotals, type StatsTotals } from '@tallyroom/contract/figures/stats-figures'
import type { Day } from '@tallyroom/domain/new-york'
import type { Comparison, DateRange } from '@tallyroom/domain/periods'
import { IconChartBar } from '@tabler/icons-react'
import { useToday } from '../../lib/clock.ts'
import { pointName } from '../../ui/chart/chart-style.ts'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { Select } from '../../ui/Select.tsx'
import { Change } from '../../ui/Tile.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
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
  const { isChartOpen } = props
  const today = useToday()
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
    <div className={classes.overview} data-stale={isStale || undefined}>
      <div className={classes.strip}>
        <div
          className={classes.tiles}
          data-uneven={words.isUneven || undefined}
          role="group"
          aria-label="Totals"
          // Focusable, because it scrolls on a phone.
          tabIndex={0}
        >
          {tiles.map((column) => (
            <div
              key={column.id}
              className={classes.tile}
              data-chosen={(isChartOpen && column === chosen) || undefined}
            >
              <button
                type="button"
                aria-label={`Chart ${column.header}`}
                aria-pressed={isChartOpen && column === chosen}
                onClick={() => props.onMeasure(column.id)}
              >
                {column.header}
              </button>
              {compare !== 'none' && (
                <Change
                  now={column.value(overall) ?? 0}
                  before={compared && (column.value(compared) ?? 0)}
                  {...(compared && behind(column, compared))}
                  against={words.before ?? ''}
                />
              )}
              <span className={classes.value}>
                <Figure column={column} amounts={overall} opens={opens(column)} />
              </span>
            </div>
          ))}
        </div>
        <Tooltip label={isChartOpen ? 'Hide chart' : 'Show chart'}>
          <ActionIcon
            variant="default"
            className={classes.fold}
            aria-label={isChartOpen ? 'Hide chart' : 'Show chart'}
            aria-expanded={isChartOpen}
            onClick={() => props.onChart(!isChartOpen)}
          >
            <IconChartBar size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {isChartOpen && (
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
            <Select
              size="xs"
              w={170}
              aria-label="Compare with"
              data={comparisonsOf(report)}
              value={compare}
              onChange={(next) => next !== null && onCompare(next)}
            />
          }
        />
      )}
    </div>
  )
}

/** How many events are behind a figure of the compared days: the figure itself if it counts some, otherwise the sales. */
function behind(column: FigureColumn, compared: StatsTotals) {
  const before = column.value(compared) ?? 0
  if (column.kind === 'count') return { events: before }
  const events = Math.abs(compared.sales ?? 0) + Math.abs(compared.bonusSales ?? 0)
  return { events, beforeText: column.format(before), isMoney: true }
}
