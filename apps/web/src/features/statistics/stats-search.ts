import { statsColumns, statsGroupings, type StatsGrouping } from '@tallyroom/contract/statistics'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { isDay, type Day } from '@tallyroom/domain/new-york'
import { periodOf, type MaybeRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import type { StatsReport } from './reports.ts'
import { hasLpp, keyColumnsOf, statsViews, viewsOf } from './views.ts'

const searchId = searchInt(1, MAX_ID)

/** What the statistics pages keep in the URL. */
export const statsSearchSchema = z.object({
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

export type StatsSearch = z.output<typeof statsSearchSchema>

/** What is asked, apart from order and page. An id that is missing means all. */
export interface StatsCriteria extends MaybeRange {
  groupBy: StatsGrouping
  siteId?: number | undefined
  typeId?: number | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  start?: Day | null | undefined
  end?: Day | null | undefined
}

/** The criteria that the URL names, as far as the report has them and the viewer may choose them. */
export function criteriaOf(
  search: StatsSearch,
  report: StatsReport,
  viewer: AbilityHolder,
): StatsCriteria {
  const { groupBy = report.defaultView, siteId, typeId, companyId, agentId } = search
  return {
    groupBy: viewsOf(report, viewer).includes(groupBy) ? groupBy : fallbackView(report, viewer),
    siteId,
    typeId: siteId === undefined ? undefined : typeId,
    companyId: can(viewer, 'offices.choose') ? companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? agentId : undefined,
    ...daysOf(search, report),
  }
}

/** The report's own view; of one that the viewer lacks, the finest that is there. */
const fallbackView = (report: StatsReport, viewer: AbilityHolder): StatsGrouping => {
  const offered = viewsOf(report, viewer)
  return offered.includes(report.defaultView) ? report.defaultView : (offered.at(-1) ?? 'detail')
}

/** Where weeks are paid, a day stands for its week. */
function daysOf({ start, end }: StatsSearch, { period }: StatsReport): MaybeRange {
  if (period.kind === 'days' || !isDay(start)) return { start, end }
  const week = periodOf(start, 'week')
  return { start: week.start, end: week.end }
}

/** The criteria as they stand in the URL. */
export const searchOf = (criteria: StatsCriteria, report: StatsReport): StatsSearch => ({
  groupBy: criteria.groupBy === report.defaultView ? undefined : criteria.groupBy,
  siteId: criteria.siteId,
  typeId: criteria.typeId,
  companyId: criteria.companyId,
  agentId: criteria.agentId,
  start: criteria.start ?? undefined,
  end: criteria.end ?? undefined,
})

/** The order that the URL asks for; the view's own one where it names none, or a column the view lacks. */
export function sortOf(
  search: StatsSearch,
  groupBy: StatsGrouping,
  viewer: AbilityHolder,
): Pick<StatsSearch, 'sortField' | 'sortAsc'> {
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

export const isSameCriteria = (a: StatsCriteria, b: StatsCriteria): boolean =>
  a.groupBy === b.groupBy &&
  a.siteId === b.siteId &&
  a.typeId === b.typeId &&
  a.companyId === b.companyId &&
  a.agentId === b.agentId &&
  (a.start ?? '') === (b.start ?? '') &&
  (a.end ?? '') === (b.end ?? '')
