import { CLICK_NOTE_WORDS } from '@tallyroom/contract/desk/click-logs'
import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import type { Sale, SalePostback } from '@tallyroom/contract/desk/sales'
import { decodeClickId, saysUnstored } from '@tallyroom/domain/click-id'
import type { ReactNode } from 'react'
import { Instant } from '../../ui/text/Instant.tsx'
import { IpLink } from '../../shared/IpLink.tsx'
import { JsonBlock } from '../../ui/text/JsonBlock.tsx'
import { LinkText } from '../../ui/links.tsx'
import { OutcomeBadge } from '../../shared/OutcomeBadge.tsx'
import { ShortLink } from '../../shared/ShortLink.tsx'
import type { TimelineItem } from '../../ui/Timeline.tsx'
import { bookedItem, countedItem, differenceItem, LIFE_BOOKED, lifeItem } from './counted-items.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './SalePage.module.css'

/** A sale's timeline: the click, then postbacks and what they counted, in order. Gaps are explained. */
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
    ...sale.differences.flatMap((difference) => [
      { at: difference.recordedAt, item: differenceItem(difference) },
      ...bookedItem(difference, 'Difference booked'),
    ]),
    ...sale.life.flatMap((change) => [
      { at: change.recordedAt, item: lifeItem(change) },
      ...bookedItem(change, LIFE_BOOKED[change.kind]),
    ]),
  ]
    // Stable: a postback stays before the event that it recorded in the same millisecond.
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ item }) => item),
]

function clickItems(sale: Sale): TimelineItem[] {
  const { click, destination } = sale
  if (!click) return [lostClickItem(sale)]
  const { clickedAt, uncounted, note, isCut, ip, isUnique, referrer, userAgent, url } = click
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
            {note && <div className={classes.note}>{CLICK_NOTE_WORDS[note]}.</div>}
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
function lostClickItem({ clickId, clickIsArchived, coupon, occurredAt }: Sale): TimelineItem {
  const named = decodeClickId(clickId)
  if (coupon !== null) {
    return {
      at: named ? new Date(named.clickedAtMs).toISOString() : occurredAt,
      title: `By coupon ${coupon}`,
      body: 'The merchant named this code in place of a click, so the sale is its agent’s.',
      tone: 'done',
    }
  }
  return named
    ? {
        at: new Date(named.clickedAtMs).toISOString(),
        title: clickIsArchived ? 'Click' : 'Click not stored',
        body: clickIsArchived
          ? 'Its details are archived. The click id names the agent, the link and this time.'
          : saysUnstored(named)
            ? 'The visitor was taken for a crawler, so the click is in no figure. The sale is credited by the click id, which names the agent, the link and this time.'
            : 'Its details are missing. The sale is credited by the click id, which names the agent, the link and this time.',
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
  pending: 'waiting',
  rejected: 'ignored',
  ignored: 'ignored',
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
      {detail.reason && (
        <p>
          <WithDays>{withFullStop(detail.reason)}</WithDays>
        </p>
      )}
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

/** Reasons that begin with a field need none: `event is not an event of this site`. */
const withFullStop = (reason: string) => reason.replace(/\.?$/, '.')

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

const subsOf = (url: string): [string, string][] =>
  URL.canParse(url) ? [...new URL(url).searchParams] : []

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
