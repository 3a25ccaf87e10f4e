import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import { officesEndpoints } from '@tallyroom/contract/offices'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { criteriaText } from '@tallyroom/contract/stats-table'
import { statisticsEndpoints } from '@tallyroom/contract/statistics'
import { can } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { isValidRange } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { OPTIONS_STALE_MS } from '../../pickers/picker.ts'
import type { StatsCriteria } from './stats-search.ts'

/** The names behind the ids of some criteria; undefined while they are not there, or unknown. */
export interface CriteriaNames {
  site: (id: number | undefined) => string | undefined
  /** Of a link type of the chosen site. */
  type: (id: number | undefined) => string | undefined
  office: (id: number | undefined) => string | undefined
  agent: (id: number | undefined) => string | undefined
  /** Of the AVP tier; 'All' without one. */
  tier: string | undefined
}

/** The same questions as the pickers ask, so that their answers are shared. */
export function useCriteriaNames(criteria: StatsCriteria): CriteriaNames {
  const { siteId, companyId, avp, start } = criteria
  const me = useMe()
  const options = { staleTime: OPTIONS_STALE_MS }
  const sites = useQuery({
    ...queryOf(sitesEndpoints.sites, { query: { withSuspended: '1' } }),
    ...options,
  })
  const types = useQuery({
    ...queryOf(linkTypesEndpoints.typesBySite, {
      params: { siteId: String(siteId) },
      query: { sortField: 'typename', sortAsc: 'true' },
    }),
    ...options,
    enabled: siteId !== undefined,
  })
  const offices = useQuery({
    ...queryOf(officesEndpoints.companies, { query: { onlyAvailable: 'false' } }),
    ...options,
    enabled: can(me, 'offices.choose'),
  })
  const agents = useQuery({
    ...queryOf(officesEndpoints.companyAgents, {
      query: {
        agentsQuery: 'onlyAvailablePlusSuspended',
        ...(companyId === undefined ? {} : { companyId: String(companyId) }),
      },
    }),
    ...options,
    enabled: can(me, 'agents.choose'),
  })
  const tiers = useQuery({
    ...queryOf(statisticsEndpoints.avpPeriods, { query: { day: start ?? undefined } }),
    ...options,
    enabled: avp !== undefined,
  })
  const tier = tiers.data?.find(({ index }) => index === avp)

  return {
    site: (id) =>
      id === undefined ? 'All sites' : sites.data?.find((site) => site.id === id)?.sitename,
    type: (id) => (id === undefined ? 'All' : types.data?.find((type) => type.id === id)?.typename),
    office(officeId) {
      if (!can(me, 'offices.choose')) return me.officeName ?? undefined
      if (officeId === undefined) return 'All'
      return offices.data?.find(({ id }) => id === officeId)?.officeName
    },
    agent(agentId) {
      if (!can(me, 'agents.choose')) return me.username
      if (agentId === undefined) return 'All'
      return agents.data?.find(({ id }) => id === agentId)?.username
    },
    tier: avp === undefined ? 'All' : tier && avpSelectLabel(tier),
  }
}

/** The criteria in words, once every part has its name. */
export function criteriaSummary(criteria: StatsCriteria, names: CriteriaNames): string | undefined {
  const { tier } = names
  const site = names.site(criteria.siteId)
  const type = names.type(criteria.typeId)
  const office = names.office(criteria.companyId)
  const agent = names.agent(criteria.agentId)
  const { start, end, avp } = criteria
  const range = { start, end }
  if (!isValidRange(range)) return undefined
  if (site === undefined || type === undefined || office === undefined) return undefined
  if (agent === undefined || tier === undefined) return undefined
  return criteriaText({ ...range, site, type, office, agent, ...(avp !== undefined && { tier }) })
}
