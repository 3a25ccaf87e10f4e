import type { Home } from '@tallyroom/contract/desk/home'
import { formatCount, signedPesos } from '@tallyroom/domain/money'
import { daysInWords } from '@tallyroom/domain/periods'
import { AvpStandingCard } from '../../shared/AvpStandingCard.tsx'
import { LinkText } from '../../ui/links.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import { BoardCard } from './BoardCard.tsx'
import { formatSales } from './home-words.ts'
import classes from './HomeOwn.module.css'

/** An agent's own week among the tiers. */
export const AvpCard = ({ standing }: { standing: NonNullable<Home['avpStanding']> }) => (
  <BoardCard
    title="Your AVP week"
    note={daysInWords(standing.week)}
    footer={<LinkText to="/app/stats/avp-week">Your week in detail</LinkText>}
  >
    <AvpStandingCard standing={standing} />
  </BoardCard>
)

/** An office's agents who are closest to their next tier. */
export const CloseToTier = ({ total, items }: NonNullable<Home['avpClose']>) => (
  <BoardCard
    title="Close to the next AVP tier"
    note="until Sunday 23:59"
    footer={
      <LinkText to="/app/stats/avp-week">
        {total === 1 ? 'See this week’s sellers' : `See all ${formatCount(total)} agents`}
      </LinkText>
    }
  >
    <ul className={classes.rows}>
      {items.map(({ agentId, username, sales, next }) => (
        <li key={agentId}>
          <span className={classes.what}>
            <AgentLink id={agentId}>{username}</AgentLink>
            <small>
              {formatSales(sales)}, {formatCount(next.missing)} more until tier {next.tier}
            </small>
          </span>
          {next.adds && next.adds.php !== 0 && (
            <span className={classes.money}>
              {next.adds.php > 0 && '+'}
              {signedPesos(next.adds.php)}
            </span>
          )}
        </li>
      ))}
    </ul>
  </BoardCard>
)
