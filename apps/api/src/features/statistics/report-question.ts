import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import { viewsOf } from '@tallyroom/contract/stats-table'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, previousRange } from '@tallyroom/domain/periods'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../http/errors.ts'
import { findSchedulesOf, stepsOf } from '../avp-schedules/index.ts'
import { type AvpStep, type Visibility, visibilityFor } from '../../totals/index.ts'
import { findChosenSite, findTypesWithTotals } from './chosen-site.queries.ts'
import type { Report, ReportColumn, ReportCriteria } from './reports.ts'
import type { ChosenSite } from './stats-parts.ts'
import type { StatsQuestion } from './stats-question.ts'

/** What a report asks of the totals, for this viewer. */
export type ReportQuestion = {
  question: StatsQuestion
  site: ChosenSite | undefined
  visibility: Visibility
}

/** @throws VALIDATION_ERROR for what the report does not have or the viewer may not choose. */
export async function questionOf(
  tx: Tx,
  viewer: Viewer,
  report: Report,
  criteria: ReportCriteria,
  today: Day,
): Promise<ReportQuestion> {
  const { groupBy, siteId, typeId, companyId, agentId, start, end } = criteria
  refuseChoices(viewer, report, criteria)
  const visibility = await visibilityFor(tx, viewer)
  const range = { start, end }
  const steps = report.hasTiers ? await stepsFor(tx, range) : undefined
  const about = {
    range,
    today,
    filter: {
      siteId,
      typeId,
      officeId: companyId,
      agentIds: agentId === undefined ? undefined : [agentId],
      tier: steps && criteria.avp !== undefined ? { index: criteria.avp, steps } : undefined,
    },
  }
  const site = await chosenSite(tx, scopeOf(viewer), about, sortedType(criteria))
  const typeIds = (site?.types ?? [])
    .map(({ id }) => id)
    .filter((id) => typeId === undefined || typeId === id)
  return {
    question: {
      ...about,
      groupBy,
      typeIds,
      typePayouts: report.typePayouts && !report.paysByTier,
      ...(steps && { steps }),
      sort: sortOf(report, criteria, typeIds, visibility),
    },
    site,
    visibility,
  }
}

function refuseChoices(viewer: Viewer, report: Report, { groupBy, avp }: ReportCriteria): void {
  if (!viewsOf(report, viewer).includes(groupBy)) {
    throw invalid({ groupBy: ['is not one of your views'] })
  }
  if (avp !== undefined && !can(viewer, 'stats.avp.choose')) {
    throw invalid({ avp: ['is not yours to choose'] })
  }
}

/**
 * The site that the criteria are about, if it is just one. What the viewer never sold does not exist. Of its
 * deleted link types those that the answer has something of, and the one that it is to be sorted by.
 */
async function chosenSite(
  tx: Tx,
  scope: Scope,
  about: Pick<StatsQuestion, 'range' | 'today' | 'filter'>,
  sortedTypeId: number | undefined,
): Promise<ChosenSite | undefined> {
  const { siteId, typeId } = about.filter
  if (siteId === undefined) return undefined
  const site = await findChosenSite(tx, scope, siteId)
  if (!site) throw invalid({ siteId: ['There is no such site'] })
  const deleted = site.types.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id)
  if (deleted.length === 0) return site
  const kept = new Set([
    ...(await findTypesWithTotals(tx, scope, about, deleted)),
    ...[typeId, sortedTypeId].filter((id) => id !== undefined),
  ])
  return {
    ...site,
    types: site.types.filter(({ id, deleted_at }) => deleted_at === null || kept.has(id)),
  }
}

/** The link type of the column that is sorted by: its count, or `{typeId}_payout`. */
function sortedType({ sortField }: ReportCriteria): number | undefined {
  if (typeof sortField === 'number') return sortField
  return sortField?.endsWith('_payout') ? Number.parseInt(sortField, 10) : undefined
}

/** The tiers of a range, and of the period before it that points are compared with. */
async function stepsFor(tx: Tx, range: DateRange): Promise<AvpStep[]> {
  const { start } = previousRange(range)
  return stepsOf(await findSchedulesOf(tx, { start, end: range.end }))
}

/** The order of each grouping when none is asked for (specification 2, section 4). */
const defaultSort = {
  date: { column: 'date', ascending: false },
  company: { column: 'officeName', ascending: true },
  agent: { column: 'agent', ascending: true },
  detail: { column: 'date', ascending: false },
} as const

/** Refuses a column that the view does not have or the viewer does not see. */
function sortOf(
  report: Report,
  { groupBy, sortField, sortAsc }: ReportCriteria,
  typeIds: readonly number[],
  visibility: Visibility,
): StatsQuestion['sort'] {
  if (sortField === undefined) return defaultSort[groupBy]
  const isOffered =
    typeof sortField === 'number'
      ? typeIds.includes(sortField)
      : hasColumn(report, groupBy, sortField, typeIds) && sees(visibility, sortField)
  if (!isOffered) throw invalid({ sortField: ['is not a column of this view'] })
  return { column: sortField, ascending: sortAsc ?? true }
}

function hasColumn(
  report: Report,
  groupBy: StatsGrouping,
  column: ReportColumn,
  typeIds: readonly number[],
): boolean {
  switch (column) {
    case 'date':
      return groupBy === 'date' || groupBy === 'detail'
    case 'officeName':
    case 'lppPrev':
      return groupBy !== 'date'
    case 'agent':
      return groupBy === 'agent' || groupBy === 'detail'
    case 'avpPeriod':
    case 'agent_avp_sales_count':
      return report.hasTiers && (groupBy === 'agent' || groupBy === 'detail')
    case 'avpSales':
      return report.hasTiers
    case 'payoutPhp':
    case 'payoutDollars':
      return report.paysByTier
    default:
      return (
        !column.endsWith('_payout') ||
        (report.typePayouts && typeIds.includes(Number.parseInt(column, 10)))
      )
  }
}

function sees(visibility: Visibility, column: ReportColumn): boolean {
  if (column === 'earn' || column === 'bonusEarn') return visibility.earning
  if (column === 'payout' || column === 'bonusPayout') return visibility.payout
  if (column === 'lpp' || column === 'lppPrev') return visibility.lpp
  return true
}
