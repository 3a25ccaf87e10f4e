import type { StatsCriteria } from '@tallyroom/contract/figures/statistics'
import {
  groupings,
  hasColumn,
  isPayoutColumn,
  type StatColumn,
  type StatsTable,
  type StatsTableName,
  statsTables,
  subOfView,
  viewsOf,
  visibleIf,
} from '@tallyroom/contract/figures/stats-table'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, previousRange, weeksOf } from '@tallyroom/domain/periods'
import { type Scope, scopeOf } from '../../access/scope.ts'
import { requireGroup, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import {
  type AvpStep,
  canAskBySub,
  findOpenDay,
  prepareBySub,
  type Reach,
} from '../../totals/index.ts'
import {
  findSchedulesOf,
  stepsOf,
  findVisibleAmounts,
  type VisibleAmounts,
} from '../../catalogue/index.ts'
import type { ChosenSite, ReportQuestion } from './report-question.queries.ts'
import { findChosenSite, findTypesWithTotals } from './known-sites.queries.ts'

/** The criteria of any report; each report's contract admits only those that the report has. */
export type ReportCriteria = Omit<StatsCriteria, OptionalCriterion> &
  Partial<Pick<StatsCriteria, OptionalCriterion>>
type OptionalCriterion =
  | 'siteId'
  | 'typeId'
  | 'companyId'
  | 'agentId'
  | 'avp'
  | 'sub'
  | 'subId'
  | 'sortField'
  | 'sortAsc'
  | 'compare'
  | 'points'

/** @throws VALIDATION_ERROR for what the report does not have or the viewer may not choose. */
export async function questionOf(
  tx: Tx,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
  today: Day,
): Promise<ReportQuestion> {
  const table: StatsTable = statsTables[name]
  const { groupBy, siteId, typeId, companyId, agentId, avp, start, end } = criteria
  refuseChoices(viewer, table, criteria)
  const visibility = await findVisibleAmounts(tx, viewer)
  const range = { start, end }
  const steps = table.isWeekly ? await stepsFor(tx, weeksOf(range)) : []
  const about = {
    range,
    today,
    openDay: { day: await findOpenDay(tx) },
    filter: {
      siteId,
      typeId,
      officeId: companyId,
      agentIds: agentId === undefined ? undefined : [agentId],
      tier: table.isWeekly && avp !== undefined ? { index: avp, steps } : undefined,
    },
  }
  const site = await chosenSite(tx, viewer, about, sortedType(criteria))
  const typeIds = groupings[groupBy].hasTypeColumns
    ? (site?.types ?? []).map(({ id }) => id).filter((id) => typeId === undefined || typeId === id)
    : []
  const sort = sortOf(table, criteria, typeIds, visibility)
  const bySub = await bySubOf(tx, viewer, about, criteria)
  return { ...about, table, groupBy, visibility, site, typeIds, steps, sort, bySub }
}

/**
 * Values of sub ids stand in clicks, so a token that reads them may read the click log.
 *
 * @throws FORBIDDEN for a token that may not; VALIDATION_ERROR for too many clicks.
 */
async function bySubOf(
  tx: Tx,
  viewer: Viewer,
  about: Pick<ReportQuestion, 'range' | 'today' | 'openDay' | 'filter'>,
  { groupBy, sub, subId }: ReportCriteria,
): Promise<ReportQuestion['bySub']> {
  if (sub === undefined && subOfView(groupBy) === undefined) return undefined
  requireGroup(viewer, 'logs')
  const prepared = await prepareBySub(tx, scopeOf(viewer), about)
  return { ...prepared, only: sub && { name: sub, value: subId ? subId : null } }
}

/**
 * The totals that a report reads. With a site, of any day, because they decide whether the viewer knows it. Of AVP, the
 * whole week's; an agent's tier also counts their sales for another office.
 */
export function reachOf(
  viewer: Viewer,
  name: StatsTableName,
  { start, end, siteId }: Pick<ReportCriteria, 'start' | 'end' | 'siteId'>,
): Reach {
  const { isWeekly } = statsTables[name]
  const lastDay = isWeekly ? weeksOf({ start, end }).end : end
  return {
    until: siteId === undefined ? lastDay : undefined,
    scope: isWeekly ? undefined : scopeOf(viewer),
  }
}

/** The same question for other days, with the tiers of those days. Undefined if a sub id has too many clicks there. */
export async function askOver(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  range: DateRange,
): Promise<ReportQuestion | undefined> {
  const { table, filter, bySub } = question
  if (bySub?.only && !(await canAskBySub(tx, scope, { ...question, range }))) return undefined
  const steps = table.isWeekly ? await stepsFor(tx, range) : []
  return {
    ...question,
    range,
    steps,
    filter: { ...filter, tier: filter.tier && { ...filter.tier, steps } },
  }
}

function refuseChoices(
  viewer: Viewer,
  table: StatsTable,
  { groupBy, avp, sub }: ReportCriteria,
): void {
  if (!viewsOf(table, viewer).includes(groupBy)) {
    throw invalid({ groupBy: ['is not one of your views'] })
  }
  if (avp !== undefined && !can(viewer, 'stats.avp.choose')) {
    throw invalid({ avp: ['is only for admins and superadmins'] })
  }
  if (sub !== undefined && !can(viewer, 'logs.click-outs')) {
    throw invalid({ sub: ['is only for those who may see clicks'] })
  }
}

/**
 * The chosen site, if there is one. A site that the viewer never sold does not exist for them. Deleted link types are
 * kept only if the answer has figures for them or sorts by them.
 */
async function chosenSite(
  tx: Tx,
  viewer: Viewer,
  about: Pick<ReportQuestion, 'range' | 'today' | 'openDay' | 'filter'>,
  sortedTypeId: number | undefined,
): Promise<ChosenSite | undefined> {
  const { siteId, typeId } = about.filter
  if (siteId === undefined) return undefined
  const scope = scopeOf(viewer)
  const site = await findChosenSite(tx, scope, siteId)
  if (!site) throw invalid({ siteId: ['This site no longer exists. Choose another one'] })
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

/** The link type whose sales (`12`) or payout (`12_payout`) the criteria sort by. */
function sortedType({ sortField }: ReportCriteria): number | undefined {
  if (typeof sortField === 'number') return sortField
  return sortField !== undefined && isPayoutColumn(sortField)
    ? Number.parseInt(sortField, 10)
    : undefined
}

/** The tiers of a range and of the period before it, which points are compared with. */
async function stepsFor(tx: Tx, range: DateRange): Promise<AvpStep[]> {
  const { start } = previousRange(range)
  return stepsOf(await findSchedulesOf(tx, { start, end: range.end }))
}

/** Refuses to sort by a column that the view does not have or the viewer does not see. */
function sortOf(
  table: StatsTable,
  criteria: ReportCriteria,
  typeIds: readonly number[],
  visibility: VisibleAmounts,
): ReportQuestion['sort'] {
  const { groupBy, sortField, sortAsc } = criteria
  if (sortField === undefined) {
    const { sort } = groupings[groupBy]
    return { column: sort.sortField, ascending: sort.sortAsc }
  }
  const typeId = sortedType(criteria)
  const isOffered =
    typeof sortField === 'number' || isPayoutColumn(sortField)
      ? typeId !== undefined &&
        typeIds.includes(typeId) &&
        (typeof sortField === 'number' || table.pays !== undefined)
      : hasColumn(table, groupBy, sortField) && sees(visibility, sortField)
  if (!isOffered) throw invalid({ sortField: ['is not a column of this view'] })
  return { column: sortField, ascending: sortAsc ?? true }
}

export function sees(visibility: VisibleAmounts, column: StatColumn): boolean {
  const amounts = visibleIf(column)
  return amounts === undefined || visibility[amounts]
}
