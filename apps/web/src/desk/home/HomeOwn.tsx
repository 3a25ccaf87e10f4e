import { Button } from '@mantine/core'
import type { Home } from '@tallyroom/contract/desk/home'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { AvpCard, CloseToTier } from './AvpWeek.tsx'
import { homeQuery } from './dashboard.api.ts'
import { DemoVisitors } from './DemoVisitors.tsx'
import classes from './HomeOwn.module.css'
import { HomeTiles } from './HomeTiles.tsx'
import { type NeedsPlace, WaitingCards, WaitingOwn } from './HomeWaiting.tsx'
import { TRIES_AGAIN, useFailure } from './live-query.ts'
import { LatestSales } from './LatestSales.tsx'
import { MyLinks } from './MyLinks.tsx'
import { NeedsYou, SitesToday } from './NetworkToday.tsx'
import { QuietAgents, RisenAndFallen } from './OfficeAgents.tsx'
import { SetupChecklist } from './SetupChecklist.tsx'
import { SetupDone } from './SetupDone.tsx'

interface PlaceProps {
  /** Where what waits for staff stands: first on a phone, as a line below the figures on a wide screen, else among the cards. */
  needs: NeedsPlace
}

/** The viewer's own figures, and what has to be set up before there are any. */
export function HomeOwn({ needs }: PlaceProps) {
  const me = useMe()
  const { data: home, error, refetch } = useQuery(homeQuery)
  const failure = useFailure({ data: home, error })
  if (failure) {
    return (
      <div role="alert" className={classes.failure}>
        Your figures could not be loaded. {failure.message} {TRIES_AGAIN}
        <Button variant="default" size="xs" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    )
  }
  if (!home) return <WaitingOwn role={me.role} needs={needs} />
  if (!hasFigures(home)) return home.setup && <SetupChecklist setup={home.setup} />
  const { network } = home
  return (
    <>
      {home.setup && <SetupChecklist setup={home.setup} />}
      {me.role === 'superadmin' && !home.setup && <SetupDone />}
      {needs === 'first' && network && <NeedsYou home={home} network={network} />}
      <HomeTiles home={home} />
      {needs === 'line' && network && <NeedsYou home={home} network={network} isLine />}
    </>
  )
}

/** What each role comes for besides its figures. */
export function HomeCards({ needs }: PlaceProps) {
  const me = useMe()
  const { data: home, isError } = useQuery(homeQuery)
  if (!home) return isError ? null : <WaitingCards role={me.role} needs={needs} />
  if (!hasFigures(home)) return null
  const { network } = home
  return (
    <>
      {me.role === 'superadmin' && <DemoVisitors />}
      <div className={classes.cards}>
        {needs === 'card' && network && <NeedsYou home={home} network={network} />}
        {network && <SitesToday home={home} network={network} />}
        {home.avpStanding && <AvpCard standing={home.avpStanding} />}
        {home.avpClose && <CloseToTier {...home.avpClose} />}
        <LatestSales sales={home.latestSales} />
        {home.links && <MyLinks links={home.links} today={home.today} />}
        {home.agents && <QuietAgents {...home.agents} />}
        {home.agents && <RisenAndFallen {...home.agents} />}
      </div>
    </>
  )
}

/** Before the first click there is nothing to measure. */
const hasFigures = ({ setup }: Home): boolean => !setup || setup.done.includes('click')
