import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import type { Sale, SalePostback } from '@tallyroom/contract/sales'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { formatCount } from '@tallyroom/domain/money'
import type { ReactNode } from 'react'
import { originText } from '../../lib/rate-origin.ts'
import { Instant } from '../../ui/Instant.tsx'
import { IpLink } from '../../ui/IpLink.tsx'
import { JsonBlock } from '../../ui/JsonBlock.tsx'
import { LinkText } from '../../ui/links.tsx'
import { OutcomeBadge } from '../../ui/OutcomeBadge.tsx'
import { ShortLink } from '../../ui/ShortLink.tsx'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import type { TimelineItem } from '../../ui/Timeline.tsx'
import { recordLabel, REVERSAL_LABELS } from './sale-words.ts'
import classes from './SalePage.module.css'

/** A sale's line of time: the click, then postbacks and what they counted, in order. Gaps say why they are there. */
export const storyOf = (sale: Sale): TimelineItem[] => [
  ...clickItems(sale),
  ...[
    ...sale.postbacks.map((postback) => ({
      at: postback.receivedAt,
      item: postbackItem(sale, postback),
    })),
    ...gapBeforeEvent(sale),
    { at: sale.recordedAt, item: countedItem(sale) },
    ...bookedItem(sale, 'Booked'),
    ...(sale.reversal ? [{ at: sale.reversal.recordedAt, item: reversalItem(sale.reversal) }] : []),
    ...(sale.reversal ? bookedItem(sale.reversal, 'Reversal booked') : []),
  ]
    // Stable: a postback stays before the event that it recorded in the same millisecond.
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ item }) => item),
]

