import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useIsSmall } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { AvpCard, CloseToTier } from './AvpWeek.tsx'
import { homeQuery } from './dashboard.api.ts'
import { DemoVisitors } from './DemoVisitors.tsx'
import classes from './HomeOwn.module.css'
import { HomeTiles } from './HomeTiles.tsx'
import { HomeWaiting } from './HomeWaiting.tsx'
import { TRIES_AGAIN, useFailure } from './live-query.ts'
import { LatestSales } from './LatestSales.tsx'
import { MyLinks } from './MyLinks.tsx'
import { NeedsYou, SitesToday } from './NetworkToday.tsx'
import { QuietAgents, RisenAndFallen } from './OfficeAgents.tsx'
import { SetupChecklist } from './SetupChecklist.tsx'
import { SetupDone } from './SetupDone.tsx'

/** The viewer's own part: their figures, and what each role comes for. */
export function HomeOwn() {
  const me = useMe()
  const isSmall = useIsSmall()
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
  if (!home) return <HomeWaiting role={me.role} isSmall={isSmall} />
  // Before the first click there is nothing to measure.
  if (home.setup && !home.setup.done.includes('click')) return <SetupChecklist setup={home.setup} />
  return (
    <>
      {home.setup && <SetupChecklist setup={home.setup} />}
      {me.role === 'superadmin' && !home.setup && <SetupDone />}
      {isSmall && home.network && <NeedsYou home={home} network={home.network} />}
      <HomeTiles home={home} />
      {me.role === 'superadmin' && <DemoVisitors />}
      <div className={classes.cards}>
        {!isSmall && home.network && <NeedsYou home={home} network={home.network} />}
        {home.network && <SitesToday home={home} network={home.network} />}
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
