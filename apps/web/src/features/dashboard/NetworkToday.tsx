import type { Home, Need } from '@tallyroom/contract/home'
import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { agoText } from '../../lib/instant-text.ts'
import board from '../../ui/boards/Board.module.css'
import { LinkText } from '../../ui/links.tsx'
import { SiteLink } from '../../pickers/SiteLink.tsx'
import { Change } from '../../ui/Tile.tsx'
import { BoardCard } from './BoardCard.tsx'
import { dayText, formatHeadline, headlineOf } from './home-words.ts'
import classes from './HomeOwn.module.css'

interface NetworkProps {
  home: Home
  network: NonNullable<Home['network']>
}

const SITES_SHOWN = 8

/** The network's sales today by site, until the same time a week before. */
export function SitesToday({ home: { today, headline }, network: { sites } }: NetworkProps) {
  const against = `${dayText(addDays(today, -7))}, same time`
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
        <table className={board.board} aria-label="Today by site">
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col" data-numeric>
                Sales
              </th>
              <th scope="col" data-numeric>
                Change
              </th>
              {headline !== 'sales' && (
                <th scope="col" data-numeric>
                  {headline === 'earning' ? 'Earning' : 'Payout'}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {sites.slice(0, SITES_SHOWN).map(({ siteId, sitename, sums, before }) => (
              <tr key={siteId}>
                <td className={board.name}>
                  <SiteLink id={siteId}>{sitename}</SiteLink>
                </td>
                <td data-numeric>{formatCount(sums.sales)}</td>
                <td data-numeric>
                  <Change now={sums.sales} before={before.sales} against={against} />
                </td>
                {headline !== 'sales' && (
                  <td data-numeric>{formatHeadline(headlineOf(sums, headline), headline)}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </BoardCard>
  )
}

/** What waits for somebody: how much, since when, and where to settle it. */
export function NeedsYou({ home: { today }, network }: NetworkProps) {
  const { needs, postbacksFrom, silentSites } = network
  const postbacks = (
    need: Need | null,
    outcome: 'conflict' | 'unmatched' | 'waiting',
    one: string,
    many: string,
  ) =>
    need && (
      <NeedRow key={outcome} need={need}>
        <LinkText to="/app/sites/postbacks" search={{ outcome, start: postbacksFrom, end: today }}>
          {counted(need, one, many)}
        </LinkText>
      </NeedRow>
    )
  const rows = [
    postbacks(needs.conflict, 'conflict', 'postback in conflict', 'postbacks in conflict'),
    postbacks(
      needs.unmatched,
      'unmatched',
      'postback without its click',
      'postbacks without their clicks',
    ),
    needs.unapproved && (
      <NeedRow key="unapproved" need={needs.unapproved}>
        <LinkText to="/app/unapprove">
          {counted(needs.unapproved, 'agent to approve', 'agents to approve')}
        </LinkText>
      </NeedRow>
    ),
    needs.pay?.periods && (
      <NeedRow key="periods" need={needs.pay.periods}>
        <LinkText to="/app/pay/periods">
          {counted(needs.pay.periods, 'pay period to close', 'pay periods to close')}
        </LinkText>
      </NeedRow>
    ),
    needs.pay?.accounts && (
      <NeedRow key="accounts" need={needs.pay.accounts}>
        <LinkText to="/app/pay/accounts">
          {counted(needs.pay.accounts, 'payee account to confirm', 'payee accounts to confirm')}
        </LinkText>
      </NeedRow>
    ),
    needs.pay?.runs && (
      <NeedRow key="runs" need={needs.pay.runs}>
        <LinkText to="/app/pay/runs">
          {counted(needs.pay.runs, 'payment run to approve', 'payment runs to approve')}
        </LinkText>
      </NeedRow>
    ),
    ...silentSites.map(({ siteId, sitename, lastSaleAt, usualSales }) => (
      <li key={siteId}>
        <span className={classes.what}>
          <LinkText to="/app/logs/sale-logs" search={{ siteId }}>
            {sitename} is silent
          </LinkText>
          <small>Usually {formatCount(usualSales)} sales in 14 days</small>
        </span>
        <span className={classes.fact}>
          {lastSaleAt ? `last sale ${ago(lastSaleAt)}` : 'no sale in 14 days'}
        </span>
      </li>
    )),
    postbacks(needs.waiting, 'waiting', 'postback is waiting', 'postbacks are waiting'),
  ].filter(Boolean)
  return (
    <BoardCard title="Needs you" note={rows.length > 0 ? 'Oldest' : ''}>
      {rows.length === 0 ? (
        <p className={classes.none}>
          <IconCheck size={15} aria-hidden /> Nothing waits for you.
        </p>
      ) : (
        <ul className={classes.rows}>{rows}</ul>
      )}
    </BoardCard>
  )
}

const NeedRow = ({ need, children }: { need: Need; children: ReactNode }) => (
  <li>
    <span className={classes.what}>{children}</span>
    <span className={classes.fact}>{ago(need.since)}</span>
  </li>
)

const counted = ({ count }: Need, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const ago = (iso: string) => agoText(Date.parse(iso), Date.now())
