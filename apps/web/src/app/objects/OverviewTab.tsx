import {
  type Earned,
  earnedEndpoints,
  type RecentEarned,
} from '@tallyroom/contract/pay/closing/earned'
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
import {
  bothText,
  comparedAmounts,
  earnedParts,
  earnedText,
  partText,
} from '../../shared/earned.tsx'
import { useWithin, type Within } from '../../shared/within.ts'
import { FigureLink } from '../../ui/text/Amount.tsx'
import { TrendChart } from '../../ui/chart/TrendChart.tsx'
import { Tile } from '../../ui/Tile.tsx'
import classes from './OverviewTab.module.css'

/**
 * Figures of an office, agent or site: today, the last periods, and the days that they consist of. Of whoever may be paid,
 * they are what their own Home says, while pay is on.
 */
export function OverviewTab() {
  const within = useWithin()
  const { companyId, agentId, siteId } = within
  const paid = useQuery({
    ...queryOf(
      earnedEndpoints.recentEarned,
      {
        query: {
          ...(companyId !== undefined && { companyId: String(companyId) }),
          ...(agentId !== undefined && { agentId: String(agentId) }),
        },
      },
      { staleTime: 10_000 },
    ),
    // No tier pays for a site.
    enabled: siteId === undefined,
  })
  const earned = siteId === undefined ? paid.data?.earned : null
  const isKnown = siteId !== undefined || !paid.isPending
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
      {earned && days ? (
        <EarnedTiles
          earned={earned}
          within={within}
          today={today}
          countSales={(range) =>
            range.start < asked.start ? undefined : totalOf(days, range, withPayout).sales
          }
        />
      ) : (
        <div className={classes.tiles}>
          {periodsOf(today).map(({ label, range, before, against }) => {
            const sum = isKnown ? sumOf(range) : undefined
            const compared = before && sumOf(before)
            return (
              <Tile
                key={label}
                to="/app/stats/sites"
                search={{ ...within, ...range, groupBy: 'date' }}
                // Whether tiers pay instead of rates, or on top, is not settled until pay is on, and not for a site.
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
      )}
      {/* Not before the tiles above it have their lines, which would move it. */}
      {points && isKnown && (
        <TrendChart
          points={points}
          format={withPayout ? signedPesos : formatCount}
          label={withPayout ? 'Payout by rates, by day' : 'Sales by day'}
          nowLabel={withPayout ? 'Payout by rates, last 30 days' : 'Sales, last 30 days'}
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

interface EarnedTilesProps {
  earned: RecentEarned
  within: Within
  today: Day
  /** Undefined for days that begin before those that were asked for. */
  countSales: (range: DateRange) => number | undefined
}

/** The figures of the payee's own Home: rates, tiers and bonuses together. */
const EarnedTiles = ({
  earned: { today: paidToday, now, last, before },
  ...of
}: EarnedTilesProps) => (
  <div className={classes.tiles} data-earned>
    <EarnedTile
      {...of}
      label="Today"
      range={{ start: of.today, end: of.today }}
      value={bothText(paidToday)}
    />
    <EarnedTile
      {...of}
      label={`Earned so far, ${daysInWords(now)}`}
      range={now}
      value={earnedText(now.sums)}
      parts={now.sums}
    />
    {last && (
      <EarnedTile
        {...of}
        label={`${last.isClosed ? 'Earned' : 'Earned, not closed yet'}, ${daysInWords(last)}`}
        range={last}
        value={earnedText(last.sums)}
        parts={last.sums}
        {...(before && { compared: { sums: last.sums, before } })}
      />
    )}
  </div>
)

interface EarnedTileProps extends Pick<EarnedTilesProps, 'within' | 'today' | 'countSales'> {
  label: string
  range: DateRange
  value: string
  parts?: readonly Earned[]
  compared?: { sums: readonly Earned[]; before: NonNullable<RecentEarned['before']> }
}

function EarnedTile({
  label,
  range,
  value,
  parts,
  compared,
  within,
  today,
  countSales,
}: EarnedTileProps) {
  const days = { start: range.start, end: range.end < today ? range.end : today }
  const sales = countSales(days)
  const events = compared && countSales(compared.before)
  const change = compared && comparedAmounts(compared.sums, compared.before.sums)
  return (
    <Tile
      to="/app/stats/sites"
      search={{ ...within, ...days, groupBy: 'date' }}
      label={label}
      value={value}
      note={[
        ...(parts ? earnedParts(parts).map(partText) : []),
        ...(sales === undefined ? [] : [`${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`]),
      ].join(' · ')}
      {...(compared &&
        change?.now !== undefined && {
          change: {
            now: change.now,
            before: change.before,
            ...(events !== undefined && { events }),
            against: daysInWords(compared.before),
            beforeText: earnedText(compared.before.sums),
            isMoney: true,
          },
        })}
    />
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
