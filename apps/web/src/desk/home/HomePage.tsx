import { Alert, Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconBook, IconPin } from '@tabler/icons-react'
import type { Dashboard } from '@tallyroom/contract/desk/dashboard'
import { BEGINNING, TOP_ROWS } from '@tallyroom/contract/figures/top-agents'
import { can } from '@tallyroom/domain/abilities'
import { formatClock } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBrand } from '../../lib/brand.ts'
import { useToday } from '../../lib/clock.ts'
import { useIsSmall, useIsWide } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { EmptyBoard } from '../../shared/boards/BoardRows.tsx'
import { Top10Table } from '../../shared/boards/Top10Table.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { BoardCard } from './BoardCard.tsx'
import { dashboardQuery, manualsQuery } from './dashboard.api.ts'
import { HomeCards, HomeOwn } from './HomeOwn.tsx'
import classes from './HomePage.module.css'
import { TRIES_AGAIN, useFailure } from './live-query.ts'
import { OfficeRanking } from './OfficeRanking.tsx'

/** Home: the viewer's own figures and cards, news, and live boards of the network's sales, which a wide screen has right below the figures. */
export function HomePage() {
  const { data, error, refetch } = useQuery(dashboardQuery)
  const failure = useFailure({ data, error })
  const isSmall = useIsSmall()
  const isWide = useIsWide()

  if (failure) {
    return (
      <div className={classes.failure}>
        <div role="alert">
          {failure.message} {TRIES_AGAIN}
        </div>
        <Button variant="default" mt="sm" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    )
  }
  const needs = isSmall ? 'first' : isWide ? 'line' : 'card'
  const news = (
    <div className={classes.top}>
      {data === undefined ? <NewsSkeleton /> : data.lastNews && <NewsCard {...data.lastNews} />}
      <ManualsCard />
    </div>
  )
  return (
    <div className={classes.page}>
      <div className={classes.status}>
        <TimeZoneNote />
        <LiveNote />
      </div>
      {data?.showAgentFraudNotes && <FraudNotice />}
      <HomeOwn needs={needs} />
      {!isWide && <HomeCards needs={needs} />}
      {data?.agentNotes && <AgentNotes text={data.agentNotes} />}
      {!isWide && news}
      <Boards data={data} />
      {isWide && <HomeCards needs={needs} />}
      {isWide && news}
    </div>
  )
}

/** The best agents of the week and of all time, and the offices of the half-month. */
function Boards({ data }: { data: Dashboard | undefined }) {
  const me = useMe()
  const today = useToday()
  const [whole, setWhole] = useState(false)
  const offices = data?.officeRanking
  if (data && isSilent(data)) {
    return (
      <BoardCard title="Best agents and offices">
        <EmptyBoard about="The best agents of the week and of all time, and the ranking of offices, appear here after the first sale." />
      </BoardCard>
    )
  }
  return (
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
          covers={data?.weekPeriod}
        />
      </BoardCard>
      <BoardCard title="All Time Top 10 Agents" note="Since the beginning">
        <Top10Table
          label="All Time Top 10 Agents"
          groupBy="agent"
          viewer={me}
          rows={data?.allTimeTop10}
          covers={{ start: BEGINNING, end: today }}
        />
      </BoardCard>
      <BoardCard
        title="BiWeekly office ranking"
        period={data?.beWeekPeriod}
        footer={
          offices?.length !== 0 && (
            <>
              <span>
                Growth: against the whole half-month before.
                <span className={classes.toDate}> To date: against as many days of it.</span>
              </span>
              {offices && offices.length > TOP_ROWS && (
                <button type="button" aria-expanded={whole} onClick={() => setWhole(!whole)}>
                  {whole ? `Show the first ${TOP_ROWS}` : `Show all ${offices.length} offices`}
                </button>
              )}
            </>
          )
        }
      >
        <OfficeRanking
          offices={offices}
          ownId={me.companyId}
          whole={whole}
          days={data?.beWeekPeriod}
        />
      </BoardCard>
    </div>
  )
}

/** Nobody has sold anything yet: one sentence instead of three empty boards. */
const isSilent = ({ weekTop10, allTimeTop10, officeRanking }: Dashboard): boolean =>
  [weekTop10, allTimeTop10, officeRanking].every(({ length }) => length === 0)

/**
 * Says how fresh the page is. A separate component, so that the page itself renders only when
 * figures change.
 */
function LiveNote() {
  const { dataUpdatedAt, isError } = useQuery(dashboardQuery)
  if (dataUpdatedAt === 0) return null
  const time = formatClock(dataUpdatedAt).slice(11)
  return (
    <span className={classes.live} data-lost={isError || undefined} role="status">
      {isError ? `Not live: as of ${time}, retrying` : 'Live'}
      {!isError && <span aria-hidden> · {time}</span>}
    </span>
  )
}

/** Tells an agent why their account is suspended. */
const FraudNotice = () => (
  <Alert
    color="red"
    variant="outline"
    icon={<IconAlertTriangle />}
    title="Your account is suspended"
    role="alert"
  >
    Your sales were flagged as made with stolen credit cards, and your account is suspended. Please
    contact your office.
  </Alert>
)

/** The office's note for its agents, in plain text. */
const AgentNotes = ({ text }: { text: string }) => (
  <section className={classes.notes} aria-labelledby="must-read">
    <IconPin size={18} stroke={1.6} aria-hidden />
    <div>
      <h2 id="must-read">Must read</h2>
      <p>{text}</p>
    </div>
  </section>
)

/** The latest news, written by a superadmin. */
const NewsCard = ({ html, createdAt }: NonNullable<Dashboard['lastNews']>) => (
  <BoardCard title="Latest news" {...(createdAt !== null && { note: <Instant at={createdAt} /> })}>
    <div className={classes.prose}>
      <LaterRichText html={html} />
    </div>
  </BoardCard>
)

/** As high as typical news, so that the boards below do not jump. */
const NewsSkeleton = () => (
  <BoardCard title="Latest news">
    <div className={classes.prose}>
      <Skeleton height={16} width={190} mt={8} mb={18} />
      <Skeleton height={11} width="92%" mb={12} />
      <Skeleton height={11} width="64%" />
    </div>
  </BoardCard>
)

/** How to sell: the manuals, if the brand shows them and there are any. */
function ManualsCard() {
  const me = useMe()
  const { howToSell } = useBrand().flags
  const { data: manuals = [] } = useQuery({ ...manualsQuery, enabled: howToSell })
  if (!howToSell || manuals.length === 0) return null
  return (
    <BoardCard title="How to sell">
      <ul className={classes.manuals}>
        {manuals.map(({ id, title }) => (
          <li key={id}>
            <IconBook size={15} stroke={1.6} aria-hidden />
            {can(me, 'manuals.manage') ? (
              <LinkText to="/app/site-manuals/edit/$id" params={{ id: String(id) }}>
                {title}
              </LinkText>
            ) : (
              <LinkText to="/app/how-to-sell" search={{ manual: id }}>
                {title}
              </LinkText>
            )}
          </li>
        ))}
      </ul>
    </BoardCard>
  )
}
