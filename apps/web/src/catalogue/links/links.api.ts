import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { buildTrackedLink, type Subs } from '@tallyroom/domain/tracked-link'
import { queryOf, refreshOf } from '../../lib/queries.ts'

export type Links = AnswerOf<typeof linksEndpoints.links>
export type LinkItem = Links['items'][number]

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
