import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { can } from '@tallyroom/domain/abilities'
import {
  type QueryClient,
  type QueryFunction,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  Link,
  Outlet,
  useRouter,
  useRouterState,
  type LinkProps,
  type RegisteredRouter,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../shared/pickers/picker.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import { type MenuAction, RowMenu } from '../../ui/list/RowMenu.tsx'
import { useChosenInView } from '../../ui/use-chosen-in-view.ts'
import tabClasses from '../AreaTabs.module.css'
import classes from './ObjectPage.module.css'

interface ObjectActions {
  edit: { to: NonNullable<LinkProps['to']>; params: Record<string, string> }
  menu: readonly MenuAction[]
}

interface ObjectPageProps {
  name: string
  /** Beside the name: a full name, an office, a state. */
  facts: ReactNode
  /** Its form and the actions of its menu, for viewers who may change it. */
  actions?: ObjectActions | undefined
  /** The routes of its tabs. Tabs that the viewer may not open are left out. */
  tabs: readonly (keyof RegisteredRouter['routesByPath'] & LinkProps['to'])[]
  params: Record<string, string>
}

/** The page of an office, agent or site: its header, and one tab at a time. */
export function ObjectPage({ name, facts, actions, tabs, params }: ObjectPageProps) {
  usePageName(name)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <h2 className={classes.name}>{name}</h2>
        <div className={classes.facts}>{facts}</div>
        {actions && (
          <div className={classes.actions}>
            <LinkButton {...actions.edit} variant="default" size="xs">
              Edit
            </LinkButton>
            <RowMenu of={name} actions={actions.menu} />
          </div>
        )}
      </header>
      <ObjectTabs name={name} tabs={tabs} params={params} />
      <div className={classes.tab}>
        <Outlet />
      </div>
    </div>
  )
}

interface Asked<Data> {
  /** What it is, which one, and what else the answer depends on. */
  key: readonly unknown[]
  read: QueryFunction<Data>
  /** Refreshes the lists that show it. */
  refreshLists: (client: QueryClient) => Promise<unknown>
}

/** An object for its page. Its form has a query of its own, which is fetched anew whenever the form opens. */
export function useObject<Data>({ key, read, refreshLists }: Asked<Data>) {
  const client = useQueryClient()
  const queryKey = ['object-page', ...key]
  const query = useQuery({ queryKey, queryFn: read, meta: { ownErrors: true } })
  const refresh = () => Promise.all([refreshLists(client), client.invalidateQueries({ queryKey })])
  return { query, refresh }
}

function ObjectTabs({ name, tabs, params }: Pick<ObjectPageProps, 'name' | 'tabs' | 'params'>) {
  const me = useMe()
  const { routesByPath } = useRouter()
  const { data: rules = [] } = useQuery({
    ...queryOf(paySettingsEndpoints.avpRules, {}, { meta: { ownErrors: true } }),
    staleTime: OPTIONS_STALE_MS,
    enabled: can(me, 'pay.view'),
  })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // The Statements tab may appear later and shift those behind it.
  const nav = useChosenInView(`${path} ${rules.length}`)
  return (
    <nav ref={nav} className={`${tabClasses.tabs} ${classes.tabs}`} aria-label={name}>
      {tabs.map((to) => {
        const { title, tab = title, ability } = routesByPath[to].options.staticData ?? {}
        if (ability && !can(me, ability)) return null
        // Shows nothing about pay while it is off.
        if (ability === 'pay.view' && rules.length === 0) return null
        return (
          <Link
            key={to}
            to={to}
            params={params}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {tab}
          </Link>
        )
      })}
    </nav>
  )
}
