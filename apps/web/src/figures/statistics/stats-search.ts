import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import {
  criteriaOf,
  groupings,
  hasColumn,
  isKeyColumn,
  keyColumnsOf,
  statColumns,
  type StatsGrouping,
  statsGroupings,
  type StatsTable,
  type StatsTableName,
  statsTables,
  type StatsCriteria,
} from '@tallyroom/contract/figures/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { COMPARISONS, isValidRange, periodOf, type DateRange } from '@tallyroom/domain/periods'
import { LONGEST_SUB, MAX_ID, SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import {
  searchChoice,
  searchDay,
  searchFlag,
  searchInt,
  searchText,
} from '../../lib/pages/search.ts'
import { partOf } from '../../ui/list/list-part.ts'

/** One of the statistics pages: its table and its path. */
export interface StatsReport extends StatsTable {
  name: StatsTableName
  path: StatsPath
}

type StatsPath =
  | '/app/stats/sites'
  | '/app/stats/sites-avp'
  | '/app/stats/sites-payout'
  | '/app/stats/sites-payout-avp'

export const sitesReport: StatsReport = {
  name: 'sites',
  path: '/app/stats/sites',
  ...statsTables.sites,
}

export const sitesAvpReport: StatsReport = {
  name: 'avp',
  path: '/app/stats/sites-avp',
  ...statsTables.avp,
}

export const payrollReport: StatsReport = {
  name: 'payroll',
  path: '/app/stats/sites-payout',
  ...statsTables.payroll,
}

export const payrollAvpReport: StatsReport = {
  name: 'payrollAvp',
  path: '/app/stats/sites-payout-avp',
  ...statsTables.payrollAvp,
}

/**
 * What a URL without days shows: the current week or, in AVP reports, the last complete one.
 * Payroll shows the half-month that is due, by agent.
 */
export function defaultSearch(
  { isWeekly, pays }: StatsReport,
  today: Day,
): DateRange & Pick<StatsSearch, 'groupBy'> {
  const isPayPeriod = pays !== undefined && !isWeekly
  const { start, end } = isPayPeriod
    ? periodOf(today, 'beWeek', 1)
    : periodOf(today, 'week', isWeekly ? 1 : 0)
  return { start, end, ...(isPayPeriod && { groupBy: 'agent' }) }
}

const searchId = searchInt(1, MAX_ID)

/** The URL search of the statistics pages. */
export const statsSearchSchema = z.object({
  groupBy: searchChoice(statsGroupings),
  siteId: searchId,
  typeId: searchId,
  companyId: searchId,
  agentId: searchId,
  /** The AVP tier. */
  avp: searchInt(0, 1000),
  /** A sub id of the clicks, and its value; none for clicks without it. */
  sub: searchChoice(SUB_NAMES),
  subId: searchText(LONGEST_SUB),
  start: searchDay,
  end: searchDay,
  /** A named column, or a link type's id or payout column. */
  sortField: z
    .union([z.enum(statColumns), z.coerce.string().regex(/^[1-9]\d{0,9}(_payout)?$/)])
    .optional()
    .catch(undefined),
  sortAsc: searchFlag,
  page: searchInt(1, 1_000_000),
  pageSize: searchInt(1, MAX_PAGE_SIZE),
  /** The views passed while drilling (`drill.tsx`). */
  trail: searchText(800),
  /** The print version. */
  print: searchFlag,
  /** The compared period; if left out, the previous one. */
  compare: searchChoice(COMPARISONS),
  /** The column that the chart draws; if left out, the first. */
  measure: searchText(40),
  /** Any value keeps the saved week (`saveRange`). */
  dateRange: searchText(),
})

export type StatsSearch = z.output<typeof statsSearchSchema>

/** The criteria as URL search. */
export const searchOf = (criteria: StatsCriteria, report: StatsReport): StatsSearch => ({
  groupBy: criteria.groupBy === report.defaultView ? undefined : criteria.groupBy,
  siteId: criteria.siteId,
  typeId: criteria.typeId,
  companyId: criteria.companyId,
  agentId: criteria.agentId,
  avp: criteria.avp,
  sub: criteria.sub,
  subId: criteria.subId,
  start: criteria.start ?? undefined,
  end: criteria.end ?? undefined,
})

/** The order in the URL; empty, for the view's own order, if it names a column that the view lacks. */
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

/** Link types have columns once their site is chosen; if a link type is chosen, only that one. */
function isOfShownType(column: string, { siteId, typeId }: StatsSearch): boolean {
  const ofType = Number.parseInt(column, 10)
  if (Number.isNaN(ofType)) return true
  return siteId !== undefined && (typeId ?? ofType) === ofType
}

/** The call that a URL makes. */
export function requestOf(search: StatsSearch, report: StatsReport, viewer: AbilityHolder) {
  const criteria = criteriaOf(search, report, viewer)
  const { groupBy } = criteria
  const { compare = 'previous', print = false } = search
  const sorted = { ...search, ...sortOf(search, groupBy, report, viewer) }
  return {
    ...criteria,
    ...partOf(sorted, groupings[groupBy].sort),
    compare: print ? ('none' as const) : compare,
    points: !print,
  }
}

/** The same, to be sent before the page has loaded. Undefined without valid days. */
export function firstCall(search: StatsSearch, report: StatsReport, viewer: AbilityHolder) {
  const body = requestOf(search, report, viewer)
  return isValidRange(body)
    ? { url: report.path.replace('/app', '/api').replace(/-avp$/, '/avp'), body }
    : undefined
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
  // Rows by date have points, but no column for them.
  return hasColumn(report, groupBy, known === 'lpp' ? 'lppPrev' : known)
}

export const isSameCriteria = (a: StatsCriteria, b: StatsCriteria): boolean =>
  a.groupBy === b.groupBy &&
  a.siteId === b.siteId &&
  a.typeId === b.typeId &&
  a.companyId === b.companyId &&
  a.agentId === b.agentId &&
  a.avp === b.avp &&
  a.sub === b.sub &&
  a.subId === b.subId &&
  (a.start ?? '') === (b.start ?? '') &&
  (a.end ?? '') === (b.end ?? '')

let saved: DateRange | undefined

/** The week of the last AVP report, for the next one that is opened without days. */
export const savedRange = (): DateRange | undefined => saved

/**
 * Updates the saved week after a navigation (specification 1, section 2): AVP reports save theirs, a URL with
 * `dateRange` keeps it, every other page clears it.
 */
export function saveRange({ pathname, search }: { pathname: string; search: object }) {
  const { start, end, dateRange } = statsSearchSchema.parse(search)
  const days = { start, end }
  const isAvp = [sitesAvpReport, payrollAvpReport].some(({ path }) => path === pathname)
  if (!isAvp) saved = dateRange === undefined ? undefined : saved
  else if (isValidRange(days)) saved = days
}
