import { VisuallyHidden } from '@mantine/core'
import type { AvpStanding } from '@tallyroom/contract/figures/avp-week'
import { can } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, formatDollars, formatPesos } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { Link } from '@tanstack/react-router'
import { useMe } from '../lib/session.ts'
import { Amount } from '../ui/text/Amount.tsx'
import { TierAdds } from './TierAdds.tsx'
import classes from './AvpStandingCard.module.css'

interface AvpStandingCardProps {
  standing: AvpStanding
  /**
   * Also shows what only a page of its own has room for: dollars, and how tiers relate to rates.
   */
  isWhole?: boolean
}

/**
 * Where an agent's week stands: how far the next tier is and what it adds, the tiers as steps, the
 * previous eight weeks.
 */
export function AvpStandingCard({ standing, isWhole = false }: AvpStandingCardProps) {
  const me = useMe()
  const { agentId, week, sales, next, tier, tiers, pay, paidBy } = standing
  if (tier === null) return <p className={classes.lead}>No AVP schedule is in force this week.</p>
  return (
    <div className={classes.card}>
      {/* Announces a sale without reading the links aloud. */}
      <VisuallyHidden role="status">
        {salesText(sales)} this week, tier {tier}
      </VisuallyHidden>
      <p className={classes.lead}>
        <strong>
          <Amount
            // An office may ask only about sales that were made for it, while a tier also counts
            // those for others.
            of={
              me.role === 'company'
                ? undefined
                : { report: 'avp', column: 'avpSales', ...week, agentId }
            }
            label="AVP, this week,"
          >
            {salesText(sales)}
          </Amount>
        </strong>
        {next ? (
          <>
            , {formatCount(next.missing)} more until tier {next.tier} by Sunday 23:59 New York
            {next.adds && (
              <>
                ;{' '}
                <TierAdds
                  pesos={next.adds.php}
                  isPaid={paidBy === 'instead' || paidBy === 'on-top'}
                />
              </>
            )}
            .
          </>
        ) : (
          ', the top tier.'
        )}
      </p>
      {pay && (
        <p className={classes.pay}>
          This week so far: <b>{formatPesos(pay.php)}</b>
          {isWhole && ` (${formatDollars(pay.dollars)})`} at tier {tier}
        </p>
      )}
      <ol className={classes.steps} aria-label="Tiers">
        {tiers.map((one) => (
          <li
            key={one.index}
            data-state={one.index < tier ? 'reached' : one.index === tier ? 'now' : 'ahead'}
            aria-current={one.index === tier ? 'step' : undefined}
          >
            <span className={classes.name}>Tier {one.index}</span>
            <span>{avpSelectLabel(one)}</span>
            {one.rate && (
              <span className={classes.rate}>
                {formatPesos(one.rate.php)}
                {isWhole && <small> {formatDollars(one.rate.dollars)}</small>}
              </span>
            )}
          </li>
        ))}
      </ol>
      <LastWeeks standing={standing} />
      {isWhole && paidBy && <p className={classes.note}>{rules[paidBy]}</p>}
    </div>
  )
}

const rules = {
  instead: 'Tiers are paid instead of rates.',
  'on-top': 'Tiers are paid on top of rates.',
  information: 'For information only: these sales are paid by their rates.',
}

const salesText = (sales: number) => `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`

/** A small bar for each week, the current one last. Each leads to the week's statistics. */
function LastWeeks({ standing }: { standing: AvpStanding }) {
  const me = useMe()
  const { before, week, sales, tier, pay, agentId } = standing
  const weeks = [...before, { start: week.start, sales, tier, pay }]
  const most = Math.max(1, ...weeks.map((one) => one.sales))
  return (
    <ol className={classes.weeks} aria-label="Weeks">
      {weeks.map((one) => {
        const isNow = one.start === week.start
        const facts = [
          `${isNow ? 'This week' : `Week of ${one.start}`}: ${salesText(one.sales)}`,
          ...(one.tier === null ? [] : [`tier ${one.tier}`]),
          ...(one.pay ? [formatPesos(one.pay.php)] : []),
        ].join(', ')
        return (
          <li key={one.start}>
            <Link
              to="/app/stats/sites-avp"
              search={{
                start: one.start,
                end: addDays(one.start, 6),
                ...(can(me, 'agents.choose') && { agentId }),
              }}
              title={facts}
              data-now={isNow || undefined}
              className="mantine-focus-auto"
            >
              <VisuallyHidden>{facts}</VisuallyHidden>
              <span aria-hidden>{formatCount(one.sales)}</span>
              <span className={classes.bar} aria-hidden>
                <span style={{ height: `${(Math.max(0, one.sales) / most) * 100}%` }} />
              </span>
              <span className={classes.day} aria-hidden>
                {one.start.slice(5)}
              </span>
            </Link>
          </li>
        )
      })}
    </ol>
  )
}
