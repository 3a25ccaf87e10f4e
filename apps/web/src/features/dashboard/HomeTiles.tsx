import type { Home, HomePeriod } from '@tallyroom/contract/home'
import type { StatementItem } from '@tallyroom/contract/statements'
import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { type DateRange, daysInWords, periodOf } from '@tallyroom/domain/periods'
import { Tile } from '../../ui/Tile.tsx'
import { besides, dayText, formatHeadline, headlineOf } from './home-words.ts'
import classes from './HomeOwn.module.css'

/** The viewer's figures. Each tile links to the statistics of its days. */
export const HomeTiles = ({ home }: { home: Home | undefined }) => (
  <section className={classes.tiles} aria-label="Figures" aria-busy={home === undefined}>
    {home ? (
      <>
        <PeriodTile
          label="Today"
          home={home}
          period={home.periods.today}
          against={({ start }) => `${dayText(start)}, same time`}
        />
        <PeriodTile
          label="This half-month"
          days={periodOf(home.today, 'beWeek')}
          home={home}
          period={home.periods.halfMonth}
          against={daysInWords}
        />
        <PeriodTile
          label="Last half-month"
          days={home.periods.lastHalfMonth}
          home={home}
          period={home.periods.lastHalfMonth}
          against={daysInWords}
          pay={home.lastPay}
        />
        {home.avpWeek && <AvpTile {...home.avpWeek} today={home.today} />}
      </>
    ) : (
      ['Today', 'This half-month', 'Last half-month', 'AVP this week'].map((label) => (
        <Tile key={label} to="/app/stats/sites" label={label} value={undefined} note=" " />
      ))
    )}
  </section>
)

interface PeriodTileProps {
  label: string
  /** Named beside the label. */
  days?: DateRange
  home: Home
  period: HomePeriod
  against: (before: NonNullable<HomePeriod['before']>) => string
  /** The state of its pay, if known. The tile then links to the statement, if there is one. */
  pay?: Home['lastPay']
}

function PeriodTile({ label, days, home: { headline }, period, against, pay }: PeriodTileProps) {
  const { start, end, sums, before, course } = period
  const now = headlineOf(sums, headline)
  const note = besides(sums, headline)
  return (
    <Tile
      {...(pay?.statement
        ? {
            to: '/app/pay/statements/$statementId',
            params: { statementId: String(pay.statement.id) },
          }
        : { to: '/app/stats/sites', search: { start, end } })}
      label={days ? <LabelWithDays label={label} days={days} /> : label}
      value={formatHeadline(now, headline)}
      change={{
        now,
        before: before ? headlineOf(before.sums, headline) : undefined,
        against: before ? against(before) : '',
      }}
      note={pay ? `${payText(pay)} · ${note}` : note}
      spark={course}
    />
  )
}

/** `This half-month, 16–30 Sep`: the days stay together. */
const LabelWithDays = ({ label, days }: { label: string; days: DateRange }) => (
  <>
    {label}, <span className={classes.days}>{daysInWords(days)}</span>
  </>
)

/** `Statement 2026-11-A-0007: paid` */
function payText({ isClosed, statement }: NonNullable<Home['lastPay']>): string {
  if (!isClosed) return 'Not closed yet'
  return statement
    ? `Statement ${statement.number}: ${payStates[statement.state]}`
    : 'Closed, no statement'
}

const payStates: Record<StatementItem['state'], string> = {
  paid: 'paid',
  running: 'payment under way',
  failed: 'transfer failed',
  held: 'on hold',
  carried: 'carried forward',
  due: 'to be paid',
}

/**
 * The week's sales on AVP sites: for an agent with their tier, for everybody else with the number
 * of agents.
 */
function AvpTile({ avpSales, agents, tier, next, course, today }: AvpTileProps) {
  const { start, end } = periodOf(today, 'week')
  const pays = (payoutPhp: number | undefined) =>
    payoutPhp === undefined || payoutPhp === 0 ? '' : ` at ${formatPesos(payoutPhp)}`
  return (
    <Tile
      to="/app/stats/sites-avp"
      search={{ start, end }}
      label={<LabelWithDays label="AVP this week" days={{ start, end }} />}
      value={`${formatCount(avpSales)} AVP ${avpSales === 1 ? 'sale' : 'sales'}`}
      note={
        tier
          ? [
              `Tier ${tier.index}${pays(tier.payoutPhp)}`,
              ...(next
                ? [
                    `${next.missing} more ${next.missing === 1 ? 'sale' : 'sales'} for tier ${next.index}${pays(next.payoutPhp)}`,
                  ]
                : []),
            ].join(' · ')
          : `by ${formatCount(agents)} ${agents === 1 ? 'agent' : 'agents'}`
      }
      spark={course}
    />
  )
}

type AvpTileProps = NonNullable<Home['avpWeek']> & { today: string }
