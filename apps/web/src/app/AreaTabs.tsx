import { Link, useMatches } from '@tanstack/react-router'
import { useChosenInView } from '../ui/use-chosen-in-view.ts'
import classes from './AreaTabs.module.css'
import { useMenu } from './menu.ts'
import { tabGroups } from './menu-groups.ts'

/** The tabs of the current menu entry. None if it has a single page. */
export function AreaTabs() {
  // Follow the page on screen: while the next one loads, keep its tabs, like its title.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' })
  const area = useMenu().find(({ pages }) => pages.some(({ to }) => isWithin(path, to)))
  const tabs = useChosenInView(path)
  if (!area || area.pages.length < 2) return null
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={area.label}>
      {tabGroups(area).map((group) => {
        const links = group.pages.map(({ label, to }) => (
          <Link
            key={to}
            to={to}
            {...(area.carriesQuery && { search: carried })}
            aria-current={isWithin(path, to) ? 'page' : undefined}
          >
            {label}
          </Link>
        ))
        return group.label === undefined ? (
          links
        ) : (
          <div key={group.label} role="group" aria-label={group.label} className={classes.group}>
            <span className={classes.name} aria-hidden>
              {group.label}
            </span>
            <div className={classes.links}>{links}</div>
          </div>
        )
      })}
    </nav>
  )
}

/** `/app/stats/sites` contains `/app/stats/sites/…`, but not `/app/stats/sites-avp`. */
const isWithin = (path: string, page: string) => `${path}/`.startsWith(`${page}/`)

/** Keeps the criteria, but not the page and order, which belong to the list being left. */
const carried = (query: Record<string, unknown>) => ({
  ...query,
  page: undefined,
  sortField: undefined,
  sortAsc: undefined,
})
