import type { Earned, NextPayment, OwnPay } from '@tallyroom/contract/pay/earned'
import type { Home, HomePeriod } from '@tallyroom/contract/desk/home'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { IconCheck } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  bothText,
  earnedParts,
  type EarnedPart,
  earnedText,
  isConverted,
  partText,
  statementWords,
  waitsForRate,
} from '../../shared/earned.tsx'
import { Tile } from '../../ui/Tile.tsx'
import tileClasses from '../../ui/Tile.module.css'
import { besides, dayText, eventsOf, formatSales } from './home-words.ts'
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
      <RateNote earned={now.to} />
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

/** `rises to ₱3,990.00 at tier 3`: if the week's missing sales are made, in the period that pays for the week. */
function risesTo(now: OwnPay['now'], standing: Home['avpStanding']): string | undefined {
  const { next, week } = standing ?? {}
  const [first, ...more] = now.to
  if (!next?.adds || !week || week.end > now.end || !first || more.length > 0) return undefined
  if (standing?.paidBy !== 'instead' && standing?.paidBy !== 'on-top') return undefined
  const adds = Math.round((first.currency === 'PHP' ? next.adds.php : next.adds.dollars) * 100)
  if (adds <= 0) return undefined
  const then = moneyText(first.tiers[first.currency] + adds, first.currency)
  return `rises to ${then} at tier ${next.tier}`
}

/** Says how amounts in two currencies become one. */
function RateNote({ earned }: { earned: readonly Earned[] }) {
  const text = waitsForRate(earned)
    ? 'Becomes one amount at the exchange rate of its closing.'
    : isConverted(earned)
      ? 'Converted at the period’s exchange rate.'
      : undefined
  return text ? <p className={classes.note}>{text}</p> : null
}

const STEPS = ['earning', 'closed', 'approved', 'sent'] as const

const STEP_NAMES = { earning: 'Earning', closed: 'Closed', approved: 'Approved', sent: 'Sent' }

/** The payment that comes next: which days, how much, when, to whom, and how far it is. */
function NextPaymentTile({ next, today }: { next: NextPayment; today: Day }) {
  const { period, amount, currency, carried, statementId } = next
  const at = STEPS.indexOf(next.step)
  const isOver = next.step === 'earning' && period.end < today
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
      note={[
        toWhom(next),
        ...(next.blocked ? [BLOCKED[next.blocked]] : when(next)),
        ...(carried === 0 ? [] : [`with ${moneyText(carried, currency)} from before`]),
      ].join(' · ')}
      more={
        <ol className={classes.steps} aria-label="Where it stands">
          {STEPS.map((step, index) => {
            const state = index < at ? 'done' : index === at ? 'now' : 'ahead'
            return (
              <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
                <span className={classes.dot} aria-hidden>
                  {state === 'done' && <IconCheck size={10} stroke={3} />}
                </span>
                {state === 'now' && isOver ? 'Ended' : STEP_NAMES[step]}
                {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
              </li>
            )
          })}
        </ol>
      }
    />
  )
}

/** `to your office, Manila` · `to BDO ••8871` */
function toWhom({ isPart, payee, account }: NextPayment): string {
  if (isPart) return `to your office, ${payee.name}`
  return account ? `to ${account.institution} ••${account.lastCharacters}` : 'to you'
}

function when({ usualDays }: NextPayment): string[] {
  if (usualDays === null) return []
  if (usualDays <= 0) return ['usually on the day the period ends']
  return [
    `usually ${formatCount(usualDays)} ${usualDays === 1 ? 'day' : 'days'} after the period ends`,
  ]
}

const BLOCKED: Record<NonNullable<NextPayment['blocked']>, string> = {
  held: 'on hold',
  'account-waits': 'once your account is confirmed',
  'account-new': 'once your new account may be paid',
  'no-account': 'once you have entered an account',
  negative: 'nothing to pay: the balance is negative',
  nothing: 'nothing to pay yet',
  'below-minimum': 'below the minimum: carried to the period after',
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
  const isPart = to.length > 0 && to.every((one) => one.isPart)
  const now = oneAmount(to)
  const then = before ? oneAmount(before.to) : undefined
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
      note={[
        isClosed
          ? statement
            ? statementWords(statement, isPart)
            : 'Closed, no statement'
          : 'Not closed yet',
        partsText(to),
      ].join(' · ')}
    />
  )
}

/** In minor units; undefined for amounts in both currencies. */
function oneAmount(earned: readonly Earned[]): number | undefined {
  const currencies = new Set(earned.map(({ currency }) => currency))
  if (currencies.size > 1 || waitsForRate(earned)) return undefined
  return earned.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}

const partsText = (earned: readonly Earned[]): string =>
  earnedParts(earned)
    .filter(({ both }) => both.PHP !== 0 || both.USD !== 0)
    .map(partText)
    .join(' · ')

/** A period's name says how long it is: `2026-11-A`, `2026-W48` or `2026-11`. */
const lastLabel = (name: string): string =>
  name.includes('W') ? 'Last week' : /[AB]$/.test(name) ? 'Last half-month' : 'Last month'
