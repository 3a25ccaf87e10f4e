import { Button } from '@mantine/core'
import type { Home, Need } from '@tallyroom/contract/desk/home'
import { BEGINNING } from '@tallyroom/contract/figures/top-agents'
import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { agoText } from '../../lib/instant-text.ts'
import { Amount, FigureLink } from '../../ui/text/Amount.tsx'
import board from '../../shared/boards/Board.module.css'
import { LinkText } from '../../ui/links.tsx'
import { holdWords } from '../../shared/held/hold-words.ts'
import { AlarmLink } from '../../shared/AlarmLink.tsx'
import { alarmFact } from '@tallyroom/contract/desk/alarm-words'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import { Change } from '../../ui/Tile.tsx'
import { BoardCard } from './BoardCard.tsx'
import { dayText, formatHeadline, headlineOf } from './home-words.ts'
import classes from './HomeOwn.module.css'

interface NetworkProps {
  home: Home
  network: NonNullable<Home['network']>
}

const SITES_SHOWN = 8

/** The network's sales today by site, compared with a week before up to the same time. */
export function SitesToday({ home: { today, headline }, network: { sites } }: NetworkProps) {
  const against = `${dayText(addDays(today, -7))}, same time`
  const ofToday = { report: 'sites', start: today, end: today } as const
  const amountColumn: PlainColumn<(typeof sites)[number]> = {
    header: headline === 'earning' ? 'Earning' : 'Payout',
    numeric: true,
    cell: ({ siteId, sitename, sums }) => {
      const amount = formatHeadline(headlineOf(sums, headline), headline)
      return (
        <FigureLink
          to="/app/stats/sites"
          search={{ siteId, groupBy: 'company', start: today, end: today }}
          label={`${sitename}, ${amount}: statistics of today`}
        >
          {amount}
        </FigureLink>
      )
    },
  }
  return (
    <BoardCard
      title="Today by site"
      note={`vs ${against}`}
      footer={
        <LinkText to="/app/stats/sites" search={{ groupBy: 'type', start: today, end: today }}>
          {sites.length > SITES_SHOWN
            ? `All ${sites.length} sites by link type`
            : 'Statistics of today'}
        </LinkText>
      }
    >
      {sites.length === 0 ? (
        <p className={classes.none}>No clicks or sales yet today.</p>
      ) : (
        <PlainTable
          label="Today by site"
          look="lined"
          className={board.board}
          columns={[
            {
              header: 'Site',
              className: board.name,
              cell: ({ siteId, sitename }) => <SiteLink id={siteId}>{sitename}</SiteLink>,
            },
            {
              header: 'Sales',
              numeric: true,
              cell: ({ siteId, sitename, sums }) => (
                <Amount of={{ ...ofToday, column: 'sales', siteId }} label={`Sales, ${sitename}`}>
                  {formatCount(sums.sales)}
                </Amount>
              ),
            },
            {
              header: 'Change',
              numeric: true,
              cell: ({ sums, before }) => (
                <Change
                  now={sums.sales}
                  before={before.sales}
                  events={before.sales}
                  against={against}
                />
              ),
            },
            ...(headline === 'sales' ? [] : [amountColumn]),
          ]}
          rows={sites.slice(0, SITES_SHOWN)}
          rowKey={({ siteId }) => siteId}
        />
      )}
    </BoardCard>
  )
}

