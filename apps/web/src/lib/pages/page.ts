import { can, type Ability } from '@tallyroom/domain/abilities'
import type { Me } from '@tallyroom/contract/people/accounts'
import type { Brand } from '@tallyroom/domain/brands/index'
import { dayOf } from '@tallyroom/domain/new-york'
import { DAY_PAIRS, withDays } from '@tallyroom/domain/saved-views'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { z } from 'zod'
import { readBrand } from '../brand.ts'
import { askAhead } from '../first-data.ts'
import { searchInt, searchText } from './search.ts'
import { readSession } from '../session.ts'

/** What the frame, the menu and the palette know about a page before its code has loaded. */
interface PageFacts {
  /** A page of one office, agent or site: the frame keeps it while its tabs, which are routes below it, change. */
  isObject?: true
  /** Shown in the header and in the window title. */
  title?: string
  /** Its name in menu, tabs and palette, if it differs from the title. */
  tab?: string
  /** Without this ability, the frame shows `ClosedPage` instead. The server would refuse the page's calls anyway. */
  ability?: Ability
  /** Only brands with this flag have the page. */
  flag?: keyof Brand['flags']
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageFacts {
    /** Its URL has criteria, so that it can be saved as a view. */
    keepsCriteria?: true
  }
}

interface Page<Path extends string, Search extends object> extends PageFacts {
  /** Below `/app`. */
  path: Path
  title: string
  /** The page's state in the URL. */
  search?: z.ZodType<Search>
  /**
   * Its search holds what is open on the page of one record. It has no criteria to save as a view.
   */
  isRecord?: true
  /** Called with the search before the page opens. May throw a redirect that completes the search. */
  complete?: (search: Search) => void
  /** The call that answers the page, to be sent before its code has arrived. */
  asks?: (search: Search, me: Me) => { url: string; body: object } | undefined
  /** Fetches what decides on the page's layout, before the page is rendered. */
  load?: (client: QueryClient) => Promise<unknown>
  component: RouteComponent
}

/** The page after sign-in, and for '/' and unknown paths. Every role may open it. */
export const LANDING = '/app/home'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** What every page's URL may have besides its own search. */
const frameSearchSchema = z.object({
  /** The amount being explained (`amount-text.ts`) and the page of its parts. */
  explain: searchText(120),
  explainPage: searchInt(1, 1_000_000),
})

/** The parent of every signed-in page. `app/router.tsx` sets its component. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  validateSearch: (raw: Record<string, unknown>) => frameSearchSchema.parse(raw),
  beforeLoad: ({ location }) => {
    const session = readSession()
    if (!session) throw redirect({ to: '/login', search: { returnUrl: location.href } })
    if (session.me.mustChangePassword)
      throw redirect({ to: '/new-password', search: { returnUrl: location.href } })
    if (session.me.mustAddFactor)
      throw redirect({ to: '/second-factor', search: { returnUrl: location.href } })
  },
})

/** The router keeps parameters that a schema drops. A leftover period would override the days chosen next. */
const WITHOUT_PERIODS = Object.fromEntries(DAY_PAIRS.map((pair) => [`days${pair}`, undefined]))

/** A page in the frame. */
export function page<const Path extends string, Search extends object = object>({
  path,
  search: schema,
  isRecord,
  complete,
  asks,
  load,
  component,
  ...facts
}: Page<Path, Search>) {
  const route = createRoute({
    getParentRoute: () => frameRoute,
    path,
    staticData: { ...facts, ...(schema && !isRecord && { keepsCriteria: true }) },
    validateSearch: (raw: Record<string, unknown>): Search =>
      schema
        ? { ...schema.parse(withDays(raw, dayOf(Date.now()))), ...WITHOUT_PERIODS }
        : ({} as Search),
    beforeLoad: ({ search }) => {
      if (facts.flag && !readBrand().flags[facts.flag])
        throw redirect({ to: LANDING, replace: true })
      if (!mayOpen(facts.ability)) return
      complete?.(search as Search)
      const me = readSession()?.me
      const first = me && asks?.(search as Search, me)
      if (first) askAhead(first.url, first.body)
    },
    component,
  })
  if (load) route.options.loader = ({ context }) => load(context.queryClient)
  return route
}

/** Redirects an alias, such as an area's path, to a page. Keeps the query. */
export const leadsTo = <const Path extends string>(path: Path, to: string) =>
  createRoute({
    getParentRoute: () => frameRoute,
    path,
    beforeLoad: ({ location }) => {
      throw redirect({ href: `${to}${location.searchStr}`, replace: true })
    },
  })

function mayOpen(ability: Ability | undefined): boolean {
  const me = readSession()?.me
  return !ability || !me || can(me, ability)
}
