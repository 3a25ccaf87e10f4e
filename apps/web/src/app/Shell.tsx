import { Text, Title } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import type { Role } from '@tallyroom/domain/roles'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { AlertBanner } from '../features/announcements/AlertBanner.tsx'
import { Views } from '../features/saved-views/Views.tsx'
import { SignedInAsBanner } from '../features/remote-login/SignedInAsBanner.tsx'
import { useBrand } from '../lib/brand.ts'
import { frameRoute, LANDING } from '../lib/page.ts'
import { useShownPageName } from '../lib/page-name.ts'
import { refreshMe } from '../lib/refresh-me.ts'
import { useMe } from '../lib/session.ts'
import { storedValue } from '../lib/stored.ts'
import { LinkButton } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { AreaTabs } from './AreaTabs.tsx'
import { BottomBar } from './BottomBar.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { Commands } from './Commands.tsx'
import classes from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'

const MenuDrawer = lazy(() => import('./MenuDrawer.tsx'))
const ExplainDrawer = lazy(() => import('../features/explain/ExplainDrawer.tsx'))

/** The frame around every signed-in page: menu, header, keyboard commands. */
export function Shell() {
  const me = useMe()
  useFreshMe(me.accountId)
  const matches = useMatches()
  const page = matches.at(-1)
  const object = matches.find(({ staticData }) => staticData.isObject)
  const { title = '', ability } = page?.staticData ?? {}
  const isOpen = !ability || can(me, ability)
  const [collapsed, setCollapsed] = useMenuCollapsed()
  const [drawerOpen, setDrawerOpen] = useDrawer()
  const { explain } = frameRoute.useSearch()
  useWindowTitle(title, useShownPageName())

  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.side} data-collapsed={collapsed || undefined}>
        <SideMenu collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />
      </aside>
      <Suspense>{drawerOpen && <MenuDrawer onClose={() => setDrawerOpen(false)} />}</Suspense>
      <div>
        <SignedInAsBanner />
        <AlertBanner />
        <PageHeader
          title={title}
          username={me.username}
          onMenu={() => setDrawerOpen(true)}
          controls={
            <>
              <Views />
              <Commands />
              <ColorSchemeToggle />
            </>
          }
        />
      </div>
      <main id="content" className={classes.content} tabIndex={-1}>
        <AreaTabs />
        {/* Keyed by page: a shared element would jump when tabs appear or disappear. */}
        <div key={object?.id ?? page?.routeId} className={classes.page}>
          {isOpen ? <Outlet /> : <ClosedPage role={me.role} />}
        </div>
      </main>
      <BottomBar />
      <Suspense>{explain !== undefined && <ExplainDrawer key={explain} text={explain} />}</Suspense>
    </div>
  )
}

/** The menu on phones. Every route change closes it. */
function useDrawer() {
  const path = useRouterState({ select: (state) => state.location.href })
  const [openOn, setOpenOn] = useState<string | null>(null)
  return [openOn === path, (open: boolean) => setOpenOn(open ? path : null)] as const
}

/** Refetches the account when the user returns to the tab, because their rights may have changed. */
function useFreshMe(accountId: number) {
  useQuery({
    queryKey: ['me', accountId],
    queryFn: async () => {
      await refreshMe()
      return null
    },
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  })
}

function useWindowTitle(title: string, record: string | undefined) {
  const { name } = useBrand()
  useEffect(() => {
    document.title = [record, title, name].filter(Boolean).join(' · ')
  }, [record, title, name])
}

const collapsed = storedValue('tallyroom.menu-collapsed', (text) => text === 'true')

/** Whether the side menu shows icons only, remembered in this browser. */
const useMenuCollapsed = () =>
  [useSyncExternalStore(collapsed.subscribe, collapsed.get) ?? false, collapsed.set] as const

/** Replaces a page that this account may not open, reached by an old bookmark or a colleague's link. */
const ClosedPage = ({ role }: { role: Role }) => (
  <div role="alert">
    <Title order={2} fz={16}>
      You don’t have access to this page
    </Title>
    <Text my="sm" maw={480}>
      {WHOM_TO_ASK[role]}
    </Text>
    <LinkButton to={LANDING}>Go to Home</LinkButton>
  </div>
)

const WHOM_TO_ASK: Record<Role, string> = {
  superadmin: 'It is for other kinds of accounts.',
  admin: 'If you need it for your work, ask a superadmin.',
  company: 'If you need it for your work, ask your contact at the network.',
  agent: 'If you need it for your work, ask your office.',
}
