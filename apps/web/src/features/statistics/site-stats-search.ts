import { statsColumns, statsGroupings, type StatsGrouping } from '@tallyroom/contract/statistics'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf, type MaybeRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import { DEFAULT_VIEW, hasLpp, keyColumnsOf, statsViews, viewsOf } from './views.ts'

const searchId = searchInt(1, MAX_ID)

/** What the page keeps in the URL. */
export const siteStatsSearchSchema = z.object({
  groupBy: searchChoice(statsGroupings),
  siteId: searchId,
  typeId: searchId,
  companyId: searchId,
  agentId: searchId,
  start: searchDay,
  end: searchDay,
  /** A fixed column, or a link type's id. */
  sortField: z
    .union([z.enum(statsColumns), z.coerce.string().regex(/^[1-9]\d{0,9}$/)])
    .optional()
    .catch(undefined),
  sortAsc: searchFlag,
  page: searchInt(1, 1_000_000),
  pageSize: searchInt(1, MAX_PAGE_SIZE),
  /** The way drilled so far (`drill.ts`). */
  trail: searchText(600),
  /** The print version. */
  print: searchFlag,
})

export type SiteStatsSearch = z.output<typeof siteStatsSearchSchema>

/** What is asked, apart from order and page. An id that is missing means all. */
export interface SiteStatsCriteria extends MaybeRange {
  groupBy: StatsGrouping
  siteId?: number | undefined
  typeId?: number | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  start?: Day | null | undefined
  end?: Day | null | undefined
}

/** The criteria that the URL names, as far as the viewer may choose them. */
export function criteriaOf(search: SiteStatsSearch, viewer: AbilityHolder): SiteStatsCriteria {
  const { groupBy = DEFAULT_VIEW, siteId, typeId, companyId, agentId, start, end } = search
  return {
    groupBy: viewsOf(viewer).includes(groupBy) ? groupBy : DEFAULT_VIEW,
    siteId,
    typeId: siteId === undefined ? undefined : typeId,
    companyId: can(viewer, 'offices.choose') ? companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? agentId : undefined,
    start,
    end,
  }
}

/** The criteria as they stand in the URL. */
export const searchOf = (criteria: SiteStatsCriteria): SiteStatsSearch => ({
  groupBy: criteria.groupBy === DEFAULT_VIEW ? undefined : criteria.groupBy,
  siteId: criteria.siteId,
  typeId: criteria.typeId,
  companyId: criteria.companyId,
  agentId: criteria.agentId,
  start: criteria.start ?? undefined,
  end: criteria.end ?? undefined,
})

/** The days of a visit that names none: the week under way. */
export function defaultRange(today: Day) {
  const { start, end } = periodOf(today, 'week')
  return { start, end }
}

/** The order that the URL asks for; the view's own one where it names none, or a column the view lacks. */
export function sortOf(
  search: SiteStatsSearch,
  groupBy: StatsGrouping,
  viewer: AbilityHolder,
): Pick<SiteStatsSearch, 'sortField' | 'sortAsc'> {
  const { sortField, sortAsc } = search
  return sortField !== undefined && isOffered(sortField, groupBy, viewer)
    ? { sortField, sortAsc }
    : { sortField: undefined, sortAsc: undefined }
}

function isOffered(column: string, groupBy: StatsGrouping, viewer: AbilityHolder): boolean {
  const keys = statsViews.detail.keys
  const key = keys.find((candidate) => candidate === column)
  if (key) return keyColumnsOf(groupBy, viewer).includes(key)
  return (column !== 'lpp' && column !== 'lppPrev') || hasLpp(groupBy)
}

export const isSameCriteria = (a: SiteStatsCriteria, b: SiteStatsCriteria): boolean =>
  a.groupBy === b.groupBy &&
  a.siteId === b.siteId &&
  a.typeId === b.typeId &&
  a.companyId === b.companyId &&
  a.agentId === b.agentId &&
  (a.start ?? '') === (b.start ?? '') &&
  (a.end ?? '') === (b.end ?? '')
