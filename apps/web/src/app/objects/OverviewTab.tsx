import { statisticsEndpoints, type StatsRow } from '@tallyroom/contract/figures/statistics'
import { formatCount, signedPesos } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { comparedRange } from '@tallyroom/domain/compared-range'
import { type DateRange, daysInRange, daysInWords, periodOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useToday } from '../../lib/clock.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { queryOf } from '../../lib/queries.ts'
import { useWithin } from '../../shared/within.ts'
import { FigureLink } from '../../ui/text/Amount.tsx'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { Tile } from '../../ui/Tile.tsx'
import classes from './OverviewTab.module.css'

/**
 * Figures of an office, agent or site: today, the last two half-months, and the days that they
 * consist of.
 */
export function OverviewTab() {
  const within = useWithin()
  const navigate = useNavigate()
  const today = useToday()
  const asked = daysOf(today)
  const query = useQuery(
    queryOf(statisticsEndpoints.siteStats, {
      body: {
        groupBy: 'date',
        ...within,
        ...asked,
        sortField: 'date',
        sortAsc: true,
        page: 1,
        pageSize: daysInRange(asked),
      },
    }),
  )
  const days = query.data?.page.items
  const withPayout = query.data?.payoutVisible ?? false
  const points = useMemo(() => days && pointsOf(days, today, withPayout), [days, today, withPayout])
  const sumOf = (range: DateRange) => days && totalOf(days, range, withPayout)

  return (
    <div className={classes.overview}>
      {query.error && <p role="alert">{failureText(query.error)}</p>}
      <div className={classes.tiles}>
        {periodsOf(today).map(({ label, range, before, against }) => {
          const sum = sumOf(range)
          const compared = before && sumOf(before)
          return (
            <Tile
              key={label}
              to="/app/stats/sites"
              search={{ ...within, ...range, groupBy: 'date' }}
              // Tiers may pay instead of rates, or on top: Home and Pay have what was earned.
              label={withPayout ? `${label}, by rates` : label}
              value={sum && (withPayout ? signedPesos(sum.main) : formatCount(sum.main))}
              note={sum && noteOf(sum, withPayout)}
              {...(sum &&
                compared && {
                  change: {
                    now: sum.main,
                    before: compared.main,
                    events: compared.sales,
                    against,
                    ...(withPayout && { beforeText: signedPesos(compared.main), isMoney: true }),
                  },
                })}
            />
          )
        })}
      </div>
      {points && (
        <TrendChart
          points={points}
          format={withPayout ? signedPesos : formatCount}
          label={withPayout ? 'Payout by day' : 'Sales by day'}
          nowLabel="Last 30 days"
          onPick={(day) =>
            void navigate({
              to: '/app/stats/sites',
              search: { ...within, start: day, end: day, groupBy: 'date' },
            })
          }
          // Payout with bonuses consists of two amounts, each of which opens its own explanation.
          linked={(figure, day) => (
            <FigureLink
              to="/app/stats/sites"
              search={{ ...within, start: day, end: day, groupBy: 'date' }}
              label={`${withPayout ? 'Payout' : 'Sales'}, ${day}, ${figure}: statistics`}
            >
              {figure}
            </FigureLink>
          )}
        />
      )}
    </div>
  )
}

/** From the half-month with which the last one is compared; the chart's 30 days begin later. */
const daysOf = (today: Day): DateRange => ({
  start: periodOf(today, 'beWeek', 2).start,
  end: today,
})

/** Half-months are compared as on Home and in statistics. */
function periodsOf(today: Day) {
  const halfMonth = (label: string, back: number) => {
    const { start, end } = periodOf(today, 'beWeek', back)
    const before = comparedRange({ start, end }, today, 'previous')
    return {
      label,
      range: { start, end: end < today ? end : today },
      before,
      against: before ? daysInWords(before) : '',
    }
  }
  return [
    { label: 'Today', range: { start: today, end: today }, before: undefined, against: '' },
    halfMonth('This half-month', 0),
    halfMonth('Last half-month', 1),
  ]
}

/** The last 30 days. The answer omits days without a click. */
function pointsOf(days: readonly StatsRow[], today: Day, withPayout: boolean) {
  const values = new Map(days.map((day) => [day.date, mainOf(day, withPayout)]))
  return Array.from({ length: 30 }, (_, index) => {
    const day = addDays(today, index - 29)
    return { day, value: values.get(day) ?? 0 }
  })
}

const mainOf = (day: StatsRow, withPayout: boolean) =>
  withPayout ? (day.payout ?? 0) + (day.bonusPayout ?? 0) : day.sales

interface Sum {
  /** Payout in pesos for viewers who may see it, otherwise sales. */
  main: number
  sales: number
  uniques: number
}

function totalOf(days: readonly StatsRow[], { start, end }: DateRange, withPayout: boolean): Sum {
  const own = days.filter(({ date }) => date !== undefined && date >= start && date <= end)
  const of = (value: (day: StatsRow) => number) =>
    own.reduce((total, day) => total + Math.round(value(day) * 100), 0) / 100
  const sales = of((day) => day.sales)
  return {
    main: of((day) => mainOf(day, withPayout)),
    sales,
    uniques: of(({ uniques }) => uniques),
  }
}

const noteOf = ({ sales, uniques }: Sum, withPayout: boolean) =>
  [
    withPayout && `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`,
    `${formatCount(uniques)} ${uniques === 1 ? 'unique' : 'uniques'}`,
  ]
    .filter(Boolean)
    .join(' · ')
