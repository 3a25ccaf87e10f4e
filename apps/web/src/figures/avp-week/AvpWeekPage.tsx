import { avpWeekEndpoints } from '@tallyroom/contract/figures/avp-week'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { AvpStandingCard } from '../../shared/AvpStandingCard.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './avp-week.module.css'
import { CloseAgentsList, POLL_MS } from './CloseAgentsList.tsx'

const route = getRouteApi('/app/stats/avp-week')

/**
 * The current AVP week: an agent's own standing, or for offices and staff the agents who are close
 * to the next tier.
 */
export function AvpWeekPage() {
  const me = useMe()
  const { agentId = me.agentId } = route.useSearch()
  if (me.role === 'agent' && me.agentId !== null) return <Standing agentId={me.agentId} />
  if (agentId === null) return <CloseAgentsList />
  return (
    <div className={classes.page}>
      <LinkText to="/app/stats/avp-week" search={{}}>
        All agents who sell this week
      </LinkText>
      <Standing agentId={agentId} />
    </div>
  )
}

function Standing({ agentId }: { agentId: number }) {
  const me = useMe()
  const query = useQuery({
    ...queryOf(
      avpWeekEndpoints.avpStanding,
      { params: { agentId: String(agentId) } },
      { meta: { ownErrors: true } },
    ),
    refetchInterval: POLL_MS,
  })
  return (
    <FormLoader
      query={query}
      fields={4}
      back={{ to: '/app/stats/avp-week', label: 'AVP this week' }}
    >
      {(standing) => (
        <section className={classes.standing} aria-labelledby="standing">
          <h2 id="standing">
            {me.agentId === agentId ? (
              'Your week'
            ) : (
              <AgentLink id={agentId}>{standing.username}</AgentLink>
            )}
            <small>
              <WithDays>
                {standing.week.start} – {standing.week.end}
              </WithDays>
            </small>
          </h2>
          <AvpStandingCard standing={standing} isWhole />
        </section>
      )}
    </FormLoader>
  )
}
