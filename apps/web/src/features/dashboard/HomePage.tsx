import { Button } from '@mantine/core'
import { TOP_ROWS } from '@tallyroom/contract/top-agents'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { Top10Table } from '../../ui/boards/Top10Table.tsx'
import { LinkText } from '../../ui/links.tsx'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { BoardCard } from './BoardCard.tsx'
import { dashboardQuery } from './dashboard.api.ts'
import classes from './HomePage.module.css'
import { LiveNote } from './LiveNote.tsx'
import { ManualsCard } from './ManualsCard.tsx'
import { NewsCard, NewsSkeleton } from './NewsCard.tsx'
import { AgentNotes, FraudNotice } from './Notices.tsx'
import { OfficeRanking } from './OfficeRanking.tsx'

/** Home: what one must read, the news, and how the network sells, live. */
export function HomePage() {
  const me = useMe()
  const { data, error, refetch } = useQuery(dashboardQuery)
  const [whole, setWhole] = useState(false)
  const offices = data?.officeRanking

  if (error && !data) {
    return (
      <div className={classes.failure}>
        <div role="alert">{error.message}</div>
        <Button variant="default" mt="sm" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.page}>
      <div className={classes.status}>
        <TimeZoneNote />
        <LiveNote />
      </div>
      {data?.showAgentFraudNotes && <FraudNotice />}
      {data?.agentNotes && <AgentNotes text={data.agentNotes} />}
      <div className={classes.top}>
        {data === undefined ? <NewsSkeleton /> : data.lastNews && <NewsCard {...data.lastNews} />}
        <ManualsCard />
      </div>
      <div className={classes.boards}>
        <BoardCard
          title="Weekly Top 10 Agents"
          period={data?.weekPeriod}
          footer={
            can(me, 'stats.top-agents') && (
              <LinkText to="/app/stats/top-agents">Choose another pay period</LinkText>
            )
          }
        >
          <Top10Table
            label="Weekly Top 10 Agents"
            groupBy="agent"
            viewer={me}
            rows={data?.weekTop10}
          />
        </BoardCard>
        <BoardCard title="All Time Top 10 Agents" note="Since the beginning">
          <Top10Table
            label="All Time Top 10 Agents"
            groupBy="agent"
            viewer={me}
            rows={data?.allTimeTop10}
          />
        </BoardCard>
        <BoardCard
          title="BiWeekly office ranking"
          period={data?.beWeekPeriod}
          footer={
            <>
              <span>Growth against the whole half-month before</span>
              {offices && offices.length > TOP_ROWS && (
                <button type="button" aria-expanded={whole} onClick={() => setWhole(!whole)}>
                  {whole ? `Show the first ${TOP_ROWS}` : `Show all ${offices.length} offices`}
                </button>
              )}
            </>
          }
        >
          <OfficeRanking offices={offices} ownId={me.companyId} whole={whole} />
        </BoardCard>
      </div>
    </div>
  )
}
