import type { Home } from '@tallyroom/contract/desk/home'
import { formatCount } from '@tallyroom/domain/money'
import { daysInWords } from '@tallyroom/domain/periods'
import { Amount } from '../../ui/text/Amount.tsx'
import { LinkText } from '../../ui/links.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import { Change } from '../../ui/Tile.tsx'
import { BoardCard } from './BoardCard.tsx'
import { dayText, formatSales } from './home-words.ts'
import classes from './HomeOwn.module.css'

type Agents = NonNullable<Home['agents']>

/** An office's agents without a sale for three days, and those who await approval. */
export const QuietAgents = ({ quiet, unapproved }: Agents) => (
  <BoardCard
    title="No sale for 3 days"
    note={quiet.total > 0 ? `${formatCount(quiet.total)} agents` : ''}
    footer={
      unapproved ? (
        <LinkText to="/app/agents">
          {unapproved.count === 1 ? '1 new agent waits' : `${unapproved.count} new agents wait`} for
          approval
        </LinkText>
      ) : (
        <LinkText to="/app/agents">All agents</LinkText>
      )
    }
  >
    {quiet.total === 0 ? (
      <p className={classes.none}>Every agent has sold in the last three days.</p>
    ) : (
      <ul className={classes.rows}>
        {quiet.items.map(({ agentId, username, lastSaleDay }) => (
          <li key={agentId}>
            <span className={classes.what}>
              <AgentLink id={agentId}>{username}</AgentLink>
            </span>
            <span className={classes.fact}>
              {lastSaleDay ? `last on ${dayText(lastSaleDay)}` : 'none in 30 days'}
            </span>
          </li>
        ))}
      </ul>
    )}
  </BoardCard>
)

/** Who sold most in the last seven days, and who lost most compared with the seven before. */
export function RisenAndFallen({ best, fallen, compared }: Agents) {
  const against = daysInWords(compared.before)
  const search = { groupBy: 'agent', start: compared.start, end: compared.end } as const
  return (
    <BoardCard
      title="Best agents and biggest drops"
      note={`${daysInWords(compared)} vs ${against}`}
      footer={
        <LinkText to="/app/stats/sites" search={search}>
          All agents in these days
        </LinkText>
      }
    >
      {best.length + fallen.length === 0 && (
        <p className={classes.none}>No sales in these 14 days.</p>
      )}
      {[best, fallen].map(
        (agents, index) =>
          agents.length > 0 && (
            <ul
              key={index === 0 ? 'best' : 'fallen'}
              className={classes.rows}
              aria-label={index === 0 ? 'Best agents' : 'Agents with the biggest drops'}
            >
              {agents.map(({ agentId, username, sales, salesBefore }) => (
                <li key={agentId}>
                  <span className={classes.what}>
                    <AgentLink id={agentId}>{username}</AgentLink>
                  </span>
                  <span className={classes.fact}>
                    <Amount
                      of={{
                        report: 'sites',
                        column: 'sales',
                        start: compared.start,
                        end: compared.end,
                        agentId,
                      }}
                      label={`${username},`}
                    >
                      {formatSales(sales)}
                    </Amount>{' '}
                    <Change
                      now={sales}
                      before={salesBefore}
                      events={salesBefore}
                      against={against}
                    />
                  </span>
                </li>
              ))}
            </ul>
          ),
      )}
    </BoardCard>
  )
}
