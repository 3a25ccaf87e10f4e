import { can, type Ability } from '@tallyroom/domain/abilities'
import type { Brand } from '@tallyroom/domain/brands/index'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import type { z } from 'zod'
import { readBrand } from './brand.ts'
import { readSession } from './session.ts'

/** What is known about a page before its own code has arrived: by the frame, the menu and the palette. */
interface PageFacts {
  /** Stands in the header and in the window's title. */
  title?: string
  /** Its name in the menu, in the tabs and in the palette, where it is not its title. */
  tab?: string
  /** Without it, the frame says so in place of the page; the server would refuse the page's calls anyway. */
  ability?: Ability
  /** Only brands with this flag have the page. */
  flag?: keyof Brand['flags']
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageFacts {}
}

interface Page<Path extends string, Search extends object> extends PageFacts {
  /** Below `/app`. */
  path: Path
  title: string
  /** What the page keeps in the URL. */
  search?: z.ZodType<Search>
  /** Called with the query before the page opens; may throw a redirect that completes it. */
  complete?: (search: Search) => void
  /** Fetches what decides the page's layout; the page is drawn afterwards. */
  load?: (client: QueryClient) => Promise<unknown>
  component: RouteComponent
}

/** Where signing in, '/' and unknown paths lead: every role may open it. */
export const LANDING = '/app/home'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** Parent of every page behind sign-in; `app/router.tsx` draws the frame. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  beforeLoad: ({ location }) => {
    const session = readSession()
    if (!session) throw redirect({ to: '/login', search: { returnUrl: location.href } })
    if (session.me.mustChangePassword)
      throw redirect({ to: '/new-password', search: { returnUrl: location.href } })
  },
})

/** A page in the frame. */
export function page<const Path extends string, Search extends object = object>({
  path,
  search: schema,
  complete,
  load,
  component,
  ...facts
}: Page<Path, Search>) {
  const route = createRoute({
    getParentRoute: () => frameRoute,
    path,
    staticData: facts,
    validateSearch: (raw: Record<string, unknown>): Search =>
      schema ? schema.parse(raw) : ({} as Search),
    beforeLoad: ({ search }) => {
      if (facts.flag && !readBrand().flags[facts.flag])
        throw redirect({ to: LANDING, replace: true })
      if (mayOpen(facts.ability)) complete?.(search as Search)
    },
    component,
  })
  if (load) route.options.loader = ({ context }) => load(context.queryClient)
  return route
}

/** A path that is only another name: an area's for its first page. It takes the query along. */
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
