import { can } from '@tallyroom/domain/abilities'
import { isAtLeast } from '@tallyroom/domain/roles'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import {
  IconChartBar,
  IconChecklist,
  IconHome,
  IconLink,
  IconMenu2,
  IconReceipt2,
  IconSearch,
} from '@tabler/icons-react'
import { NeedsCount } from '../desk/home/NeedsCount.tsx'
import { useMe } from '../lib/session.ts'
import type { BottomBarProps } from './BottomBar.tsx'
import classes from './BottomBar.module.css'

const icon = { size: 22, stroke: 1.6, 'aria-hidden': true }

/** Staff decide and find, others sell. */
export default function QuickPlaces(props: BottomBarProps) {
  return isAtLeast(useMe().role, 'admin') ? <StaffPlaces {...props} /> : <SellersPlaces />
}

const places = [
  { label: 'Home', to: '/app/home', icon: IconHome },
  { label: 'Links', to: '/app/links/links', icon: IconLink },
  { label: 'Stats', to: '/app/stats/sites', icon: IconChartBar },
  { label: 'Sales', to: '/app/logs/sale-logs', icon: IconReceipt2 },
] as const

function SellersPlaces() {
  const me = useMe()
  const { routesByPath } = useRouter()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const open = places.filter(({ to }) => {
    const { ability } = routesByPath[to].options.staticData ?? {}
    return !ability || can(me, ability)
  })
  return open.map(({ label, to, icon: Icon }) => (
    <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
      <Icon {...icon} />
      {label}
    </Link>
  ))
}

function StaffPlaces({ onFind, onMenu }: BottomBarProps) {
  return (
    <>
      <Link to="/app/home" activeOptions={WITH_HASH}>
        <IconHome {...icon} />
        Home
      </Link>
      <Link to="/app/home" hash={NEEDS} activeOptions={WITH_HASH}>
        <span className={classes.counted}>
          <IconChecklist {...icon} />
          <NeedsCount />
        </span>
        Needs you
      </Link>
      <button type="button" onClick={onFind}>
        <IconSearch {...icon} />
        Find
      </button>
      <button type="button" onClick={onMenu}>
        <IconMenu2 {...icon} />
        Menu
      </button>
    </>
  )
}

/** The id of the list on Home. */
const NEEDS = 'needs-you'

/** Two places of one page. */
const WITH_HASH = { includeHash: true }
