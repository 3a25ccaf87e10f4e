import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { ExportFormat } from '@tallyroom/contract/export-formats'
import type { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import type { SiteStats, statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import {
  type StatColumn,
  criteriaText,
  type StatsCriteria,
  subText,
} from '@tallyroom/contract/figures/stats-table'
import { can } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { isValidRange, type Comparison, type DateRange } from '@tallyroom/domain/periods'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../../lib/forms/save-answer.ts'
import { useMe } from '../../lib/session.ts'
import { OPTIONS_STALE_MS } from '../../shared/pickers/picker.ts'

/** A request for one page of statistics. */
export interface StatsRequest extends StatsCriteria {
  /** A named column, or a link type's id or payout column. */
  sortField: StatColumn | (string & {})
  sortAsc: boolean
  page: number
  pageSize: number
  compare: Comparison
  /** Whether to include the points of a chart. */
  points: boolean
}

/** The endpoint of a report, and the one that exports it. */
export interface StatsCall {
  (request: StatsRequest & DateRange, options?: { signal?: AbortSignal }): Promise<SiteStats>
  path: string
  /** Saves the whole result as a file. */
  save: (
    request: StatsRequest & DateRange,
    format: ExportFormat,
    options: SaveOptions,
  ) => Promise<void>
}

type StatsEndpoint = (typeof statisticsEndpoints)[
  | 'siteStats'
  | 'avpStats'
  | 'payroll'
  | 'payrollAvp']

type StatsExport = (typeof exportsEndpoints)[
  | 'exportSiteStats'
  | 'exportAvpStats'
  | 'exportPayroll'
  | 'exportPayrollAvp']

export const statsCall = (endpoint: StatsEndpoint, file: StatsExport): StatsCall =>
  Object.assign(
    (request: StatsRequest & DateRange, options?: { signal?: AbortSignal }) =>
      call(endpoint, { body: request }, options),
    {
      path: endpoint.path,
      save: (criteria: StatsRequest & DateRange, format: ExportFormat, options: SaveOptions) =>
        saveAnswer(file, { body: { format, criteria } }, options),
    },
  )

/** An answer with its criteria: while the next rows load, the old ones keep their own columns. */
export interface AnsweredStats {
  criteria: StatsCriteria
  stats: SiteStats
}

/** One page of statistics. Nothing is requested without a valid range. */
export const statsQuery = (ask: StatsCall, request: StatsRequest) => {
  const { start, end } = request
  const range = { start, end }
  return queryOptions({
    queryKey: [ask.path, request] as const,
    queryFn: isValidRange(range)
      ? async ({ signal }): Promise<AnsweredStats> => ({
          criteria: request,
          stats: await ask({ ...request, ...range }, { signal }),
        })
      : skipToken,
    placeholderData: keepPreviousData,
  })
}

/** The names of the chosen criteria; undefined while they load, and for unknown ids. */
export interface CriteriaNames {
  site: (id: number | undefined) => string | undefined
  /** Of a link type of the chosen site. */
  type: (id: number | undefined) => string | undefined
  office: (id: number | undefined) => string | undefined
  agent: (id: number | undefined) => string | undefined
  /** Of the AVP tier; 'All' without one. */
  tier: string | undefined
}

/** Makes the same requests as the pickers, so that they share one cache. */
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
    ...queryOf(avpSchedulesEndpoints.avpPeriods, { query: { day: start ?? undefined } }),
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

/** The criteria in words, once every name is known. */
export function criteriaSummary(criteria: StatsCriteria, names: CriteriaNames): string | undefined {
  const { tier } = names
  const site = names.site(criteria.siteId)
  const type = names.type(criteria.typeId)
  const office = names.office(criteria.companyId)
  const agent = names.agent(criteria.agentId)
  const { start, end, avp, sub, subId } = criteria
  const range = { start, end }
  if (!isValidRange(range)) return undefined
  if (site === undefined || type === undefined || office === undefined) return undefined
  if (agent === undefined || tier === undefined) return undefined
  return criteriaText({
    ...range,
    site,
    type,
    office,
    agent,
    ...(avp !== undefined && { tier }),
    ...(sub && { sub: subText(sub, subId) }),
  })
}
