import { formatClock } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { dashboardQuery } from './dashboard.api.ts'
import classes from './HomePage.module.css'

/** Says how fresh the page is. Apart from the page, which is drawn again only when its figures change. */
export function LiveNote() {
  const { dataUpdatedAt, isError } = useQuery(dashboardQuery)
  if (dataUpdatedAt === 0) return null
  const time = formatClock(dataUpdatedAt).slice(11)
  return (
    <span className={classes.live} data-lost={isError || undefined} role="status">
      {isError ? `Not live: as of ${time}, trying again` : 'Live'}
      {!isError && <span aria-hidden> · {time}</span>}
    </span>
  )
}
