import { IconLayoutSidebar, IconLogout } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { BrandMark } from '../ui/BrandMark.tsx'
import { LANDING } from '../lib/page.ts'
import classes from './SideMenu.module.css'
import { useSignOut } from './sign-out.ts'
import { useMenu } from './menu.ts'
import { Tooltip } from '../ui/Tooltip.tsx'

interface SideMenuProps {
  /** Icons only; their words become tooltips. */
  collapsed: boolean
  onCollapse?: () => void
}

export function SideMenu({ collapsed, onCollapse }: SideMenuProps) {
  const entries = useMenu()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const signOut = useSignOut()

  return (
    <nav className={classes.menu} aria-label="Main" data-collapsed={collapsed || undefined}>
      <Link to={LANDING} className={classes.brand}>
        <BrandMark logoOnly={collapsed} />
      </Link>
      <ul className={classes.entries}>
        {entries.map(({ label, icon: Icon, area, badge: Badge, pages }) => {
          const isHere = `${path}/`.startsWith(`${area}/`)
          const [first] = pages
          return (
            first && (
              <li key={label}>
                <Tooltip label={label} position="right" disabled={!collapsed}>
                  <Link
                    to={first.to}
                    className={classes.entry}
                    aria-label={collapsed ? label : undefined}
                    aria-current={isHere ? 'page' : undefined}
                  >
                    <Icon size={18} stroke={1.6} aria-hidden />
                    <span>{label}</span>
                    {Badge && <Badge />}
                  </Link>
                </Tooltip>
              </li>
            )
          )
        })}
        <li>
          <Tooltip label="Logout" position="right" disabled={!collapsed}>
            <button
              type="button"
              className={classes.entry}
              aria-label={collapsed ? 'Logout' : undefined}
              onClick={signOut}
            >
              <IconLogout size={18} stroke={1.6} aria-hidden />
              <span>Logout</span>
            </button>
          </Tooltip>
        </li>
      </ul>
      {!collapsed && <BrandMark.Copyright />}
      {onCollapse && (
        <Tooltip label={collapsed ? 'Expand menu' : 'Collapse menu'} position="right">
          <button
            type="button"
            className={classes.entry}
            aria-label={collapsed ? 'Expand menu' : 'Collapse menu'}
            aria-expanded={!collapsed}
            onClick={onCollapse}
          >
            <IconLayoutSidebar size={18} stroke={1.6} aria-hidden />
            <span>Collapse</span>
          </button>
        </Tooltip>
      )}
    </nav>
  )
}
