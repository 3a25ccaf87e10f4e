import type { Sale } from '@tallyroom/contract/desk/sales'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, formatPercent, signedDollars, signedPesos } from '@tallyroom/domain/money'
import { originText } from '../../lib/rate-origin.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { TimelineItem } from '../../ui/Timeline.tsx'
import { recordLabel, REVERSAL_LABELS } from './sale-words.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './SalePage.module.css'

/*
 * What a sale counted, as items of its timeline: its event, differences from backdated rates, its
 * reversal, and the statements that contain them.
 */

export const countedItem = (sale: Sale): TimelineItem => ({
  at: sale.recordedAt,
  title: `Counted as ${recordLabel(sale)}`,
  tone: 'done',
  body: (
    <>
      <Prices {...sale} />
      <p>
        <WithDays>{RATE_SOURCES[sale.rateSource](sale)}</WithDays>
      </p>
      <TierLine sale={sale} />
      <When {...sale} />
    </>
  ),
})

const RATE_SOURCES: Record<Sale['rateSource'], (sale: Sale) => string> = {
  default: ({ typename, officeName, rate }) =>
    `Default rate of ${typename}${originText(rate)}: ${officeName || 'the office'} had no own rates for it when the sale happened.`,
  office: ({ typename, officeName, rate }) =>
    `Own rates of ${officeName || 'the office'} for ${typename}${originText(rate)}, which were enabled when the sale happened.`,
}

/** On an AVP site, the tier of the agent's week pays too, or instead. */
function TierLine({ sale: { tier, tierPay, agent } }: { sale: Sale }) {
  if (!tier) return null
  const { week, agentAvpSales, reached, payoutPhp } = tier
  const perSale = payoutPhp === 0 ? 'nothing' : `${signedPesos(payoutPhp)} per sale`
  const beside = tierPay ? (tierPay.isOnTop ? ' on top of the rate' : ' instead of the rate') : ''
  const pays = payoutPhp === undefined ? '' : `, which pays ${perSale}${beside}`
  return (
    <p>
      <WithDays>
        AVP week {week.start} – {week.end}:
      </WithDays>{' '}
      {agentAvpSales !== undefined && `${formatCount(agentAvpSales)} AVP sales of ${agent}, `}
      {reached ? `tier ${avpSelectLabel(reached)}${pays}` : 'no pay schedule was in force'}.
    </p>
  )
}

export const differenceItem = (difference: Sale['differences'][number]): TimelineItem => ({
  at: difference.recordedAt,
  title: difference.isUndoing ? 'Backdating of its rate undone' : 'Rate backdated',
  tone: 'done',
  body: (
    <>
      <Prices {...difference} />
      <NotPaid {...difference} />
      {difference.reason !== undefined && (
        <p>
          {difference.by !== undefined && `By ${difference.by}: `}
          {difference.reason}
        </p>
      )}
      <When {...difference} />
    </>
  ),
})

type Change = Sale['life'][number]

/** What took the sale back, as a whole or in part, or counted it again. */
export const lifeItem = (change: Change): TimelineItem => ({
  at: change.recordedAt,
  title: LIFE_TITLES[change.kind](change),
  tone: change.kind === 'restored' ? 'done' : 'refused',
  body: (
    <>
      <Prices {...change} />
      {change.kind === 'part' && <NotPaid {...change} />}
      <When {...change} />
    </>
  ),
})

const LIFE_TITLES: Record<Change['kind'], (change: Change) => string> = {
  reversed: ({ reversal }) => `Reversed${reversal ? `: ${REVERSAL_LABELS[reversal]}` : ''}`,
  restored: () => 'Counted again',
  part: ({ partPercent }) => `${formatPercent(partPercent)} refunded`,
}

export const LIFE_BOOKED: Record<Change['kind'], string> = {
  reversed: 'Reversal booked',
  restored: 'Counted again: booked',
  part: 'Refunded part booked',
}

/** The statement that contains the event, once its pay period is closed. */
export function bookedItem({ booked }: Pick<Sale, 'booked'>, title: string) {
  if (!booked) return []
  const { closedAt, paidBy } = booked
  const item: TimelineItem = {
    at: closedAt,
    tone: 'done',
    title: (
      <>
        {title} on <StatementLink {...booked} />
      </>
    ),
    body:
      paidBy === 'tier'
        ? 'Paid by tier: its AVP week is on the statement of the period that contains the week’s Sunday.'
        : 'Paid by rate.',
  }
  return [{ at: closedAt, item }]
}

/** `statement 2026-08-B-0005`, a link for those who may open it. */
export const StatementLink = ({ number, statementId }: NonNullable<Sale['booked']>) => (
  <>
    statement{' '}
    {statementId === undefined ? (
      number
    ) : (
      <LinkText
        to="/app/pay/statements/$statementId"
        params={{ statementId: String(statementId) }}
        underlined
      >
        {number}
      </LinkText>
    )}
  </>
)

type Counted = Pick<Sale, 'day' | 'halfMonth' | 'occurredAt' | 'recordedAt'> &
  Partial<Pick<Sale, 'payout' | 'earning' | 'lpp'>>

const Prices = ({ payout, earning, lpp }: Counted) =>
  [payout, earning, lpp].some((amount) => amount !== undefined) && (
    <p>
      {payout !== undefined && <span className={classes.price}>{signedPesos(payout)} payout</span>}
      {earning !== undefined && (
        <span className={classes.price}>{signedDollars(earning)} earning</span>
      )}
      {lpp !== undefined && (
        <span className={classes.price}>
          {lpp} {Math.abs(lpp) === 1 ? 'point' : 'points'}
        </span>
      )}
    </p>
  )

/** A change by rates, of a sale that its tier pays, changes no pay. */
const NotPaid = ({ paidBy, payout }: Pick<Sale, 'paidBy' | 'payout'>) =>
  paidBy === 'tier' &&
  payout !== undefined &&
  payout !== 0 && <p>By rates only: the sale is paid by tier, so what is paid stays the same.</p>

/** Where it counts. The merchant's date decides, which may lie before the time of recording. */
const When = ({ day, halfMonth, occurredAt, recordedAt }: Counted) => (
  <p>
    <WithDays>
      Counts on {day}, in the half-month {halfMonth.start} – {halfMonth.end}.
    </WithDays>
    {occurredAt !== recordedAt && (
      <>
        {' '}
        The merchant dated it <Instant at={occurredAt} />.
      </>
    )}
  </p>
)
