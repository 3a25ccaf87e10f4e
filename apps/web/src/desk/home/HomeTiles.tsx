import type { Home, HomePeriod, HomeSums } from '@tallyroom/contract/desk/home'
import { formatCount, signedPesos } from '@tallyroom/domain/money'
import { type DateRange, daysInWords, periodOf } from '@tallyroom/domain/periods'
import { Tile } from '../../ui/Tile.tsx'
import { besides, dayText, eventsOf, formatHeadline, headlineOf } from './home-words.ts'
import classes from './HomeOwn.module.css'
import { PayTiles } from './PayTiles.tsx'

/** The viewer's figures. Each tile links to the page that proves its figure. */
export const HomeTiles = ({ home }: { home: Home }) => (
  <section
    className={classes.tiles}
    data-pay={home.pay !== undefined || undefined}
    aria-label="Figures"
  >
    {home.pay ? <PayTiles home={home} pay={home.pay} /> : <PeriodTiles home={home} />}
    {/* An agent has a card of their week. */}
    {home.avpWeek && !home.avpStanding && <AvpTile {...home.avpWeek} today={home.today} />}
  </section>
)

/** For payees, until pay is on, what rates pay: whether tiers pay instead is not settled. */
function PeriodTiles({ home }: { home: Home }) {
  const byRates = home.headline === 'payout' ? ', by rates' : ''
  return (
    <>
      <PeriodTile
        label={`Today${byRates}`}
        home={home}
        period={home.periods.today}
        against={({ start }) => `${dayText(start)}, same time`}
      />
      <PeriodTile
        label={`This half-month${byRates}`}
        days={periodOf(home.today, 'beWeek')}
        home={home}
        period={home.periods.halfMonth}
        against={daysInWords}
      />
      <PeriodTile
        label={`Last half-month${byRates}`}
        days={home.periods.lastHalfMonth}
        home={home}
        period={home.periods.lastHalfMonth}
        against={daysInWords}
      />
    </>
  )
}

interface PeriodTileProps {
  label: string
  /** Named beside the label. */
  days?: DateRange
  home: Home
  period: HomePeriod
  against: (before: NonNullable<HomePeriod['before']>) => string
}

function PeriodTile({ label, days, home: { headline }, period, against }: PeriodTileProps) {
  const { start, end, sums, before, course } = period
  const now = headlineOf(sums, headline)
  return (
    <Tile
      to="/app/stats/sites"
      search={{ start, end }}
      label={days ? <LabelWithDays label={label} days={days} /> : label}
      value={formatHeadline(now, headline)}
      change={{
        now,
        against: before ? against(before) : '',
        ...(before ? changeFrom(before.sums, headline) : { before: undefined }),
      }}
      note={besides(sums, headline)}
      spark={course}
    />
  )
}

/** The headline of the days before, and how many events are behind it. */
function changeFrom(sums: HomeSums, headline: Home['headline']) {
  const before = headlineOf(sums, headline)
  return {
    before,
    events: eventsOf(sums),
    beforeText: formatHeadline(before, headline),
    isMoney: headline !== 'sales',
  }
}

/** `This half-month, 16–30 Sep`: the days stay together. */
const LabelWithDays = ({ label, days }: { label: string; days: DateRange }) => (
  <>
    {label}, <span className={classes.days}>{daysInWords(days)}</span>
  </>
)

/** The week's sales on AVP sites, and by how many agents. */
function AvpTile({ avpSales, agents, byTiers, course, today }: AvpTileProps) {
  const { start, end } = periodOf(today, 'week')
  return (
    <Tile
      to="/app/stats/sites-avp"
      search={{ start, end }}
      label={<LabelWithDays label="AVP this week" days={{ start, end }} />}
      value={`${formatCount(avpSales)} AVP ${avpSales === 1 ? 'sale' : 'sales'}`}
      note={[
        `by ${formatCount(agents)} ${agents === 1 ? 'agent' : 'agents'}`,
        ...(byTiers === undefined ? [] : [`${signedPesos(byTiers)} by tiers`]),
      ].join(' · ')}
      spark={course}
    />
  )
}

type AvpTileProps = NonNullable<Home['avpWeek']> & { today: string }
