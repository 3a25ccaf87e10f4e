import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { shortLinksEndpoints } from '@tallyroom/contract/catalogue/short-links'
import { type SiteStats, statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import { linkTestsEndpoints } from '@tallyroom/contract/desk/link-tests'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { pageOf, pageText } from '@tallyroom/domain/merchant-page'
import { buildTrackedLink, SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { formQueryOf, queryOf, refreshOf } from '../../lib/queries.ts'
import type { Carried } from './links-search.ts'

export type Links = AnswerOf<typeof linksEndpoints.links>
export type LinkItem = Links['items'][number] & {
  agentId: number
  /** What it carries, as a short link would. */
  carries: Carried
  /** What came of it in the last days; undefined while that is not known. */
  figures?: LinkFigures | undefined
}

export interface LinkFigures {
  raws: number
  uniques: number
  sales: number
  /** By rates, with bonuses, in pesos; undefined for who may not see it. */
  earned: number | undefined
}

/** How many days the figures beside links have, with today. */
export const FIGURE_DAYS = 30

/** Sites Statistics by link type: what came of an agent's links, without sites for which nothing came. */
export const linkFiguresQuery = (
  { siteId, agentId }: { siteId: number | undefined; agentId: number | undefined },
  today: Day,
) =>
  queryOf(
    statisticsEndpoints.siteStats,
    {
      body: {
        groupBy: 'type',
        siteId,
        agentId,
        start: addDays(today, 1 - FIGURE_DAYS),
        end: today,
        sortField: 'uniques',
        sortAsc: false,
        page: 1,
        pageSize: MAX_PAGE_SIZE,
      },
    },
    { meta: { ownErrors: true } },
  )

/** A link without a row has had neither clicks nor sales, unless there are more rows than one answer has. */
export function withFigures(
  items: readonly LinkItem[],
  stats: SiteStats | undefined,
): readonly LinkItem[] {
  if (!stats) return items
  const rows = new Map(stats.page.items.map((row) => [row.typeId, row]))
  const isWhole = stats.page.total <= rows.size
  return items.map((item) => {
    const row = rows.get(item.typeId) ?? (isWhole ? nothing(stats) : undefined)
    return { ...item, figures: row && figuresOf(row) }
  })
}

type Counted = Pick<
  SiteStats['page']['items'][number],
  'raws' | 'uniques' | 'sales' | 'payout' | 'bonusPayout'
>

const nothing = ({ payoutVisible }: SiteStats): Counted => ({
  raws: 0,
  uniques: 0,
  sales: 0,
  ...(payoutVisible && { payout: 0 }),
})

const figuresOf = ({ raws, uniques, sales, payout, bonusPayout = 0 }: Counted): LinkFigures => ({
  raws,
  uniques,
  sales,
  earned: payout === undefined ? undefined : payout + bonusPayout,
})

/** Without a site: links for all sites. Without an agent: the viewer's own. The page itself shows errors. */
export const linksQuery = (siteId: number | undefined, agentId: number | undefined) =>
  queryOf(linksEndpoints.links, { body: { siteId, agentId } }, { meta: { ownErrors: true } })

/** The links with what they carry: of those to a page, the ones that can lead there, as the redirect decides it. */
export const withCarried = (
  { items, domain, agentId }: Links,
  { to, ...subs }: Carried,
): LinkItem[] =>
  items.flatMap((item) => {
    const page = to === undefined ? undefined : pageOf(to, item.hosts)
    if (to !== undefined && !page) return []
    const link = { siteId: item.siteId, typeId: item.typeId, agentId }
    const text = page && pageText(page)
    const carries = { ...subs, to: text }
    return [{ ...item, agentId, carries, link: buildTrackedLink(domain, link, subs, text) }]
  })

/** Why no link leads to a page; undefined if one does, or none is asked for. */
export function pageProblem({ items }: Links, { to }: Carried): string | undefined {
  if (to === undefined || items.length === 0) return undefined
  if (items.some(({ hosts }) => pageOf(to, hosts))) return undefined
  const hosts = [...new Set(items.flatMap((item) => item.hosts))]
  const named = hosts.length > MOST_NAMED ? 'one of these sites' : hosts.join(' or ')
  return `is no page of ${named}`
}

const MOST_NAMED = 5

export const refreshLinks = refreshOf(linksEndpoints.links)

/** The newest short links of a link, whatever they carry. */
export const shortLinksQuery = ({ agentId, typeId }: LinkItem) =>
  queryOf(
    shortLinksEndpoints.shortLinks,
    { body: { agentId, typeId, pageSize: 100 } },
    { meta: { ownErrors: true } },
  )

/** The short link of what a link carries now, if there is one. */
export const shortLinkQuery = ({ agentId, typeId, carries }: LinkItem) =>
  queryOf(
    shortLinksEndpoints.shortLinks,
    { body: { agentId, typeId, carries, pageSize: 1 } },
    { meta: { ownErrors: true } },
  )

export const refreshShortLinks = refreshOf(shortLinksEndpoints.shortLinks)

/** A new test each time that it is asked for. */
export const newLinkTestQuery = ({ agentId, typeId, carries }: LinkItem) =>
  formQueryOf(linkTestsEndpoints.createLinkTest, { body: { agentId, typeId, ...carries } })

export const linkTestQuery = (id: string) =>
  queryOf(linkTestsEndpoints.linkTest, { params: { id } }, { meta: { ownErrors: true } })

/** `with sub1 flyer, leading to /p`; empty without anything. */
export function carriedText({ to, ...rest }: Carried): string {
  const subs = SUB_NAMES.flatMap((name) => (rest[name] ? [`${name} ${rest[name]}`] : []))
  return [subs.length > 0 && `with ${subs.join(', ')}`, to && `leading to ${to}`]
    .filter(Boolean)
    .join(', ')
}

/** The agent of a link, if the viewer may see them. */
export const linkAgentQuery = (agentId: number) =>
  queryOf(
    agentsEndpoints.searchAgents,
    {
      body: {
        page: 1,
        pageSize: 10,
        criteria: [{ field: 'agents.id', value: agentId, operator: '=' }],
        sortField: 'username',
        sortAsc: true,
      },
    },
    { meta: { ownErrors: true } },
  )

/** The short link of a name. */
export const namedLinkQuery = (name: string) =>
  queryOf(shortLinksEndpoints.namedShortLink, { params: { name } }, { meta: { ownErrors: true } })

export const linkSiteQuery = (siteId: number) =>
  queryOf(sitesEndpoints.site, { params: { id: String(siteId) } }, { meta: { ownErrors: true } })
