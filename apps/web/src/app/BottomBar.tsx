import { can } from '@tallyroom/domain/abilities'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { IconChartBar, IconHome, IconLink, IconReceipt2 } from '@tabler/icons-react'
import { useMe } from '../lib/session.ts'
import classes from './BottomBar.module.css'

const places = [
  { label: 'Home', to: '/app/home', icon: IconHome },
  { label: 'Links', to: '/app/links/links', icon: IconLink },
  { label: 'Stats', to: '/app/stats/sites', icon: IconChartBar },
  { label: 'Sales', to: '/app/logs/sale-logs', icon: IconReceipt2 },
] as const

/** The pages that people use most on a phone, within reach of the thumb. */
export function BottomBar() {
  const me = useMe()
  const { routesByPath } = useRouter()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const open = places.filter(({ to }) => {
    const { ability } = routesByPath[to].options.staticData ?? {}
    return !ability || can(me, ability)
  })
  return (
    <nav className={classes.bar} aria-label="Quick access">
      {open.map(({ label, to, icon: Icon }) => (
        <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
          <Icon size={22} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  )
}
