import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import {
  groupings,
  hasColumn,
  isKeyColumn,
  keyColumnsOf,
  statColumns,
  type StatsGrouping,
  statsGroupings,
  viewsOf,
} from '@tallyroom/contract/stats-table'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { isDay, type Day } from '@tallyroom/domain/new-york'
import { weeksOf, type MaybeRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import type { StatsReport } from './reports.ts'

const searchId = searchInt(1, MAX_ID)

/** What the statistics pages keep in the URL. */
export const statsSearchSchema = z.object({
  groupBy: searchChoice(statsGroupings),
  siteId: searchId,
  typeId: searchId,
  companyId: searchId,
  agentId: searchId,
  /** The AVP tier. */
  avp: searchInt(0, 1000),
  start: searchDay,
  end: searchDay,
  /** A fixed column, or a link type's id or payout column. */
  sortField: z
    .union([z.enum(statColumns), z.coerce.string().regex(/^[1-9]\d{0,9}(_payout)?$/)])
    .optional()
    .catch(undefined),
  sortAsc: searchFlag,
  page: searchInt(1, 1_000_000),
  pageSize: searchInt(1, MAX_PAGE_SIZE),
  /** The way drilled so far (`drill.ts`). */
  trail: searchText(800),
  /** The print version. */
  print: searchFlag,
  /** The amount that is explained (`explain-search.ts`), and the page of its parts. */
  explain: searchText(100),
  explainPage: searchInt(1, 1_000_000),
  /** Whatever it says: the saved days are kept (`saved-range.ts`). */
  dateRange: searchText(),
})

export type StatsSearch = z.output<typeof statsSearchSchema>

/** What is asked, apart from order and page. An id that is missing means all. */
export interface StatsCriteria extends MaybeRange {
  groupBy: StatsGrouping
  siteId?: number | undefined
  typeId?: number | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  /** The index of an AVP tier, in the reports by weeks. */
  avp?: number | undefined
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
    ...(report.isWeekly && can(viewer, 'stats.avp.choose') && { avp: search.avp }),
    ...daysOf(search, report),
  }
}

/** The report's own view; Detail, which everybody has, where the viewer lacks it. */
const fallbackView = (report: StatsReport, viewer: AbilityHolder): StatsGrouping =>
  viewsOf(report, viewer).includes(report.defaultView) ? report.defaultView : 'detail'

/** Where weeks are paid, a day stands for its week, and without an end for that week alone. */
function daysOf({ start, end }: StatsSearch, report: StatsReport): MaybeRange {
  if (!report.isWeekly || !isDay(start)) return { start, end }
  return weeksOf({ start, end: isDay(end) ? end : start })
}

/** The criteria as they stand in the URL. */
export const searchOf = (criteria: StatsCriteria, report: StatsReport): StatsSearch => ({
  groupBy: criteria.groupBy === report.defaultView ? undefined : criteria.groupBy,
  siteId: criteria.siteId,
  typeId: criteria.typeId,
  companyId: criteria.companyId,
  agentId: criteria.agentId,
  avp: criteria.avp,
  start: criteria.start ?? undefined,
  end: criteria.end ?? undefined,
})

/** The order that the URL asks for; the view's own one where it names none, or a column the report lacks there. */
export function sortOf(
  search: StatsSearch,
  groupBy: StatsGrouping,
  report: StatsReport,
  viewer: AbilityHolder,
): Pick<StatsSearch, 'sortField' | 'sortAsc'> {
  const { sortField, sortAsc } = search
  return sortField !== undefined &&
    isOffered(sortField, groupBy, report, viewer) &&
    isOfShownType(sortField, search)
    ? { sortField, sortAsc }
    : { sortField: undefined, sortAsc: undefined }
}

/** Link types have columns when their site is chosen, and of one that is chosen no other. */
function isOfShownType(column: string, { siteId, typeId }: StatsSearch): boolean {
  const ofType = Number.parseInt(column, 10)
  if (Number.isNaN(ofType)) return true
  return siteId !== undefined && (typeId ?? ofType) === ofType
}

function isOffered(
  column: string,
  groupBy: StatsGrouping,
  report: StatsReport,
  viewer: AbilityHolder,
): boolean {
  const known = statColumns.find((candidate) => candidate === column)
  if (known === undefined) {
    return (
      groupings[groupBy].hasTypeColumns &&
      (!column.endsWith('_payout') || report.pays !== undefined)
    )
  }
  if (isKeyColumn(known)) return keyColumnsOf(groupBy, viewer).includes(known)
  // Rows by date have points too, but no column for them.
  return hasColumn(report, groupBy, known === 'lpp' ? 'lppPrev' : known)
}

export const isSameCriteria = (a: StatsCriteria, b: StatsCriteria): boolean =>
  a.groupBy === b.groupBy &&
  a.siteId === b.siteId &&
  a.typeId === b.typeId &&
  a.companyId === b.companyId &&
  a.agentId === b.agentId &&
  a.avp === b.avp &&
  (a.start ?? '') === (b.start ?? '') &&
  (a.end ?? '') === (b.end ?? '')
