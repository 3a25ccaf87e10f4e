import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { type SiteStats, statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { buildTrackedLink, type Subs } from '@tallyroom/domain/tracked-link'
import { queryOf, refreshOf } from '../../lib/queries.ts'

export type Links = AnswerOf<typeof linksEndpoints.links>
export type LinkItem = Links['items'][number] & {
  /** What came of it in the last days; undefined while that is not known. */
  figures?: { uniques: number; sales: number } | undefined
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
    const row = rows.get(item.typeId) ?? (isWhole ? { uniques: 0, sales: 0 } : undefined)
    return { ...item, figures: row && { uniques: row.uniques, sales: row.sales } }
  })
}

/** Without a site: links for all sites. Without an agent: the viewer's own. The page itself shows errors. */
export const linksQuery = (siteId: number | undefined, agentId: number | undefined) =>
  queryOf(linksEndpoints.links, { body: { siteId, agentId } }, { meta: { ownErrors: true } })

export const withSubs = ({ items, domain, agentId }: Links, subs: Subs): LinkItem[] =>
  items.map((item) => ({
    ...item,
    link: buildTrackedLink(domain, { siteId: item.siteId, typeId: item.typeId, agentId }, subs),
  }))

export const refreshLinks = refreshOf(linksEndpoints.links)

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

export const linkSiteQuery = (siteId: number) =>
  queryOf(sitesEndpoints.site, { params: { id: String(siteId) } }, { meta: { ownErrors: true } })
