import { IconLayoutSidebar, IconLogout } from '@tabler/icons-react'
import { authEndpoints } from '@tallyroom/contract/auth'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { call } from '../lib/call.ts'
import { LANDING } from '../lib/page.ts'
import { forgetSession, readSession } from '../lib/session.ts'
import { BrandMark } from '../ui/BrandMark.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useMenu } from './menu.ts'
import classes from './SideMenu.module.css'

interface SideMenuProps {
  /** Shows icons only, with the labels as tooltips. */
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

/** Signs out of all tabs at once, and tells the server without waiting for it. */
function useSignOut() {
  const router = useRouter()
  return () => {
    const token = readSession()?.token
    forgetSession()
    void router.navigate({ to: '/login', ignoreBlocker: true, replace: true })
    // If the server is unreachable, the session expires by itself.
    if (token) call(authEndpoints.logout, {}, { token }).catch(() => {})
  }
}
