import { Box, Text, Title } from '@mantine/core'
import type { Me } from '@tallyroom/contract/people/accounts'
import { can } from '@tallyroom/domain/abilities'
import type { Role } from '@tallyroom/domain/roles'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { AlertBanner } from '../desk/announcements/AlertBanner.tsx'
import { Bell } from '../desk/bell/Bell.tsx'
import { Views } from '../desk/saved-views/Views.tsx'
import { ContactButton } from '../people/contact/ContactButton.tsx'
import { ContactWays } from '../people/contact/ContactWays.tsx'
import { SignedInAsBanner } from '../people/remote-login/SignedInAsBanner.tsx'
import { useBrand } from '../lib/brand.ts'
import { lazyOr } from '../lib/lazy-or.ts'
import { usePasskeyOffer } from '../lib/factors/passkey-offer.ts'
import { frameRoute, LANDING } from '../lib/pages/page.ts'
import { useShownPageName } from '../lib/pages/page-name.ts'
import { scrollerOf } from '../lib/pages/scroller.ts'
import { refreshMe } from '../lib/refresh-me.ts'
import { useMe } from '../lib/session.ts'
import { storedValue } from '../lib/stored.ts'
import { LinkButton } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useAsked } from '../ui/use-asked.ts'
import { AreaTabs } from './AreaTabs.tsx'
import { BottomBar } from './BottomBar.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { type Command, Commands } from './Commands.tsx'
import classes from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'

const MenuDrawer = lazy(() => import('./MenuDrawer.tsx'))
const PasskeyOffer = lazyOr(() => import('../people/passkey-offer/PasskeyOffer.tsx'))
const ExplainDrawer = lazy(() => import('../figures/explain/ExplainDrawer.tsx'))

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
  const command = useAsked<Command>()
  const { explain } = frameRoute.useSearch()
  const isOffered = usePasskeyOffer(me)
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
      <div className={classes.column}>
        <div className={classes.top}>
          <SignedInAsBanner />
          <AlertBanner />
          <PageHeader
            title={title}
            username={me.username}
            onMenu={() => setDrawerOpen(true)}
            controls={
              <>
                <span className={classes.contact}>
                  <ContactButton />
                </span>
                <Views />
                <Bell />
                <Commands command={command} />
                <ColorSchemeToggle />
              </>
            }
          />
        </div>
        <main id="content" className={classes.content} tabIndex={-1}>
          <AreaTabs />
          {/* Keyed by page: a shared element would jump when tabs appear or disappear. */}
          <Page key={object?.id ?? page?.routeId}>
            {isOpen ? <Outlet /> : <ClosedPage {...me} />}
          </Page>
        </main>
      </div>
      <BottomBar onFind={() => command.ask('palette')} onMenu={() => setDrawerOpen(true)} />
      <Suspense>{isOffered && <PasskeyOffer />}</Suspense>
      <Suspense>{explain !== undefined && <ExplainDrawer key={explain} text={explain} />}</Suspense>
    </div>
  )
}

/** A page begins at its top. Going back restores where it was. */
function Page({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // In a block, because newer browsers answer with a promise, which is no clean-up.
    scrollerOf(ref.current)?.scrollTo(0, 0)
  }, [])
  return (
    <div ref={ref} className={classes.page}>
      {children}
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
const ClosedPage = ({ role, contact }: Me) => (
  <div role="alert">
    <Title order={2} fz={16}>
      You don’t have access to this page
    </Title>
    <Text my="sm" maw={480}>
      {WHOM_TO_ASK[role]}
    </Text>
    {role === 'company' && contact && (
      <Box mb="md">
        <ContactWays contact={contact} />
      </Box>
    )}
    <LinkButton to={LANDING}>Go to Home</LinkButton>
  </div>
)

const WHOM_TO_ASK: Record<Role, string> = {
  superadmin: 'It is for other kinds of accounts.',
  admin: 'If you need it for your work, ask a superadmin.',
  company: 'If you need it for your work, ask your contact at the network.',
  agent: 'If you need it for your work, ask your office.',
}