/** What needs attention: how much, since when, and where to settle it. As a line, its entries stand one after the other. */
export function NeedsYou({
  home: { today },
  network,
  isLine = false,
}: NetworkProps & { isLine?: boolean }) {
  const { needs, postbacksFrom, alarms } = network
  const [isWhole, setIsWhole] = useState(false)
  const row = (
    need: Need | null | undefined,
    [one, many]: readonly [one: string, many: string],
    link: (text: string) => ReactNode,
  ) =>
    need && (
      <li key={one}>
        <span className={classes.what}>
          {link(`${formatCount(need.count)} ${need.count === 1 ? one : many}`)}
        </span>
        <span className={classes.fact}>{ago(need.since)}</span>
      </li>
    )
  const unmatched = (text: string) => (
    <LinkText
      to="/app/sites/postbacks"
      search={{ outcome: 'unmatched', start: postbacksFrom, end: today }}
    >
      {text}
    </LinkText>
  )
  const page =
    (
      to:
        | '/app/unapprove'
        | '/app/pay/periods'
        | '/app/pay/accounts'
        | '/app/pay/runs'
        | '/app/pay/proposals',
    ) =>
    (text: string) => <LinkText to={to}>{text}</LinkText>
  const rows = [
    ...alarms.map((alarm) => (
      <li key={`alarm ${alarm.id}`}>
        <span className={classes.what}>
          <AlarmLink alarm={alarm} />
          <small>{alarmFact(alarm)}</small>
        </span>
        <span className={classes.fact}>{ago(alarm.raisedAt)}</span>
      </li>
    )),
    ...needs.held.map(({ kind, count, since }) =>
      row({ count, since }, [holdWords[kind].one, holdWords[kind].many], (text) => (
        <LinkText to="/app/decisions" search={{ holdKind: kind }}>
          {text}
        </LinkText>
      )),
    ),
    ...needs.words.map(({ siteId, sitename, parameter, value, event, since }) => (
      <li key={`word ${siteId} ${event} ${parameter}=${value}`}>
        <span className={classes.what}>
          <LinkText to="/app/decisions" search={{ holdKind: 'new-word' }}>
            {sitename} sends <bdi>{`${parameter}=${value}`}</bdi>
            {event === 'sale' ? '' : ` with ${event}`}: new
          </LinkText>
        </span>
        <span className={classes.fact}>{ago(since)}</span>
      </li>
    )),
    row(
      needs.unmatched,
      ['postback without a matching click or sale', 'postbacks without a matching click or sale'],
      unmatched,
    ),
    row(
      needs.pending,
      ['postback pending for 30 days', 'postbacks pending for 30 days'],
      (text) => (
        <LinkText
          to="/app/sites/postbacks"
          search={{ outcome: 'pending', start: BEGINNING, end: addDays(today, -30) }}
        >
          {text}
        </LinkText>
      ),
    ),
    row(needs.unapproved, ['agent to approve', 'agents to approve'], page('/app/unapprove')),
    row(
      needs.pay?.periods,
      ['pay period to close', 'pay periods to close'],
      page('/app/pay/periods'),
    ),
    row(
      needs.pay?.disowned,
      ['payee says: that account wasn’t me', 'payees say: that account wasn’t me'],
      page('/app/pay/accounts'),
    ),
    row(
      needs.pay?.accounts,
      ['payee account to confirm', 'payee accounts to confirm'],
      page('/app/pay/accounts'),
    ),
    row(
      needs.pay?.runs,
      ['payment run to approve', 'payment runs to approve'],
      page('/app/pay/runs'),
    ),
    row(
      needs.pay?.proposals,
      ['payment change that needs a second person', 'payment changes that need a second person'],
      page('/app/pay/proposals'),
    ),
    row(
      needs.pay?.contradicted,
      [
        'transfer reported paid that your bank refused',
        'transfers reported paid that your bank refused',
      ],
      (text) => (
        <LinkText
          to="/app/pay/runs/$runId"
          params={{ runId: String(needs.pay?.contradicted?.runId) }}
        >
          {text}
        </LinkText>
      ),
    ),
  ].filter(Boolean)
  const isFolded = isLine && rows.length > MOST_IN_LINE + 1
  return (
    <BoardCard id="needs-you" title="Needs you" note={rows.length > 0 && !isLine ? 'Oldest' : ''}>
      {rows.length === 0 ? (
        <p className={isLine ? `${classes.none} ${classes.inLine}` : classes.none}>
          <IconCheck size={15} aria-hidden /> Nothing waits for you.
        </p>
      ) : (
        <ul className={isLine ? `${classes.rows} ${classes.line}` : classes.rows}>
          {isFolded && !isWhole ? rows.slice(0, MOST_IN_LINE) : rows}
          {isFolded && (
            <li>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-expanded={isWhole}
                onClick={() => setIsWhole(!isWhole)}
              >
                {isWhole ? 'Show fewer' : `Show all ${rows.length}`}
              </Button>
            </li>
          )}
        </ul>
      )}
    </BoardCard>
  )
}

/** With more, the boards below would leave the first screen. */
const MOST_IN_LINE = 12

const ago = (iso: string) => agoText(Date.parse(iso), Date.now())