function clickItems(sale: Sale): TimelineItem[] {
  const { click, destination } = sale
  if (!click) return [lostClickItem(sale)]
  const { clickedAt, uncounted, isCut, ip, isUnique, referrer, userAgent, url } = click
  return [
    {
      at: clickedAt,
      title: uncounted ? `Click, not counted: ${uncounted}` : 'Click',
      tone: uncounted ? 'ignored' : 'done',
      body: (
        <dl className={classes.list}>
          {ip !== undefined && (
            <Fact name="Address">
              {isCut ? ip : <IpLink ip={ip} />}
              {isUnique && <div className={classes.note}>First click of the day</div>}
              {isCut && (
                <div className={classes.note}>
                  Shortened to its network, because the click is old.
                </div>
              )}
            </Fact>
          )}
          {referrer !== undefined && (
            <Fact name="Referrer">{referrer ? <ShortLink url={referrer} /> : 'None sent'}</Fact>
          )}
          {userAgent !== undefined && <Fact name="Browser">{userAgent ?? 'Not stored'}</Fact>}
          <Fact name="Tracked link">
            <ShortLink url={url} maxLength={48} onlyCopied />
          </Fact>
          {subsOf(url).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      ),
    },
    {
      at: clickedAt,
      title: `Redirected to ${sale.sitename}`,
      tone: 'done',
      ...(destination && {
        body: (
          <p>
            <span className={classes.note}>The link type leads today to </span>
            <code>{destination}</code>
          </p>
        ),
      }),
    },
  ]
}

/** Without its row, the click id still names the agent, the link type and the time. */
function lostClickItem({ clickId }: Sale): TimelineItem {
  const named = decodeClickId(clickId)
  return named
    ? {
        at: new Date(named.clickedAtMs).toISOString(),
        title: 'Click not stored',
        body: 'Its details are missing. The sale is credited by the click id, which names the agent, the link and this time.',
        tone: 'missing',
      }
    : {
        title: 'No click',
        body: 'The sale was entered with an id that is not a click of a tracked link.',
        tone: 'missing',
      }
}

const tones: Record<PostbackOutcome, TimelineItem['tone']> = {
  recorded: 'done',
  duplicate: 'ignored',
  waiting: 'waiting',
  unmatched: 'refused',
  conflict: 'refused',
  refused: 'refused',
}

const postbackItem = (
  sale: Sale,
  { receivedAt, event, outcome, detail }: SalePostback,
): TimelineItem => ({
  at: receivedAt,
  title: (
    <>
      Postback: {event ?? 'unreadable'} <OutcomeBadge outcome={outcome} />
    </>
  ),
  tone: tones[outcome],
  body: detail && (
    <>
      {detail.reason && <p>{detail.reason}</p>}
      {detail.settledAt && (
        <p>
          Settled <Instant at={detail.settledAt} />
        </p>
      )}
      <p className={classes.note}>
        {detail.method} from {detail.ip} ·{' '}
        <LinkText to="/app/sites/postbacks" search={searchOf(sale, detail)} underlined>
          Show in Postbacks
        </LinkText>
      </p>
      <details className={classes.raw}>
        <summary>Parameters</summary>
        <JsonBlock caption="Parameters" text={detail.params} />
      </details>
    </>
  ),
})

const searchOf = (
  { siteId }: Sale,
  { clickId, transactionId }: NonNullable<SalePostback['detail']>,
) => ({
  siteId,
  ...(transactionId !== null ? { transactionId } : clickId !== null && { clickId }),
})

function gapBeforeEvent({ eventId, recordedAt, hasPostback, postbacks }: Sale) {
  const isThere = postbacks.some((one) => one.eventId === eventId && one.outcome === 'recorded')
  if (isThere) return []
  const item: TimelineItem = hasPostback
    ? { title: 'Postback not stored', body: 'Only its id is left.', tone: 'missing' }
    : { title: 'No postback', body: 'The sale was entered another way.', tone: 'missing' }
  return [{ at: recordedAt, item }]
}

const countedItem = (sale: Sale): TimelineItem => ({
  at: sale.recordedAt,
  title: `Counted as ${recordLabel(sale)}`,
  tone: 'done',
  body: (
    <>
      <Prices {...sale} />
      <p>{RATE_SOURCES[sale.rateSource](sale)}</p>
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

/** Besides its rate, a sale on an AVP site is paid by the tier of the agent's week. */
function TierLine({ sale: { tier, agent } }: { sale: Sale }) {
  if (!tier) return null
  const { week, agentAvpSales, reached, payoutPhp } = tier
  const pays = payoutPhp === undefined ? '' : `, which pays ${signedPesos(payoutPhp)} per sale`
  return (
    <p>
      AVP week {week.start} – {week.end}:{' '}
      {agentAvpSales !== undefined && `${formatCount(agentAvpSales)} AVP sales of ${agent}, `}
      {reached ? `tier ${avpSelectLabel(reached)}${pays}` : 'no pay schedule was in force'}.
    </p>
  )
}

const reversalItem = (reversal: NonNullable<Sale['reversal']>): TimelineItem => ({
  at: reversal.recordedAt,
  title: `Reversed: ${REVERSAL_LABELS[reversal.kind]}`,
  tone: 'refused',
  body: (
    <>
      <Prices {...reversal} />
      <When {...reversal} />
    </>
  ),
})

/** The statement that has the event, once its pay period is closed. */
function bookedItem({ booked }: Pick<Sale, 'booked'>, title: string) {
  if (!booked) return []
  const { number, closedAt, paidBy, statementId } = booked
  const item: TimelineItem = {
    at: closedAt,
    tone: 'done',
    title: (
      <>
        {title} on statement{' '}
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
    ),
    body:
      paidBy === 'tier'
        ? 'Paid by tier: its AVP week is a line of the statement of the week’s Sunday.'
        : 'Paid by rate.',
  }
  return [{ at: closedAt, item }]
}

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

/** Where it counts. The merchant's date decides, which may lie before the time of recording. */
const When = ({ day, halfMonth, occurredAt, recordedAt }: Counted) => (
  <p>
    Counts on {day}, in the half-month {halfMonth.start} – {halfMonth.end}.
    {occurredAt !== recordedAt && (
      <>
        {' '}
        The merchant dated it <Instant at={occurredAt} />.
      </>
    )}
  </p>
)

const subsOf = (url: string): [string, string][] =>
  URL.canParse(url) ? [...new URL(url).searchParams] : []

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
