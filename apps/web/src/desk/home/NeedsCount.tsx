import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { homeQuery } from './dashboard.api.ts'
import { needsCountOf } from './home-words.ts'
import classes from './NeedsCount.module.css'

/** How much waits for staff, as of the last look at Home or of a minute ago. Renders nothing if nothing does. */
export function NeedsCount() {
  const { data: home } = useQuery({
    ...homeQuery,
    refetchInterval: false,
    refetchOnWindowFocus: true,
    staleTime: 60_000,
  })
  const count = home?.network ? needsCountOf(home.network) : 0
  return (
    count > 0 && (
      <span className={classes.count}>
        {count > MOST_SHOWN ? `${MOST_SHOWN}+` : formatCount(count)}
      </span>
    )
  )
}

const MOST_SHOWN = 99
