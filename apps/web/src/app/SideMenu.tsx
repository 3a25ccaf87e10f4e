import { IconLayoutSidebar, IconLogout } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { LANDING } from '../lib/pages/page.ts'
import { useMe } from '../lib/session.ts'
import { ContactWays } from '../people/contact/ContactWays.tsx'
import { BrandMark } from '../ui/BrandMark.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { currentArea, menuGroups, useMenu } from './menu.ts'
import { useSignOut } from './use-sign-out.ts'
import classes from './SideMenu.module.css'

interface SideMenuProps {
  /** Shows icons only, with the labels as tooltips. */
  collapsed: boolean
  onCollapse?: () => void
  /** Shows whom offices and agents ask, which phones have no room for in the header. */
  contact?: boolean
}

export function SideMenu({ collapsed, onCollapse, contact = false }: SideMenuProps) {
  const entries = useMenu()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const me = useMe()
  const id = useId()
  const signOut = useSignOut()
  const shared = { collapsed, current: currentArea(path, entries) }

  return (
    <nav className={classes.menu} aria-label="Main" data-collapsed={collapsed || undefined}>
      <Link to={LANDING} className={classes.brand}>
        <BrandMark logoOnly={collapsed} />
      </Link>
      <div className={classes.entries}>
        <Entries entries={entries.filter(({ group }) => group === undefined)} {...shared} />
        {menuGroups.map((group) => {
          const own = entries.filter((entry) => entry.group === group)
          return (
            own.length > 0 && (
              <section key={group} aria-labelledby={`${id}-${group}`}>
                <div id={`${id}-${group}`} className={classes.group}>
                  <span>{group}</span>
                </div>
                <Entries entries={own} {...shared} />
              </section>
            )
          )
        })}
      </div>
      {contact && me.contact && (
        <section className={classes.contact} aria-label="Contact">
          <ContactWays contact={me.contact} />
        </section>
      )}
      <section className={classes.account} aria-labelledby={`${id}-account`}>
        <div id={`${id}-account`} className={classes.group}>
          <span>{me.username}</span>
        </div>
        <Entries entries={entries.filter(({ group }) => group === 'account')} {...shared}>
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
        </Entries>
      </section>
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

interface EntriesProps {
  entries: ReturnType<typeof useMenu>
  collapsed: boolean
  /** The area of the page on screen. */
  current: string | undefined
  /** After the entries. */
  children?: ReactNode
}

const Entries = ({ entries, collapsed, current, children }: EntriesProps) => (
  <ul>
    {entries.map(
      ({ label, icon: Icon, area, badge: Badge, pages: [first] }) =>
        first && (
          <li key={area}>
            <Tooltip label={label} position="right" disabled={!collapsed}>
              <Link
                to={first.to}
                className={classes.entry}
                aria-label={collapsed ? label : undefined}
                aria-current={area === current ? 'page' : undefined}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                <span>{label}</span>
                {Badge && <Badge />}
              </Link>
            </Tooltip>
          </li>
        ),
    )}
    {children}
  </ul>
)
