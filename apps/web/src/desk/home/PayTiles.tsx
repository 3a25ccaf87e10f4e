import type { NextPayment, OwnPay } from '@tallyroom/contract/pay/closing/earned'
import type { Home, HomePeriod } from '@tallyroom/contract/desk/home'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { IconCheck } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  bothText,
  comparedAmounts,
  earnedParts,
  type EarnedPart,
  earnedText,
} from '../../shared/earned.tsx'
import { Tile } from '../../ui/Tile.tsx'
import tileClasses from '../../ui/Tile.module.css'
import { besides, dayText, eventsOf, formatSales } from './home-words.ts'
import {
  lastLabel,
  lastNote,
  lateNote,
  nextNote,
  rateNote,
  risesTo,
  stepsOf,
} from './pay-tile-words.ts'
import classes from './PayTiles.module.css'

/** What an office or agent is paid: so far, next, today and in the last period. The same figures as on their statements. */
export const PayTiles = ({ home, pay }: { home: Home; pay: OwnPay }) => (
  <>
    <EarnedTile home={home} pay={pay} />
    {pay.next && <NextPaymentTile next={pay.next} today={home.today} />}
    <TodayTile home={home} pay={pay} />
    {pay.last && (
      <LastTile last={pay.last} before={pay.before} halfMonth={home.periods.lastHalfMonth} />
    )}
  </>
)

/** The sum of the running period, and its parts, each of which opens the lines that it is made of. */
function EarnedTile({ home: { avpStanding }, pay: { now } }: { home: Home; pay: OwnPay }) {
  const rises = risesTo(now, avpStanding)
  const note = rateNote(now.to)
  return (
    <section className={`${tileClasses.tile} ${classes.earned}`} aria-label="Earned so far">
      <span className={tileClasses.label}>
        Earned so far, <span className={classes.days}>{daysInWords(now)}</span>
      </span>
      <Link
        to="/app/pay/estimates/$name"
        params={{ name: now.name }}
        className={`${tileClasses.value} mantine-focus-auto`}
      >
        {earnedText(now.to)}
      </Link>
      <dl className={classes.parts}>
        {earnedParts(now.to).map((part) => (
          <Part key={part.key} name={now.name} part={part}>
            {part.key === 'tiers' && rises}
          </Part>
        ))}
      </dl>
      {note && <p className={classes.note}>{note}</p>}
    </section>
  )
}

function Part({ name, part, children }: { name: string; part: EarnedPart; children: ReactNode }) {
  return (
    <>
      <dt>{part.label}</dt>
      <dd>
        <Link
          to="/app/pay/estimates/$name"
          params={{ name }}
          hash={SECTION[part.key]}
          className="mantine-focus-auto"
          aria-label={`${part.label} ${bothText(part.both)}: its lines`}
        >
          {bothText(part.both)}
        </Link>
      </dd>
      {children && <dd className={classes.rises}>{children}</dd>}
    </>
  )
}

/** The sections of a statement that have a part's lines. */
const SECTION: Record<EarnedPart['key'], string> = {
  rates: 'lines',
  bonuses: 'lines',
  differences: 'lines',
  tiers: 'tiers',
  adjustments: 'adjustments',
}

/** The payment that comes next: which days, how much, when, to whom, and how far it is. */
function NextPaymentTile({ next, today }: { next: NextPayment; today: Day }) {
  const { period, amount, currency, statementId } = next
  return (
    <Tile
      {...(statementId === null
        ? { to: '/app/pay/estimates/$name', params: { name: period.name } }
        : {
            to: '/app/pay/statements/$statementId',
            params: { statementId: String(statementId) },
          })}
      label={
        <>
          Next payment, <span className={classes.days}>{daysInWords(period)}</span>
        </>
      }
      value={amount === null ? 'At its exchange rate' : moneyText(amount, currency)}
      note={nextNote(next, today)}
      alert={lateNote(next, today)}
      more={
        <ol className={classes.steps} aria-label="Where it stands">
          {stepsOf(next, today).map(({ name, state }) => (
            <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={classes.dot} aria-hidden>
                {state === 'done' && <IconCheck size={10} stroke={3} />}
              </span>
              {name}
              {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
            </li>
          ))}
        </ol>
      }
    />
  )
}

/** Today's events, at the tiers reached so far. Days are compared by their sales. */
function TodayTile({ home, pay }: { home: Home; pay: OwnPay }) {
  const { start, end, sums, before, course } = home.periods.today
  return (
    <Tile
      to="/app/stats/sites"
      search={{ start, end }}
      label="Today"
      value={bothText(pay.today)}
      note={[
        besides(sums, 'payout'),
        ...(before
          ? [`${formatSales(before.sums.sales)} on ${dayText(before.start)} by this time`]
          : []),
      ].join(' · ')}
      spark={course}
    />
  )
}

interface LastTileProps {
  last: NonNullable<OwnPay['last']>
  before: OwnPay['before']
  halfMonth: HomePeriod
}

/** The period before: what it paid, or will, against the one before it. */
function LastTile({ last, before, halfMonth }: LastTileProps) {
  const { name, isClosed, statement, to } = last
  const { now, before: then } = comparedAmounts(to, before?.to)
  return (
    <Tile
      {...(statement
        ? {
            to: '/app/pay/statements/$statementId',
            params: { statementId: String(statement.id) },
          }
        : isClosed
          ? { to: '/app/pay/statements' }
          : { to: '/app/pay/estimates/$name', params: { name } })}
      label={
        <>
          {lastLabel(name)}, <span className={classes.days}>{daysInWords(last)}</span>
        </>
      }
      value={earnedText(to)}
      {...(now !== undefined &&
        before && {
          change: {
            now,
            before: then,
            against: daysInWords(before),
            beforeText: earnedText(before.to),
            isMoney: true,
            // Of other lengths of periods, the number is not known.
            ...(halfMonth.before?.start === before.start && {
              events: eventsOf(halfMonth.before.sums),
            }),
          },
        })}
      note={lastNote(last)}
    />
  )
}
